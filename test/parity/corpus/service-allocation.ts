import { ask, del, get, type JsonObject, post, put, subject } from '../case.ts';
import { withChange } from './lifecycle.ts';
import { endpoints, ipaddresses, object, services } from './objects.ts';

const http = { port: 80 };
const service = (name: string, spec: JsonObject) => object(name, { spec: { ports: [http], ...spec } });
const made = (name: string, spec: JsonObject) => post(services(), service(name, spec), { as: name });

/**
 * What a service takes beside itself: addresses and ports. Each case takes others, from the low ends of the ranges, which
 * are not given out to those who do not ask for them.
 */
export const serviceAllocation = subject('service-allocation', [
  ask(
    'an address is kept by an object as long as the service has it',
    made('a', { clusterIP: '10.0.0.2' }),
    get(ipaddresses('10.0.0.2')),
    made('b', { clusterIP: '10.0.0.2' }),
    post(services('?dryRun=All'), service('b', { clusterIP: '10.0.0.2' })),
    post(services('?dryRun=All'), service('b', { clusterIP: '10.0.0.3' })),
    get(ipaddresses('10.0.0.3')),
    made('a', { clusterIP: '10.0.0.3' }),
    get(ipaddresses('10.0.0.3')),
    post(services(), { metadata: { name: 'c' }, spec: { clusterIP: '10.0.0.3', ports: [{ port: 0 }] } }),
    get(ipaddresses('10.0.0.3')),
    del(services('a?dryRun=All')),
    get(ipaddresses('10.0.0.2')),
    del(services('a')),
    get(ipaddresses('10.0.0.2')),
  ),
  ask(
    'addresses that cannot be had',
    ['10.0.0.0', '10.0.0.255', '10.0.0.1', '10.0.1.1', '10.0.0.9', '192.0.2.1', 'fd00::1'].map((clusterIP) =>
      post(services('?dryRun=All'), service('a', { clusterIP })),
    ),
  ),
  ask(
    'a change of type gives back what the new one does not need',
    made('a', { clusterIP: '10.0.0.4', type: 'NodePort', ports: [{ port: 80, nodePort: 30012 }] }),
    put(services('a'), withChange('a', { spec: { type: 'ExternalName', externalName: 'a.b' } }), {
      as: 'b',
    }),
    get(ipaddresses('10.0.0.4')),
    made('c', { clusterIP: '10.0.0.4', type: 'NodePort', ports: [{ port: 80, nodePort: 30012 }] }),
    put(
      services('a'),
      withChange('b', { spec: { type: 'ClusterIP', externalName: '', clusterIP: '10.0.0.4' } }),
    ),
    put(
      services('a'),
      withChange('b', { spec: { type: 'ClusterIP', externalName: '', clusterIP: '10.0.0.5' } }),
      {
        as: 'd',
      },
    ),
    put(
      services('a'),
      withChange('d', { spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 30012 }] } }),
    ),
    put(
      services('a'),
      withChange('d', { spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 30013 }] } }),
      {
        as: 'e',
      },
    ),
    put(services('a'), withChange('e', { spec: { ports: [{ port: 80, nodePort: 30014 }] } }), { as: 'f' }),
    made('g', { type: 'NodePort', ports: [{ port: 80, nodePort: 30013 }] }),
    made('h', { type: 'NodePort', ports: [{ port: 80, nodePort: 30014 }] }),
    del(services('a')),
    made('h', { type: 'NodePort', ports: [{ port: 80, nodePort: 30014 }] }),
    ['c', 'g', 'h'].map((name) => del(services(name))),
  ),
  ask(
    'ports that cannot be had',
    [29999, 32768, 80, 65535].map((nodePort) =>
      post(services('?dryRun=All'), service('a', { type: 'NodePort', ports: [{ port: 80, nodePort }] })),
    ),
    made('a', {
      type: 'NodePort',
      ports: [
        { port: 80, nodePort: 30015, name: 'a' },
        { port: 80, nodePort: 30015, name: 'b', protocol: 'UDP' },
      ],
    }),
    made('b', { type: 'NodePort', ports: [{ port: 80, nodePort: 30015, protocol: 'SCTP' }] }),
    made('b', {
      type: 'NodePort',
      ports: [
        { port: 80, nodePort: 30016, name: 'a' },
        { port: 81, nodePort: 30015, name: 'b' },
      ],
    }),
    made('b', { type: 'NodePort', ports: [{ port: 80, nodePort: 30016 }] }),
    del(services('a')),
    del(services('b')),
  ),
  ask(
    'ports of an update',
    made('a', { type: 'NodePort', ports: [{ port: 80, name: 'x', nodePort: 30031 }] }),
    [
      [
        { port: 80, name: 'x', nodePort: 30032 },
        { port: 81, name: 'y', nodePort: 30032 },
      ],
      [
        { port: 80, name: 'x', nodePort: 30032 },
        { port: 80, name: 'y', nodePort: 30032, protocol: 'UDP' },
      ],
      [
        { port: 80, name: 'x' },
        { port: 80, name: 'y', protocol: 'UDP' },
      ],
      [{ port: 80, name: 'y' }],
      [{ port: 80, name: 'x', nodePort: 29999 }],
    ].flatMap((ports, i) => [
      put(services('a?dryRun=All'), withChange('a', { spec: { ports } })),
      put(services('a'), object('a', { spec: { type: 'NodePort', ports } }, { labels: { step: `${i}` } })),
    ]),
    put(services('a'), service('a', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false })),
    put(
      services('a'),
      service('a', {
        type: 'LoadBalancer',
        allocateLoadBalancerNodePorts: false,
        ports: [{ port: 80, nodePort: 30033 }],
      }),
    ),
    del(services('a')),
  ),
  ask(
    'the port of health checks',
    made('a', {
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      healthCheckNodePort: 30017,
      ports: [{ port: 80, nodePort: 30018 }],
    }),
    made('b', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 30017 }),
    made('b', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 30018 }),
    made('b', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 80 }),
    made('b', {
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      healthCheckNodePort: 30019,
      ports: [{ port: 80, nodePort: 30019 }],
    }),
    put(services('a'), withChange('a', { spec: { externalTrafficPolicy: 'Cluster' } })),
    made('b', { type: 'NodePort', ports: [{ port: 80, nodePort: 30017 }] }),
    del(services('a')),
    del(services('b')),
  ),
  ask(
    'the endpoints of a service go with it',
    made('a', {}),
    post(endpoints(), object('a', { subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [http] }] })),
    del(services('a?dryRun=All')),
    get(endpoints('a')),
    del(services('a')),
    get(endpoints('a')),
  ),
  ask(
    'one that waits for its finalizers keeps what it has',
    post(
      services(),
      object('a', { spec: { ports: [http], clusterIP: '10.0.0.6' } }, { finalizers: ['a.b/c'] }),
      {
        as: 'a',
      },
    ),
    del(services('a')),
    get(ipaddresses('10.0.0.6')),
    put(services('a'), service('a', { clusterIP: '10.0.0.6' })),
    get(ipaddresses('10.0.0.6')),
    get(services('a')),
  ),
  ask(
    'all of a namespace',
    made('a', { clusterIP: '10.0.0.7' }),
    made('b', { type: 'NodePort', ports: [{ port: 80, nodePort: 30020 }] }),
    del(services()),
    get(services()),
    get(ipaddresses('10.0.0.7')),
  ),
  ask(
    'an address that is spoken for without a service',
    post(
      ipaddresses(),
      object('10.0.0.8', { spec: { parentRef: { resource: 'things', name: 'x', group: 'a.b' } } }),
    ),
    made('a', { clusterIP: '10.0.0.8' }),
    del(ipaddresses('10.0.0.8')),
    // The reference hears of the deletion a moment later.
    post(services(), service('a', { clusterIP: '10.0.0.8' }), { after: 1 }),
    get(ipaddresses('10.0.0.8')),
    del(services('a')),
    get(ipaddresses('10.0.0.8')),
  ),
]);
