import { ask, type JsonObject, post, subject } from '../case.ts';
import { lifecycle } from './lifecycle.ts';
import { object, paths } from './objects.ts';
import { spec, storageGroup, tries, updates, without } from './storage-cases.ts';

const csidrivers = paths(`${storageGroup}/v1/csidrivers`);
const csinodes = paths(`${storageGroup}/v1/csinodes`);
const csistoragecapacities = paths(`${storageGroup}/v1/namespaces/{ns}/csistoragecapacities`);

export const csiDriverRules = subject('csidrivers', [
  ask(
    'specs',
    post(csidrivers('?dryRun=All'), object('{name}')),
    tries(
      csidrivers,
      ...[
        {},
        ...['Nope', '', 'File', 'None'].map((fsGroupPolicy) => ({ fsGroupPolicy })),
        ...[['Nope', 'Persistent'], ['Persistent', 'Persistent'], [], ['Ephemeral']].map(
          (volumeLifecycleModes) => ({ volumeLifecycleModes }),
        ),
        ...[9, 10, -1].map((nodeAllocatableUpdatePeriodSeconds) => ({
          nodeAllocatableUpdatePeriodSeconds,
        })),
        {
          fsGroupPolicy: 'x',
          volumeLifecycleModes: ['x', 'y'],
          nodeAllocatableUpdatePeriodSeconds: 1,
          tokenRequests: [
            { audience: 'a', expirationSeconds: 1 },
            { audience: 'a', expirationSeconds: 9_999_999_999 },
          ],
        },
      ].map(spec),
    ),
  ),
  ask(
    'token requests: audiences differ',
    tries(
      csidrivers,
      ...[
        [{ audience: 'a' }, { audience: 'b' }, { audience: '' }],
        [{ audience: 'a' }, { audience: 'a' }],
        [{}, {}],
        ...[599, 600, 0, -1, 4294967296, 4294967297].map((expirationSeconds) => [
          { audience: 'a', expirationSeconds },
        ]),
      ].map((tokenRequests) => spec({ tokenRequests })),
    ),
  ),
  ask(
    'names',
    ['A_', 'Abc', 'a'.repeat(64), 'a/b'].map((name) =>
      post(csidrivers('?dryRun=All'), object(name, spec({}))),
    ),
    post(csidrivers('?dryRun=All'), object('{name}', spec({}), { generation: 7 })),
  ),
  ...lifecycle(csidrivers, object('{name}', spec({})), {
    full: object(
      '{other}',
      spec({
        attachRequired: false,
        podInfoOnMount: true,
        storageCapacity: true,
        requiresRepublish: true,
        seLinuxMount: true,
        fsGroupPolicy: 'File',
        volumeLifecycleModes: ['Ephemeral', 'Persistent'],
        tokenRequests: [{ audience: 'a', expirationSeconds: 600 }, { audience: '' }],
        nodeAllocatableUpdatePeriodSeconds: 10,
      }),
    ),
    change: { spec: { podInfoOnMount: true } },
  }),
  updates(
    'what may change',
    csidrivers,
    spec({}),
    ...[
      { attachRequired: false },
      { podInfoOnMount: true },
      { fsGroupPolicy: 'None' },
      { storageCapacity: true },
      { volumeLifecycleModes: ['Ephemeral'] },
      { tokenRequests: [{ audience: 'a' }] },
      { tokenRequests: [{ audience: 'a' }, { audience: 'a' }] },
      { requiresRepublish: true },
      { seLinuxMount: true },
      { nodeAllocatableUpdatePeriodSeconds: 20 },
      { nodeAllocatableUpdatePeriodSeconds: 2 },
      { fsGroupPolicy: 'X', volumeLifecycleModes: ['X'], attachRequired: false },
    ].map(spec),
    (kept) => ({ ...kept.a, spec: {} }),
  ),
]);

const driver = (name: string, nodeID: string, fields: JsonObject = {}): JsonObject => ({
  name,
  nodeID,
  ...fields,
});
const drivers = (...list: JsonObject[]): JsonObject => spec({ drivers: list });

export const csiNodeRules = subject('csinodes', [
  ask(
    'drivers',
    post(csinodes('?dryRun=All'), object('{name}')),
    post(csinodes('?dryRun=All'), object('A_', drivers())),
    tries(
      csinodes,
      spec({}),
      drivers(),
      spec({ drivers: null }),
      drivers({}),
      drivers(driver('D', 'n', { topologyKeys: [], allocatable: {} })),
      drivers(driver('A_', 'n')),
      drivers(driver('a'.repeat(64), 'n')),
      drivers(driver('d', 'x'.repeat(256))),
      drivers(driver('d', 'x'.repeat(257), { allocatable: { count: -1 }, topologyKeys: [''] })),
      drivers(driver('d', 'n'), driver('d', 'm')),
      drivers(driver('', 'n'), driver('', '')),
      drivers(driver('d', 'n', { topologyKeys: ['a', 'a', 'b b', ''] })),
      drivers(driver('d', 'n', { allocatable: { count: 0 } })),
    ),
  ),
  ...lifecycle(csinodes, object('{name}', drivers()), {
    full: object(
      '{other}',
      drivers(
        driver('a', '1', { topologyKeys: ['k'], allocatable: { count: 5 } }),
        driver('b', '2', { allocatable: {} }),
      ),
    ),
    change: drivers(driver('a', '1')),
  }),
  updates(
    'drivers come and go and do not change',
    csinodes,
    drivers(driver('a', '1', { allocatable: { count: 2 } }), driver('b', '2', { topologyKeys: ['k'] })),
    drivers(driver('b', '2', { topologyKeys: ['k'] }), driver('c', '3')),
    drivers(driver('a', '9', { allocatable: { count: 2 } })),
    drivers(driver('a', '1', { allocatable: { count: 9 } })),
    drivers(driver('a', '1')),
    drivers(driver('a', '1', { allocatable: { count: -9 } })),
    drivers(driver('a', '1', { topologyKeys: ['y'] }), driver('b', '2', { topologyKeys: ['z'] })),
    drivers(driver('a', '1', { allocatable: { count: 2 }, topologyKeys: [] })),
    drivers(),
  ),
]);

export const csiStorageCapacityRules = subject('csistoragecapacities', [
  ask(
    'capacities',
    tries(
      csistoragecapacities,
      {},
      { storageClassName: 'S_' },
      ...[
        { capacity: '-1' },
        { capacity: '0' },
        { capacity: '1.5', maximumVolumeSize: '-1' },
        { nodeTopology: {} },
        { nodeTopology: { matchLabels: { 'a b': 'c' } } },
        { nodeTopology: { matchExpressions: [{ key: 'a', operator: 'Foo' }] } },
        { storageClassName: 'A_', capacity: '-1', nodeTopology: { matchLabels: { 'a b': 'c' } } },
      ].map((fields) => ({ storageClassName: 's', ...fields })),
    ),
    post(csistoragecapacities('?dryRun=All'), object('A_', { storageClassName: 's' })),
  ),
  ...lifecycle(csistoragecapacities, object('a', { storageClassName: 's' }), {
    full: object('b', {
      storageClassName: 's',
      capacity: '1Gi',
      maximumVolumeSize: '1Mi',
      nodeTopology: { matchLabels: { a: 'b' } },
    }),
    change: { capacity: '2Gi' },
  }),
  updates(
    'class and topology stay',
    csistoragecapacities,
    { storageClassName: 's', capacity: '1Gi', nodeTopology: { matchLabels: { a: 'b' } } },
    { storageClassName: 't' },
    { storageClassName: 'A_' },
    { nodeTopology: { matchLabels: { a: 'c' } } },
    { nodeTopology: {}, storageClassName: 't' },
    without('nodeTopology'),
    { capacity: '2Gi', maximumVolumeSize: '1Mi' },
    { capacity: '-1' },
    without('capacity'),
  ),
]);
