import { ask, del, get, type JsonObject, post, put, subject } from '../case.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { object, paths } from './objects.ts';
import { tries } from './refusals.ts';

const nodes = paths('/api/v1/nodes');
const quotas = paths('/api/v1/namespaces/{ns}/resourcequotas');
const accounts = paths('/api/v1/namespaces/{ns}/serviceaccounts');

/** What the reference's admission would add by itself. */
const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
const node = (spec: JsonObject = {}, fields: JsonObject = {}) =>
  object('{name}', { spec: { taints: [notReady], ...spec }, ...fields });
const quota = (spec: JsonObject) => object('q', { spec });
const selecting = (...matchExpressions: JsonObject[]) => quota({ scopeSelector: { matchExpressions } });

const statuses: JsonObject[] = [
  { capacity: { cpu: '2', pods: '-1' } },
  { capacity: { cpu: '2', 'example.com/gpu': '1.5' }, allocatable: { cpu: '-2' } },
  {
    addresses: [
      { type: 'InternalIP', address: '1.2.3.4' },
      { type: 'InternalIP', address: '1.2.3.4' },
    ],
  },
  {
    capacity: { cpu: '4', memory: '8Gi', pods: '110' },
    conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'm' }],
    addresses: [{ type: 'Hostname', address: 'h' }],
    nodeInfo: { machineID: 'm', kubeletVersion: 'v1.33.0' },
    daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
    images: [{ names: ['a', 'b'], sizeBytes: 5 }],
  },
];

export const machines = [
  subject('nodes', [
    ...lifecycle(nodes, node(), {
      full: object('{other}', {
        spec: {
          podCIDRs: ['10.1.0.0/24', 'fd00::/64'],
          providerID: 'p://x',
          unschedulable: true,
          taints: [{ key: 'a', value: 'b', effect: 'NoExecute' }, notReady],
        },
        status: statuses[3]!,
      }),
      change: { spec: { unschedulable: true } },
      status: statuses[3]!,
    }),
    ask(
      'what stays',
      post(nodes(), node({ podCIDR: '10.1.0.0/24', providerID: 'p' }), { as: 'a' }),
      [
        { podCIDR: '10.2.0.0/24', podCIDRs: ['10.2.0.0/24'] },
        { providerID: 'other' },
        { externalID: 'x' },
        { taints: [] },
      ].map((spec) => put(nodes('{name}?dryRun=All'), withChange('a', { spec }))),
      statuses.map((status) => put(nodes('{name}/status?dryRun=All'), withChange('a', { status }))),
      get(nodes('?fieldSelector=spec.unschedulable=true,metadata.name={name}')),
      get(nodes('?fieldSelector=spec.unschedulable=false,metadata.name={name}')),
      get(nodes('?fieldSelector=spec.other=false')),
      del(nodes('{name}')),
    ),
    ...tries(nodes, {
      ranges: [
        node({ podCIDR: '10.1.0.0/24', podCIDRs: ['10.2.0.0/24'] }),
        node({ podCIDRs: ['10.1.0.0/24', '10.2.0.0/24'] }),
        node({ podCIDRs: ['x'] }),
        node({ podCIDRs: ['10.1.0.5/24'] }),
      ],
      taints: [
        node({ taints: [notReady, { key: 'a b', effect: 'X', value: 'v w' }] }),
        node({ taints: [notReady, { key: 'a' }] }),
        node({ taints: [notReady, { ...notReady, value: 'x' }] }),
      ],
      'what is no longer in use': [
        node({ externalID: 'x' }),
        node({ configSource: { configMap: { name: 'a', namespace: 'b', kubeletConfigKey: 'k' } } }),
      ],
      amounts: [node({}, { status: { capacity: { cpu: '-1' } } })],
      names: [object('A_', { spec: { taints: [notReady] } })],
    }),
  ]),
  subject('resourcequotas', [
    ...lifecycle(quotas, quota({ hard: { pods: '1' } }), {
      full: object('full', {
        spec: {
          hard: { pods: '5', 'requests.cpu': '1500m', 'limits.memory': '1Gi' },
          scopes: ['NotTerminating'],
          scopeSelector: {
            matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['a'] }],
          },
        },
      }),
      change: { spec: { hard: { pods: '2' } } },
      status: { hard: { pods: '1' }, used: { pods: '0' } },
    }),
    ...lifecycle(quotas, quota({ scopes: ['BestEffort'] }), {
      name: 'what stays',
      change: { spec: { scopes: ['NotBestEffort'] } },
    }).slice(1, 2),
    ...lifecycle(quotas, quota({}), {
      name: 'a bad status',
      change: {},
      status: { hard: { pods: '-1' }, used: { pods: '1.5', foo: '1' } },
    }).slice(2, 3),
    ...tries(quotas, {
      limits: [
        { cpu: '1', foo: '1' },
        { pods: '1.5' },
        { cpu: '-1' },
        { 'count/deployments.apps': '3', 'requests.example.com/gpu': '2', 'hugepages-2Mi': '4Mi' },
        { 'example.com/x': '1' },
        { 'a b': '1' },
      ].map((hard) => quota({ hard })),
      scopes: [
        ['BestEffort', 'NotBestEffort'],
        ['Terminating', 'NotTerminating'],
        ['X'],
        ['PriorityClass', 'CrossNamespacePodAffinity'],
      ].map((scopes) => quota({ scopes })),
      'scopes and what they count': [
        quota({ scopes: ['BestEffort'], hard: { cpu: '1' } }),
        quota({ scopes: ['NotTerminating'], hard: { services: '1' } }),
        quota({ scopes: ['VolumeAttributesClass'], hard: { persistentvolumeclaims: '1' } }),
        quota({ scopes: ['VolumeAttributesClass'], hard: { pods: '1' } }),
        quota({ scopes: ['PriorityClass'], hard: { 'requests.hugepages-2Mi': '2Mi' } }),
      ],
      selectors: [
        selecting({}),
        selecting({ scopeName: 'PriorityClass', operator: 'In' }),
        selecting({ scopeName: 'PriorityClass', operator: 'NotIn', values: ['a'] }),
        selecting({ scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] }),
        selecting({ scopeName: 'PriorityClass', operator: 'X' }),
        selecting({ scopeName: 'X', operator: 'Exists' }),
        selecting({ scopeName: 'BestEffort', operator: 'In', values: ['a'] }),
        selecting(
          { scopeName: 'BestEffort', operator: 'Exists' },
          { scopeName: 'NotBestEffort', operator: 'Exists' },
        ),
        quota({ scopeSelector: {} }),
      ],
    }),
  ]),
  subject('serviceaccounts', [
    ...lifecycle(accounts, object('a'), {
      full: object('full', {
        secrets: [{ name: 's' }],
        imagePullSecrets: [{ name: 'p' }],
        automountServiceAccountToken: false,
      }),
      change: { secrets: [{ name: 'other' }], automountServiceAccountToken: true },
    }),
    ...tries(accounts, {
      names: [object('A_'), object('a.b'), object('')],
      'repeated secrets': [object('a', { secrets: [{ name: 's' }, { name: 's' }] })],
    }),
  ]),
];
