import { ask, get, type JsonObject, post, put, type Step, send, subject } from '../case.ts';
import { endpoints, object, paths, services } from './objects.ts';
import { container, pod, pods, withAccount } from './pod-spec-cases.ts';

const nodes = paths('/api/v1/nodes');
const streams = ['exec?command=ls&stdout=1', 'attach?stdout=1', 'portforward?ports=80'];
const reach = (name: string): Step[] => [
  get(pods(`${name}/log`)),
  ...streams.map((stream) => get(pods(`${name}/${stream}`))),
  get(pods(`${name}/proxy/x`)),
];
const onNode = (nodeName: string): Step[] => [
  withAccount,
  post(pods(), pod('a', { nodeName })),
  get(pods('a/log')),
];
const node = (status: JsonObject): Step[] => [
  post(nodes(), object('{name}'), { as: 'node', pick: () => null }),
  put(nodes('{name}/status'), (kept) => ({ ...kept.node, status }), { pick: () => null }),
];
const two = pod('a', { containers: [container({ name: 'one' }), container({ name: 'two' })] });

/** What leads into a node, as far as it can be asked without one. */
export const connections = subject('connections', [
  ask('to a pod that is not there', reach('nosuch')),
  ask('to a pod without a node', withAccount, post(pods(), pod('a')), reach('a')),
  ask('to a node that is not there', onNode('{name}')),
  ask('to a node without an address', node({}), onNode('{name}'), get(nodes('{name}/proxy/x'))),
  ask(
    'to a node on the own machine',
    node({
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: 9 } },
    }),
    get(nodes('{name}/proxy')),
    get(nodes('{name}/proxy/x')),
    get(nodes('http:{name}:80/proxy/x')),
    get(nodes('ftp:{name}:80/proxy/x')),
    get(nodes('nosuch/proxy/x')),
  ),
  ask(
    'which container',
    withAccount,
    post(pods(), two),
    ['log', 'log?container=x', 'log?container=one', 'exec?command=ls', 'attach?container=x'].map((path) =>
      get(pods(`a/${path}`)),
    ),
  ),
  ask(
    'options of a log',
    withAccount,
    post(pods(), pod('a')),
    [
      'tailLines=-1',
      'tailLines=x',
      'limitBytes=0',
      'limitBytes=99999999999999999999',
      'sinceSeconds=0',
      'sinceTime=yesterday',
      'sinceTime=2026-01-01T00:00:00Z&sinceSeconds=1',
      'stream=Stdout&tailLines=1',
      'tailLines=-1&limitBytes=-1&sinceSeconds=-1',
      'follow=maybe',
    ].map((query) => get(pods(`a/log?${query}`))),
  ),
  ask(
    'ports to forward',
    withAccount,
    post(pods(), pod('a')),
    ['x', '-1', '65536', '80,x', ''].map((port) => get(pods(`a/portforward?ports=${port}`))),
  ),
  ask(
    'methods',
    withAccount,
    post(pods(), pod('a')),
    ['log', 'exec', 'portforward'].flatMap((part) =>
      ['DELETE', 'PUT'].map((method) => send(method, pods(`a/${part}`))),
    ),
    get(pods('a/log/x')),
    get(pods('a/exec/x')),
  ),
  ask(
    'to what is behind a service',
    post(services(), object('a', { spec: { ports: [{ name: 'web', port: 80 }] } }), { pick: () => null }),
    post(endpoints(), object('a')),
    ['a', 'a:web', 'a:80', 'a:81', 'https:a:web', 'ftp:a:web', 'a:b:c:d', 'nosuch'].map((name) =>
      get(services(`${name}/proxy/x`)),
    ),
  ),
]);
