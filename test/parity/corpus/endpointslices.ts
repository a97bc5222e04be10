import { ask, del, get, type Json, type JsonObject, post, put, type Step, subject } from '../case.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { endpointslices, object } from './objects.ts';

const slice = (name: string, fields: JsonObject, metadata: JsonObject = {}) =>
  object(name, { addressType: 'IPv4', endpoints: [], ...fields }, metadata);
const tried = (fields: JsonObject, metadata: JsonObject = {}): Step =>
  post(endpointslices('?dryRun=All'), slice('a', fields, metadata));
const endpoint = (fields: JsonObject): Step =>
  tried({ endpoints: [{ addresses: ['192.0.2.1'], ...fields }] });
const address = (addressType: string, ...addresses: string[]): Step =>
  tried({ addressType, endpoints: [{ addresses }] });
const port = (...ports: JsonObject[]): Step => tried({ ports });
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Each server listens on a port of its own. */
const portless = {
  pick: (body: JsonObject): Json =>
    JSON.parse(JSON.stringify(body).replaceAll(/"(port|targetPort)":\d{5}/g, '"$1":"its own"')) as Json,
};

export const endpointSliceRules = subject('endpointslices', [
  ask(
    'what leads to the server itself',
    get('/api/v1/namespaces/default/services/kubernetes', portless),
    get('/api/v1/namespaces/default/endpoints/kubernetes', portless),
    get('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes', portless),
  ),
  ask(
    'what they need at least',
    post(endpointslices('?dryRun=All'), object('a')),
    post(endpointslices('?dryRun=All'), object('a', { addressType: 'IPv4' })),
    post(endpointslices('?dryRun=All'), object('a', { addressType: 'IPv4', endpoints: null, ports: null })),
    tried({ ports: [] }),
    ['', 'Nope', 'ipv4', 'FQDN', 'IPv6'].map((addressType) => tried({ addressType })),
    ['UPPER', 'a.b', 'a_b'].map((name) => post(endpointslices('?dryRun=All'), slice(name, {}))),
    tried(
      {},
      { labels: { 'kubernetes.io/service-name': 'svc', 'endpointslice.kubernetes.io/managed-by': 'me' } },
    ),
    tried({}, { labels: { 'service.kubernetes.io/headless': '' } }),
    post(
      endpointslices('?dryRun=All'),
      object('', { addressType: 'IPv4', endpoints: [] }, { generateName: 'a-' }),
    ),
  ),
  ask(
    'addresses',
    [
      '192.0.2.1',
      '',
      'x',
      '127.0.0.1',
      '169.254.0.1',
      '224.0.0.1',
      '0.0.0.0',
      '01.2.3.4',
      '2001:db8::1',
      '::ffff:1.2.3.4',
    ].map((ip) => address('IPv4', ip)),
    ['2001:db8::1', '2001:DB8:0::1', '::1', '::', 'fe80::1', 'ff02::1', '192.0.2.1', 'x'].map((ip) =>
      address('IPv6', ip),
    ),
    ['a.b', 'UPPER', 'a', '192.0.2.1', '', 'a_b', '*.a.b'].map((name) => address('FQDN', name)),
    address('IPv4'),
    address('IPv4', '192.0.2.1', '192.0.2.1'),
    address('IPv4', '192.0.2.1', '192.0.2.2'),
    address('Nope', 'x'),
    tried({ endpoints: [{ addresses: many(101, (i) => `192.0.2.${i}`) }] }),
    tried({ endpoints: many(1001, () => ({ addresses: ['192.0.2.1'] })) }),
  ),
  ask(
    'endpoints',
    endpoint({ hostname: 'a' }),
    ['', 'UPPER', 'a.b', 'a'.repeat(64)].map((hostname) => endpoint({ hostname })),
    ['', 'n', 'not a node', 'UPPER'].map((nodeName) => endpoint({ nodeName })),
    endpoint({ zone: 'z' }),
    endpoint({ zone: '' }),
    endpoint({ conditions: { ready: true, serving: false, terminating: true } }),
    endpoint({ conditions: null }),
    endpoint({ targetRef: { kind: 'Pod', name: 'p' } }),
    endpoint({ deprecatedTopology: { a: 'b' } }),
    endpoint({ deprecatedTopology: { 'kubernetes.io/hostname': 'n' }, nodeName: 'n' }),
    endpoint({ deprecatedTopology: { 'topology.kubernetes.io/zone': 'z' } }),
    endpoint({ hints: {} }),
    endpoint({ hints: { forZones: [{ name: 'z' }] } }),
    endpoint({ hints: { forZones: [{ name: 'b b' }] } }),
    endpoint({ hints: { forZones: [{ name: '' }] } }),
    endpoint({ hints: { forZones: [{ name: 'z' }, { name: 'z' }] } }),
    endpoint({ hints: { forZones: many(9, (i) => ({ name: `z${i}` })) } }),
    endpoint({ hints: { forNodes: [{ name: 'n' }] } }),
    endpoint({ hints: { forNodes: [{ name: 'UPPER' }, { name: 'n' }, { name: 'n' }] } }),
    endpoint({ hints: { forNodes: many(9, (i) => ({ name: `n${i}` })) } }),
  ),
  ask(
    'ports',
    port({}),
    port({}, {}),
    port({ port: 80 }),
    port({ name: 'a', port: 80, protocol: 'UDP', appProtocol: 'http' }),
    ['', 'UPPER', 'a.b', 'a'.repeat(64), 'a'.repeat(63), '9'].map((name) => port({ name })),
    [0, -1, 65536].map((number) => port({ port: number })),
    ['', 'tcp', 'SCTP', 'ICMP'].map((protocol) => port({ protocol })),
    ['', 'b b', 'example.com/x', 'example.com/'].map((appProtocol) => port({ appProtocol })),
    port({ name: 'a' }, { name: 'a' }),
    tried({ ports: many(101, (i) => ({ name: `p${i}`, port: i + 1 })) }),
    tried({ ports: many(20001, (i) => ({ name: `p${i}`, port: 1 })) }),
  ),
  ask(
    'updates',
    post(endpointslices(), slice('a', { endpoints: [{ addresses: ['192.0.2.1'], zone: 'z' }] }), {
      as: 'a',
    }),
    put(endpointslices('a'), withChange('a', { addressType: 'IPv6' })),
    put(endpointslices('a'), withChange('a', { addressType: 'FQDN', endpoints: [] })),
    put(endpointslices('a'), withChange('a', { addressType: '' })),
    put(endpointslices('a'), withChange('a', { endpoints: [{ addresses: ['127.0.0.1'] }] })),
    put(
      endpointslices('a'),
      withChange('a', { endpoints: [{ addresses: ['192.0.2.1'], deprecatedTopology: { a: 'b' } }] }),
    ),
    put(endpointslices('a'), withChange('a', { ports: [{ port: 80 }] }), { as: 'b' }),
    put(endpointslices('a'), withChange('b', {})),
    put(
      endpointslices('a'),
      slice(
        'a',
        { endpoints: [{ addresses: ['192.0.2.1'], zone: 'z' }], ports: [{ port: 80 }] },
        { labels: { a: 'b' } },
      ),
    ),
    put(endpointslices('nope'), slice('nope', {})),
    del(endpointslices('a')),
  ),
  ...lifecycle(
    endpointslices,
    slice('a', { endpoints: [{ addresses: ['192.0.2.1'] }], ports: [{ port: 80 }] }),
    {
      full: slice(
        'full',
        {
          addressType: 'IPv6',
          endpoints: [
            {
              addresses: ['2001:db8::1'],
              conditions: { ready: true, serving: true, terminating: false },
              hostname: 'h',
              targetRef: { kind: 'Pod', namespace: '{ns}', name: 'p', uid: 'u' },
              nodeName: 'n',
              zone: 'z',
              hints: { forZones: [{ name: 'z' }], forNodes: [{ name: 'n' }] },
            },
            { addresses: ['2001:db8::2', '2001:db8::3'], conditions: { ready: false } },
          ],
          ports: [
            { name: 'http', protocol: 'TCP', port: 80, appProtocol: 'http' },
            { name: 'dns', protocol: 'UDP', port: 53 },
            { name: 'any' },
          ],
        },
        { labels: { 'kubernetes.io/service-name': 'svc', 'endpointslice.kubernetes.io/managed-by': 'me' } },
      ),
      change: { endpoints: [{ addresses: ['192.0.2.2'], conditions: { ready: true } }] },
    },
  ),
]);
