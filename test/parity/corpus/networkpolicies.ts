import { ask, del, type JsonObject, post, put, type Step, subject } from '../case.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { networkpolicies, object } from './objects.ts';

const tried = (spec: JsonObject): Step => post(networkpolicies('?dryRun=All'), object('a', { spec }));
const port = (...ports: JsonObject[]): Step => tried({ podSelector: {}, ingress: [{ ports }] });
const from = (...peers: JsonObject[]): Step => tried({ podSelector: {}, ingress: [{ from: peers }] });
const to = (...peers: JsonObject[]): Step => tried({ podSelector: {}, egress: [{ to: peers }] });
const block = (cidr: string, ...except: string[]): Step => from({ ipBlock: { cidr, except } });

export const networkPolicyRules = subject('networkpolicies', [
  ask(
    'what they apply to',
    post(networkpolicies('?dryRun=All'), object('a')),
    tried({}),
    tried({ podSelector: {} }),
    tried({ podSelector: {}, egress: [] }),
    tried({ podSelector: {}, egress: [{}] }),
    tried({ podSelector: {}, ingress: [{}] }),
    tried({ podSelector: { matchLabels: { 'b b': 'c c' } } }),
    tried({ podSelector: { matchExpressions: [{ key: 'a', operator: 'Nope' }] } }),
    tried({ podSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
    tried({ podSelector: { matchExpressions: [{ key: '', operator: 'Exists', values: ['x'] }] } }),
    [['Ingress'], ['Egress'], ['Ingress', 'Egress'], ['Nope'], ['Ingress', 'Ingress', 'Egress'], ['']].map(
      (policyTypes) => tried({ podSelector: {}, policyTypes }),
    ),
    tried({ podSelector: {}, policyTypes: ['Ingress', 'Ingress'] }),
    ['UPPER', 'a.b', 'a_b'].map((name) =>
      post(networkpolicies('?dryRun=All'), object(name, { spec: { podSelector: {} } })),
    ),
  ),
  ask(
    'ports',
    port({}),
    port({ port: 80 }),
    port({ port: 'http', protocol: 'UDP' }),
    [0, -1, 65536, '', 'UPPER', 'a--b', '123', 'a'.repeat(16)].map((number) => port({ port: number })),
    ['', 'tcp', 'SCTP', 'ICMP'].map((protocol) => port({ port: 80, protocol })),
    port({ endPort: 90 }),
    port({ port: 80, endPort: 90 }),
    port({ port: 80, endPort: 79 }),
    port({ port: 80, endPort: 80 }),
    port({ port: 80, endPort: 65536 }),
    port({ port: 'http', endPort: 90 }),
    port({ port: 0, endPort: 0 }),
  ),
  ask(
    'peers',
    from({}),
    to({}),
    from({ podSelector: {} }),
    from({ namespaceSelector: {} }),
    from({ podSelector: {}, namespaceSelector: { matchLabels: { a: 'b' } } }),
    from({ podSelector: {}, ipBlock: { cidr: '192.0.2.0/24' } }),
    from({ namespaceSelector: {}, ipBlock: { cidr: '192.0.2.0/24' } }),
    from({ podSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
    to({ namespaceSelector: { matchLabels: { 'b b': 'c' } } }),
    [
      '',
      'x',
      '192.0.2.0',
      '192.0.2.1/24',
      '192.0.2.0/33',
      '0.0.0.0/0',
      '2001:db8::/32',
      '2001:DB8:0::/32',
      '010.0.0.0/8',
      '::ffff:10.0.0.0/104',
    ].map((cidr) => block(cidr)),
    [
      'x',
      '192.0.2.0/25',
      '192.0.2.0/24',
      '192.0.3.0/25',
      '192.0.2.129/25',
      '2001:db8::/64',
      '192.0.0.0/16',
    ].map((except) => block('192.0.2.0/24', except)),
    block('2001:db8::/32', '2001:db8:1::/48', '2001:db8::/32'),
    block('x', 'y'),
  ),
  ask(
    'updates',
    post(networkpolicies(), object('a', { spec: { podSelector: {} } }), { as: 'a' }),
    put(networkpolicies('a'), withChange('a', { spec: { egress: [{}] } })),
    put(networkpolicies('a'), withChange('a', { spec: { policyTypes: ['Nope'] } })),
    put(networkpolicies('a'), object('a', { spec: { podSelector: {}, egress: [{}] } })),
    put(
      networkpolicies('a'),
      object('a', {
        spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '01.2.3.0/24' } }] }] },
      }),
    ),
    del(networkpolicies('a')),
  ),
  ...lifecycle(networkpolicies, object('a', { spec: { podSelector: { matchLabels: { app: 'a' } } } }), {
    full: object('full', {
      spec: {
        podSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['b', 'a'] }] },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          {
            ports: [{ protocol: 'TCP', port: 80, endPort: 90 }, { port: 'http' }],
            from: [
              { podSelector: { matchLabels: { a: 'b' } }, namespaceSelector: {} },
              { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
            ],
          },
        ],
        egress: [
          {
            to: [{ namespaceSelector: { matchLabels: { c: 'd' } } }],
            ports: [{ protocol: 'UDP', port: 53 }],
          },
        ],
      },
    }),
    change: { spec: { ingress: [{}] } },
  }),
]);
