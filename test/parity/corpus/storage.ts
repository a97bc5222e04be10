import { ask, type Case, type JsonObject, type Kept, post, put, type Step, subject } from '../case.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { object, paths } from './objects.ts';
import { allSources } from './volume-sources.ts';

const group = '/apis/storage.k8s.io';
const storageclasses = paths(`${group}/v1/storageclasses`);
const csidrivers = paths(`${group}/v1/csidrivers`);
const csinodes = paths(`${group}/v1/csinodes`);
const csistoragecapacities = paths(`${group}/v1/namespaces/{ns}/csistoragecapacities`);
const volumeattachments = paths(`${group}/v1/volumeattachments`);
const attributesclasses = paths(`${group}/v1beta1/volumeattributesclasses`);
const attributesclassesAlpha = paths(`${group}/v1alpha1/volumeattributesclasses`);

type Path = typeof storageclasses;
type Change = JsonObject | ((kept: Kept) => JsonObject);

/** Objects to be created one by one, without their staying. */
const tries = (path: Path, ...objects: JsonObject[]): Step[] =>
  objects.map((fields) => post(path('?dryRun=All'), object('{name}', fields)));
const relabelled = (metadata: JsonObject) => (kept: Kept) => ({
  ...kept.a,
  metadata: { ...(kept.a?.metadata as JsonObject), ...metadata },
});
const without = (field: string) => (kept: Kept) => {
  const { [field]: _, ...rest } = kept.a ?? {};
  return rest;
};
const spec = (fields: JsonObject): JsonObject => ({ spec: fields });

/** An object, changes to it asked one by one, and its end. */
function updates(name: string, path: Path, fields: JsonObject, ...changes: Change[]): Case {
  const metadata = [
    { labels: { a: 'b' } },
    { labels: { 'a b': 'c' } },
    { finalizers: ['foo'] },
    { generation: 9 },
    { resourceVersion: '' },
  ];
  return ask(
    name,
    post(path(), object('{name}', fields), { as: 'a' }),
    [...metadata.map(relabelled), ...changes].map((change) =>
      put(path('{name}?dryRun=All'), typeof change === 'function' ? change : withChange('a', change)),
    ),
    { method: 'DELETE', path: path('{name}') },
  );
}

const many = Object.fromEntries(Array.from({ length: 513 }, (_, i) => [`k${i}`, 'v']));
const large = { a: 'x'.repeat(300_000) };
const topology = (...expressions: JsonObject[]): JsonObject => ({ matchLabelExpressions: expressions });
const zone = (...values: string[]): JsonObject => topology({ key: 'a', values });

export const storageClassRules = subject(
  'storageclasses',
  [
    ask(
      'provisioners',
      tries(
        storageclasses,
        {},
        ...['', 'A_', 'kubernetes.io/x', 'Kubernetes.io/X', 'a/b/c', 'a'.repeat(300)].map((provisioner) => ({
          provisioner,
        })),
      ),
      post(storageclasses('?dryRun=All'), object('A_', { provisioner: 'p' })),
      post(storageclasses('?dryRun=All'), object('{name}', { provisioner: 'p' }, { generation: 5 })),
    ),
    ask(
      'policies, modes and parameters',
      tries(
        storageclasses,
        ...[
          ...['Nope', 'Recycle', '', 'Retain'].map((reclaimPolicy) => ({ reclaimPolicy })),
          ...['Nope', '', 'WaitForFirstConsumer'].map((volumeBindingMode) => ({ volumeBindingMode })),
          { parameters: { '': 'x' } },
          { parameters: large },
          { parameters: many },
          { mountOptions: ['a', ''], allowVolumeExpansion: true },
        ].map((fields) => ({ provisioner: 'p', ...fields })),
      ),
    ),
    ask(
      'topologies',
      tries(
        storageclasses,
        ...[
          [],
          [{}],
          [{}, {}],
          [topology({})],
          [
            topology(
              { key: 'a b', values: [] },
              { key: 'a', values: ['x', 'x'] },
              { key: 'a', values: ['y y'] },
              { key: 'a', values: ['z'] },
            ),
          ],
          [zone('x', 'y'), zone('x', 'y')],
          [zone('x', 'y'), zone('y', 'x'), zone('x')],
          [topology({ key: 'failure-domain.beta.kubernetes.io/zone', values: ['x'] })],
        ].map((allowedTopologies) => ({ provisioner: 'p', allowedTopologies })),
      ),
    ),
    ...lifecycle(storageclasses, object('{name}', { provisioner: 'example.com/p' }), {
      full: object('{other}', {
        provisioner: 'example.com/p',
        parameters: { type: 'fast' },
        reclaimPolicy: 'Retain',
        mountOptions: ['ro'],
        allowVolumeExpansion: true,
        volumeBindingMode: 'WaitForFirstConsumer',
        allowedTopologies: [zone('x')],
      }),
      change: { allowVolumeExpansion: true },
    }),
    updates(
      'what may change',
      storageclasses,
      { provisioner: 'p', parameters: { a: 'b' } },
      { provisioner: 'q' },
      { parameters: { a: 'c' } },
      without('parameters'),
      { reclaimPolicy: 'Retain' },
      { volumeBindingMode: 'WaitForFirstConsumer' },
      { allowVolumeExpansion: true, mountOptions: ['x'], allowedTopologies: [zone('x')] },
      { provisioner: 'A_', reclaimPolicy: 'X', volumeBindingMode: 'Y', parameters: { '': 'b' } },
    ),
  ],
  { issue: 4 },
);

export const csiDriverRules = subject(
  'csidrivers',
  [
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
  ],
  { issue: 4 },
);

const driver = (name: string, nodeID: string, fields: JsonObject = {}): JsonObject => ({
  name,
  nodeID,
  ...fields,
});
const drivers = (...list: JsonObject[]): JsonObject => spec({ drivers: list });

export const csiNodeRules = subject(
  'csinodes',
  [
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
  ],
  { issue: 4 },
);

export const csiStorageCapacityRules = subject(
  'csistoragecapacities',
  [
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
  ],
  { issue: 4 },
);

const attachment = (fields: JsonObject = {}): JsonObject =>
  spec({ attacher: 'a.b', nodeName: 'n', source: { persistentVolumeName: 'p' }, ...fields });
const inline = (fields: JsonObject): JsonObject =>
  attachment({ source: { inlineVolumeSpec: { accessModes: ['ReadWriteOnce'], ...fields } } });
const csi = { csi: { driver: 'd', volumeHandle: 'h' } };

export const volumeAttachmentRules = subject(
  'volumeattachments',
  [
    ask(
      'specs',
      post(volumeattachments('?dryRun=All'), object('{name}')),
      post(volumeattachments('?dryRun=All'), object('A_', attachment(), { finalizers: ['x'] })),
      tries(
        volumeattachments,
        spec({}),
        ...['', 'A_', 'ABC', 'a'.repeat(64)].map((attacher) => attachment({ attacher })),
        ...['', 'A_'].map((nodeName) => attachment({ nodeName })),
        attachment({ source: {} }),
        ...['', 'P_'].map((persistentVolumeName) => attachment({ source: { persistentVolumeName } })),
        attachment({ source: { persistentVolumeName: 'p', inlineVolumeSpec: csi } }),
        { ...attachment(), status: { attached: true, attachmentMetadata: { a: 'b' } } },
      ),
    ),
    ask(
      'volumes described inline',
      tries(
        volumeattachments,
        attachment({ source: { inlineVolumeSpec: {} } }),
        inline(csi),
        inline({
          ...csi,
          claimRef: {},
          capacity: { storage: '1' },
          persistentVolumeReclaimPolicy: 'Delete',
          storageClassName: 'x',
          volumeMode: 'Block',
          nodeAffinity: {},
          volumeAttributesClassName: 'x',
          mountOptions: ['a'],
        }),
        inline({ hostPath: { path: '/a' } }),
        inline({ accessModes: ['X', 'ReadWriteOncePod'], iscsi: {} }),
        inline({ ...csi, volumeMode: 'Filesystem', persistentVolumeReclaimPolicy: 'Retain' }),
        inline({ ...csi, volumeMode: 'X' }),
        inline({ azureDisk: allSources.azureDisk! }),
      ),
    ),
    ...lifecycle(volumeattachments, object('{name}', attachment()), {
      full: object('{other}', inline(csi)),
      change: { spec: { nodeName: 'm' } },
      status: { attached: true, attachmentMetadata: { a: 'b' } },
    }),
    updates(
      'the spec stays',
      volumeattachments,
      attachment(),
      spec({ attacher: 'c' }),
      spec({ attacher: '' }),
      spec({ nodeName: 'm' }),
      spec({ source: { persistentVolumeName: 'q' } }),
      { status: { attached: true } },
    ),
    ask(
      'status',
      post(volumeattachments(), object('{name}', attachment()), { as: 'a' }),
      [
        {
          attached: true,
          attachmentMetadata: { a: 'b' },
          attachError: { message: 'm', time: '2020-01-01T00:00:00Z', errorCode: 3 },
        },
        { attached: true, attachmentMetadata: large },
        { attached: true, attachmentMetadata: { '': 'x', 'b b': 'c' } },
        {
          attached: false,
          attachError: { message: 'x'.repeat(1100) },
          detachError: { message: 'y'.repeat(1025), errorCode: -1 },
        },
        {},
      ].map((status) => put(volumeattachments('{name}/status?dryRun=All'), withChange('a', { status }))),
      put(
        volumeattachments('{name}/status?dryRun=All'),
        relabelled({ labels: { a: 'b' }, finalizers: ['foo'] }),
      ),
      { method: 'DELETE', path: volumeattachments('{name}') },
    ),
  ],
  { issue: 4 },
);

const attributes = { driverName: 'd', parameters: { a: 'b' } };
/** What admission would add; so it has nothing to do. */
const protectedBy = { finalizers: ['kubernetes.io/vac-protection'] };

export const volumeAttributesClassRules = subject(
  'volumeattributesclasses',
  [
    ask(
      'drivers and parameters',
      [
        {},
        { driverName: 'd' },
        attributes,
        ...['A_', 'D', 'a/b/c'].map((driverName) => ({ ...attributes, driverName })),
        ...[{ '': 'b' }, {}, large, many].map((parameters) => ({ ...attributes, parameters })),
      ].map((fields) => post(attributesclasses('?dryRun=All'), object('{name}', fields, protectedBy))),
      post(attributesclasses('?dryRun=All'), object('A_', attributes)),
    ),
    ...[attributesclasses, attributesclassesAlpha].flatMap((path, i) =>
      lifecycle(path, object('{name}', attributes, protectedBy), {
        name: i === 0 ? 'v1beta1' : 'v1alpha1',
        change: { parameters: { a: 'c' } },
        release: true,
      }),
    ),
    ask(
      'it stays as it is, in every version',
      post(attributesclasses(), object('{name}', attributes, protectedBy), { as: 'a' }),
      [
        { labels: { a: 'b' } },
        { labels: { 'a b': 'c' } },
        { finalizers: ['foo'] },
        { generation: 9 },
        { resourceVersion: '' },
      ].map((metadata) => put(attributesclasses('{name}?dryRun=All'), relabelled(metadata))),
      [{ driverName: 'e' }, { parameters: { a: 'c' } }].map((change) =>
        put(attributesclasses('{name}?dryRun=All'), withChange('a', change)),
      ),
      put(attributesclasses('{name}?dryRun=All'), without('parameters')),
      { method: 'GET', path: attributesclassesAlpha('{name}') },
      { method: 'DELETE', path: attributesclassesAlpha('{name}') },
      put(attributesclasses('{name}'), object('{name}', attributes, { finalizers: [] })),
    ),
  ],
  { issue: 4 },
);
