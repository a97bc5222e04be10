import { ask, changed, get, type JsonObject, post, put, subject } from '../case.ts';
import { endpoints, object } from './objects.ts';

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
    ].map((ip) => address({ ip })),
    ['2001:db8::1', '2001:DB8:0:0::1', '255.255.255.255', '224.0.1.1'].map((ip) => address({ ip })),
    address({ ip: '10.0.0.1', hostname: 'UPPER' }),
    address({ ip: '10.0.0.1', hostname: 'a.b' }),
    address({ ip: '10.0.0.1', nodeName: 'not a node' }),
    address({ ip: '10.0.0.1', nodeName: '' }),
    address({}),
  ),
  ask(
    'ports that are not allowed',
    port({}),
    [0, -1, 65536, 1].map((number) => port({ port: number })),
    ['', 'UPPER', 'a.b', 'a'.repeat(64), 'under_score', 'fine'].map((name) => port({ port: 1, name })),
    ['', 'tcp', 'TCP', 'SCTP', 'ICMP'].map((protocol) => port({ port: 1, protocol })),
    ['', 'b b', 'example.com/x', 'http'].map((appProtocol) => port({ port: 1, appProtocol })),
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
