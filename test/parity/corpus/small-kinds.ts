import { ask, changed, get, type JsonObject, post, put, subject } from '../case.ts';
import { controllerrevisions, each, endpoints, leases, limitranges, object, revision } from './objects.ts';

export const controllerRevisions = subject('controllerrevisions', [
  ask(
    'keep any JSON object as data',
    post(
      controllerrevisions(),
      revision('a', {
        revision: 1,
        data: { z: [1, 2.5, -0.0, 1e21, 'x', null, true], a: {}, nested: { 'k.k': { '': 1 } } },
      }),
    ),
    post(
      controllerrevisions(),
      '{"metadata":{"name":"big"},"revision":9223372036854775807,"data":{"n":12345678901234567890,"f":1.10,"e":1E3}}',
    ),
    post(
      controllerrevisions(),
      '{"metadata":{"name":"kinded"},"revision":2,"data":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"x"},"unknown":1}}',
    ),
    post(controllerrevisions(), '{"metadata":{"name":"twice"},"revision":2,"data":{"a":1,"a":2}}'),
    post(
      controllerrevisions('?fieldValidation=Strict'),
      '{"metadata":{"name":"twice-strictly"},"revision":2,"data":{"a":1,"a":2}}',
    ),
    get(controllerrevisions()),
  ),
  ask(
    'data that is none',
    each(['null', '[]', '"x"', '1', 'true', '{}'], (data) =>
      post(controllerrevisions(), `{"metadata":{"name":"a"},"revision":1,"data":${data}}`),
    ),
    post(controllerrevisions(), object('b', { revision: -1, data: {} })),
    post(controllerrevisions(), object('c', { data: {} })),
    post(controllerrevisions(), object('d')),
    post(controllerrevisions(), object('UPPER', { revision: -1 })),
  ),
  ask(
    'data never changes, the revision may',
    post(controllerrevisions(), revision('a', { revision: 1, data: { k: 'v' } }), { as: 'a' }),
    put(controllerrevisions('a'), changed('a', { data: { k: 'changed' } })),
    put(controllerrevisions('a'), changed('a', { data: null })),
    put(controllerrevisions('a'), changed('a', { revision: -5 })),
    put(controllerrevisions('a'), changed('a', { revision: 5 })),
    put(controllerrevisions('a'), object('a', { revision: 5, data: { k: 'v' } }, { labels: { a: 'b' } })),
    get(controllerrevisions('a')),
  ),
]);

const limits = (...items: JsonObject[]) =>
  post(limitranges('?dryRun=All'), object('a', { spec: { limits: items } }));

export const limitRanges = subject('limitranges', [
  ask(
    'quantities are kept in their canonical form',
    limits({
      type: 'Container',
      max: { cpu: '1000m', memory: '1024Mi' },
      min: { cpu: '0.1', memory: '1e3' },
      default: { cpu: 0.5, memory: 1048576 },
      defaultRequest: { cpu: '100m', memory: '1Mi' },
    }),
    limits({
      type: 'Pod',
      max: { cpu: '2', 'ephemeral-storage': '1Gi', 'example.com/gpu': '4' },
      maxLimitRequestRatio: { cpu: '10' },
    }),
    limits({ type: 'PersistentVolumeClaim', max: { storage: '10Gi' }, min: { storage: '1Gi' } }),
    limits({ type: 'Container', max: { cpu: '1' } }),
    limits({ type: 'Container', min: { cpu: '1' }, defaultRequest: { memory: '1' } }),
    limits({ type: 'example.com/thing', max: { cpu: '1' } }),
    post(limitranges('?dryRun=All'), object('a', { spec: {} })),
    post(limitranges('?dryRun=All'), object('a', { spec: { limits: null } })),
    post(limitranges('?dryRun=All'), object('a')),
  ),
  ask(
    'each way to write a quantity',
    each(
      [
        '0',
        '-1',
        '+1',
        '1.0',
        '.5',
        '1.',
        '1k',
        '1Ki',
        '1e3',
        '1E3',
        '1E',
        '1.5Gi',
        '0.0001',
        '0.1m',
        '1n',
        '1u',
        '123456789012345678901234567890',
        '1000Ki',
        '1024Ki',
        '0.5Ki',
        '100000m',
        '1.2345678901',
        '-0',
        '00001',
        '1e-3',
        '999999999999999999999Ei',
      ],
      (cpu) => limits({ type: 'Container', max: { cpu } }),
    ),
  ),
  ask(
    'texts that are no quantity',
    each(
      [
        '',
        'x',
        '1x',
        '1 ',
        ' 1',
        '1ki',
        '1KI',
        '1.2.3',
        '--1',
        '1e',
        '0x10',
        '1,5',
        'Ki',
        '1e3Ki',
        'NaN',
        'Infinity',
        '1e99999',
      ],
      (cpu) => limits({ type: 'Container', max: { cpu } }),
    ),
    each(['null', 'true', '{}', '[]', '1e3', '-5', '0.5'], (cpu) =>
      post(
        limitranges('?dryRun=All'),
        `{"metadata":{"name":"a"},"spec":{"limits":[{"type":"Container","max":{"cpu":${cpu}}}]}}`,
      ),
    ),
  ),
  ask(
    'limits that contradict each other',
    limits({}),
    limits({ type: '' }),
    limits({ type: 'Nope' }),
    limits({ type: 'Pod' }, { type: 'Pod' }),
    limits({ type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } }),
    limits({ type: 'Container', default: { cpu: '3' }, max: { cpu: '1' } }),
    limits({ type: 'Container', default: { cpu: '1' }, min: { cpu: '2' } }),
    limits({ type: 'Container', defaultRequest: { cpu: '3' }, max: { cpu: '1' } }),
    limits({ type: 'Container', defaultRequest: { cpu: '1' }, min: { cpu: '2' } }),
    limits({ type: 'Container', defaultRequest: { cpu: '3' }, default: { cpu: '1' } }),
    limits({ type: 'Pod', default: { cpu: '1' } }),
    limits({ type: 'Pod', defaultRequest: { cpu: '1' } }),
    limits({ type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } }),
    limits({ type: 'PersistentVolumeClaim' }),
    limits({ type: 'PersistentVolumeClaim', max: { cpu: '1' } }),
    limits({ type: 'Container', maxLimitRequestRatio: { cpu: '0.5' } }),
    limits({ type: 'Container', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } }),
    limits({ type: 'Container', max: { nope: '1' } }),
    limits({ type: 'Container', max: { 'b b': '1' } }),
    limits({ type: 'Container', max: { 'example.com/b': '1.5' } }),
    limits({ type: 'Container', max: { 'hugepages-2Mi': '2Mi' } }),
    limits({ type: 'Container', max: { 'requests.cpu': '1' } }),
    limits({ type: 'Container', max: { '': '1' } }),
    post(limitranges('?dryRun=All'), object('UPPER', { spec: { limits: [{ type: 'b b' }] } })),
  ),
  ask(
    'an update is checked and stored',
    post(limitranges(), object('a', { spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] } }), {
      as: 'a',
    }),
    put(limitranges('a'), changed('a', { spec: { limits: [{ type: 'Container', max: { cpu: '1000m' } }] } })),
    put(
      limitranges('a'),
      changed('a', { spec: { limits: [{ type: 'Container', max: { cpu: '1' }, min: { cpu: '2' } }] } }),
    ),
    put(limitranges('a'), object('a', { spec: { limits: [] } })),
  ),
]);

const subset = (fields: JsonObject) => post(endpoints('?dryRun=All'), object('a', { subsets: [fields] }));
const address = (fields: JsonObject) => subset({ addresses: [fields], ports: [{ port: 80 }] });
const port = (...ports: JsonObject[]) => subset({ addresses: [{ ip: '10.0.0.1' }], ports });

export const endpointSets = subject('endpoints', [
  ask(
    'are stored with subsets repacked and defaults filled in',
    post(
      endpoints(),
      object('a', {
        subsets: [
          {
            addresses: [
              { ip: '10.0.0.2' },
              {
                ip: '10.0.0.1',
                hostname: 'h',
                nodeName: 'n',
                targetRef: { kind: 'Pod', name: 'p', namespace: '{ns}', uid: 'u' },
              },
            ],
            notReadyAddresses: [{ ip: '10.0.0.3' }],
            ports: [
              { port: 80, name: 'http' },
              { port: 443, name: 'https', protocol: 'UDP', appProtocol: 'example.com/x' },
            ],
          },
        ],
      }),
    ),
    post(
      endpoints(),
      object('b', {
        subsets: [
          { addresses: [{ ip: '10.0.0.2' }], ports: [{ port: 2 }] },
          { addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 1 }] },
        ],
      }),
    ),
    post(
      endpoints(),
      object('c', {
        subsets: [
          { addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 1, name: 'a' }] },
          { addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 2, name: 'b' }] },
        ],
      }),
    ),
    post(endpoints(), object('d', { subsets: [] })),
    post(endpoints(), object('e')),
    get(endpoints()),
  ),
  ask(
    'addresses that are not allowed',
    each(
      [
        '',
        'x',
        '1.2.3',
        '1.2.3.256',
        '01.2.3.4',
        '127.0.0.1',
        '169.254.1.1',
        '224.0.0.1',
        '0.0.0.0',
        '::1',
        'fe80::1',
        'ff02::1',
        '::',
        '::ffff:10.0.0.1',
        '10.0.0.1/24',
        '10.0.0.1 ',
      ],
      (ip) => address({ ip }),
    ),
    each(['2001:db8::1', '2001:DB8:0:0::1', '255.255.255.255', '224.0.1.1'], (ip) => address({ ip })),
    address({ ip: '10.0.0.1', hostname: 'UPPER' }),
    address({ ip: '10.0.0.1', hostname: 'a.b' }),
    address({ ip: '10.0.0.1', nodeName: 'not a node' }),
    address({ ip: '10.0.0.1', nodeName: '' }),
    address({}),
  ),
  ask(
    'ports that are not allowed',
    port({}),
    each([0, -1, 65536, 1], (number) => port({ port: number })),
    each(['', 'UPPER', 'a.b', 'a'.repeat(64), 'under_score', 'fine'], (name) => port({ port: 1, name })),
    each(['', 'tcp', 'TCP', 'SCTP', 'ICMP'], (protocol) => port({ port: 1, protocol })),
    each(['', 'b b', 'example.com/x', 'http'], (appProtocol) => port({ port: 1, appProtocol })),
    port({ port: 1 }, { port: 2 }),
    port({ port: 1, name: 'a' }, { port: 2 }),
    port({ port: 1, name: 'a' }, { port: 1, name: 'a' }),
  ),
  ask(
    'subsets that are not allowed',
    subset({}),
    subset({ ports: [{ port: 1 }] }),
    subset({ addresses: [{ ip: '10.0.0.1' }] }),
    subset({
      addresses: [{ ip: '10.0.0.1' }],
      notReadyAddresses: [{ ip: '10.0.0.1' }],
      ports: [{ port: 1 }],
    }),
    subset({ notReadyAddresses: [{ ip: '' }], ports: [{ port: 0 }] }),
  ),
  ask(
    'an update repacks too, and a node name is fixed to its address',
    post(
      endpoints(),
      object('a', { subsets: [{ addresses: [{ ip: '10.0.0.1', nodeName: 'n' }], ports: [{ port: 1 }] }] }),
      { as: 'a' },
    ),
    put(
      endpoints('a'),
      changed('a', {
        subsets: [{ addresses: [{ ip: '10.0.0.1', nodeName: 'other' }], ports: [{ port: 1 }] }],
      }),
    ),
    put(endpoints('a'), changed('a', { subsets: [] })),
    put(
      endpoints('a'),
      object('a', { subsets: [{ addresses: [{ ip: '127.0.0.1' }], ports: [{ port: 1 }] }] }),
    ),
  ),
]);

const lease = (spec: JsonObject) => post(leases('?dryRun=All'), object('a', { spec }));

export const leaseRules = subject('leases', [
  ask(
    'keep times to the microsecond',
    each(
      [
        '2024-01-02T03:04:05.678901Z',
        '2024-01-02T03:04:05Z',
        '2024-01-02T03:04:05.678901+02:00',
        '2024-01-02T03:04:05.6Z',
        '2024-01-02T03:04:05.678901234Z',
        '0001-01-01T00:00:00.000000Z',
        '2024-01-02T03:04:05,678901Z',
      ],
      (renewTime) => lease({ renewTime, acquireTime: renewTime }),
    ),
    lease({ renewTime: null, holderIdentity: null }),
  ),
  ask(
    'values that are not allowed',
    each([0, -1, 1], (leaseDurationSeconds) => lease({ leaseDurationSeconds })),
    each([-1, 0, 1], (leaseTransitions) => lease({ leaseTransitions })),
    lease({ holderIdentity: '' }),
    lease({ holderIdentity: 'any ä text' }),
    lease({ strategy: 'OldestEmulationVersion' }),
    lease({ strategy: 'Nope' }),
    lease({ strategy: 'example.com/fine' }),
    lease({ preferredHolder: 'x' }),
    lease({ preferredHolder: 'x', strategy: 'OldestEmulationVersion' }),
    lease({ preferredHolder: '' }),
  ),
  ask(
    'an update is checked and stored, and a PUT may create',
    put(leases('a'), object('a', { spec: { holderIdentity: 'x' } }), { as: 'a' }),
    put(leases('a'), changed('a', { spec: { holderIdentity: 'y', leaseTransitions: 1 } })),
    put(leases('a'), changed('a', { spec: { leaseDurationSeconds: 0 } })),
    put(leases('a'), object('a', { spec: { leaseDurationSeconds: -1 } })),
    put(leases('a'), object('a')),
    get(leases('a')),
  ),
]);
