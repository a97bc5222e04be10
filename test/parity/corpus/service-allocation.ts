import { ask, del, get, type JsonObject, post, put, subject } from '../case.ts';
import { withChange } from './lifecycle.ts';
import { endpoints, ipaddresses, object, services } from './objects.ts';

const http = { port: 80 };
const service = (name: string, spec: JsonObject) => object(name, { spec: { ports: [http], ...spec } });
const made = (name: string, spec: JsonObject) => post(services(), service(name, spec), { as: name });

/** What a service takes beside itself: addresses and ports. Each case takes addresses and ports that no other does. */
export const serviceAllocation = subject(
  'service-allocation',
  [
    ask(
      'an address is kept by an object as long as the service has it',
      made('a', { clusterIP: '10.0.0.210' }),
      get(ipaddresses('10.0.0.210')),
      made('b', { clusterIP: '10.0.0.210' }),
      post(services('?dryRun=All'), service('b', { clusterIP: '10.0.0.210' })),
      post(services('?dryRun=All'), service('b', { clusterIP: '10.0.0.211' })),
      get(ipaddresses('10.0.0.211')),
      made('a', { clusterIP: '10.0.0.211' }),
      get(ipaddresses('10.0.0.211')),
      post(services(), { metadata: { name: 'c' }, spec: { clusterIP: '10.0.0.211', ports: [{ port: 0 }] } }),
      get(ipaddresses('10.0.0.211')),
      del(services('a?dryRun=All')),
      get(ipaddresses('10.0.0.210')),
      del(services('a')),
      get(ipaddresses('10.0.0.210')),
    ),
    ask(
      'addresses that cannot be had',
      ['10.0.0.0', '10.0.0.255', '10.0.0.1', '10.0.1.1', '10.0.0.2', '192.0.2.1', 'fd00::1'].map(
        (clusterIP) => post(services('?dryRun=All'), service('a', { clusterIP })),
      ),
    ),
    ask(
      'a change of type gives back what the new one does not need',
      made('a', { clusterIP: '10.0.0.212', type: 'NodePort', ports: [{ port: 80, nodePort: 30712 }] }),
      put(services('a'), withChange('a', { spec: { type: 'ExternalName', externalName: 'a.b' } }), {
        as: 'b',
      }),
      get(ipaddresses('10.0.0.212')),
      made('c', { clusterIP: '10.0.0.212', type: 'NodePort', ports: [{ port: 80, nodePort: 30712 }] }),
      put(
        services('a'),
        withChange('b', { spec: { type: 'ClusterIP', externalName: '', clusterIP: '10.0.0.212' } }),
      ),
      put(
        services('a'),
        withChange('b', { spec: { type: 'ClusterIP', externalName: '', clusterIP: '10.0.0.213' } }),
        {
          as: 'd',
        },
      ),
      get(ipaddresses('10.0.0.213')),
      put(
        services('a'),
        withChange('d', { spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 30712 }] } }),
      ),
      put(
        services('a'),
        withChange('d', { spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 30713 }] } }),
        {
          as: 'e',
        },
      ),
      put(services('a'), withChange('e', { spec: { ports: [{ port: 80, nodePort: 30714 }] } }), { as: 'f' }),
      made('g', { type: 'NodePort', ports: [{ port: 80, nodePort: 30713 }] }),
      made('h', { type: 'NodePort', ports: [{ port: 80, nodePort: 30714 }] }),
      del(services('a')),
      made('h', { type: 'NodePort', ports: [{ port: 80, nodePort: 30714 }] }),
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
          { port: 80, nodePort: 30715, name: 'a' },
          { port: 80, nodePort: 30715, name: 'b', protocol: 'UDP' },
        ],
      }),
      made('b', { type: 'NodePort', ports: [{ port: 80, nodePort: 30715, protocol: 'SCTP' }] }),
      made('b', {
        type: 'NodePort',
        ports: [
          { port: 80, nodePort: 30716, name: 'a' },
          { port: 81, nodePort: 30715, name: 'b' },
        ],
      }),
      made('b', { type: 'NodePort', ports: [{ port: 80, nodePort: 30716 }] }),
      del(services('a')),
      del(services('b')),
    ),
    ask(
      'the port of health checks',
      made('a', {
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Local',
        healthCheckNodePort: 30717,
        ports: [{ port: 80, nodePort: 30718 }],
      }),
      made('b', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 30717 }),
      made('b', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 30718 }),
      made('b', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 80 }),
      made('b', {
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Local',
        healthCheckNodePort: 30719,
        ports: [{ port: 80, nodePort: 30719 }],
      }),
      put(services('a'), withChange('a', { spec: { externalTrafficPolicy: 'Cluster' } })),
      made('b', { type: 'NodePort', ports: [{ port: 80, nodePort: 30717 }] }),
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
        object('a', { spec: { ports: [http], clusterIP: '10.0.0.214' } }, { finalizers: ['a.b/c'] }),
        {
          as: 'a',
        },
      ),
      del(services('a')),
      get(ipaddresses('10.0.0.214')),
      put(services('a'), service('a', { clusterIP: '10.0.0.214' })),
      get(ipaddresses('10.0.0.214')),
      get(services('a')),
    ),
    ask(
      'all of a namespace',
      made('a', { clusterIP: '10.0.0.215' }),
      made('b', { type: 'NodePort', ports: [{ port: 80, nodePort: 30720 }] }),
      del(services()),
      get(services()),
      get(ipaddresses('10.0.0.215')),
    ),
    ask(
      'an address that is spoken for without a service',
      post(
        ipaddresses(),
        object('10.0.0.216', { spec: { parentRef: { resource: 'things', name: 'x', group: 'a.b' } } }),
      ),
      made('a', { clusterIP: '10.0.0.216' }),
      del(ipaddresses('10.0.0.216')),
      made('a', { clusterIP: '10.0.0.216' }),
      get(ipaddresses('10.0.0.216')),
      del(services('a')),
      get(ipaddresses('10.0.0.216')),
    ),
  ],
  { issue: 4 },
);
