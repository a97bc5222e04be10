import { ask, type JsonObject, type Kept, post, put, type Step, subject } from '../case.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { object, paths } from './objects.ts';
import { claimSpecs, goodClaim } from './volume-sources.ts';

const claims = paths('/api/v1/namespaces/{ns}/persistentvolumeclaims');
/** What admission would add; so it has nothing to do. */
const finalizers = ['kubernetes.io/pvc-protection'];
const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

const claim = (name: string, fields: JsonObject = {}, metadata: JsonObject = {}): JsonObject =>
  object(name, { spec: { ...goodClaim, ...fields } }, { finalizers, ...metadata });
const size = (storage: string): JsonObject => ({ resources: { requests: { storage } } });
const bound = { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] };

type Change = JsonObject | ((kept: Kept) => JsonObject);
const changes = (list: Change[]): Step[] =>
  list.map((change) =>
    put(claims('a?dryRun=All'), typeof change === 'function' ? change : withChange('a', { spec: change })),
  );
/** A claim with this spec, and the changes to it asked one by one. */
const updates = (name: string, spec: JsonObject, ...list: Change[]) =>
  ask(name, post(claims(), claim('a', spec), { as: 'a' }), changes(list));
/** The same once the claim is bound to a volume. */
const boundUpdates = (name: string, spec: JsonObject, status: JsonObject, ...list: Change[]) =>
  ask(
    name,
    post(claims(), claim('a', spec), { as: 'new' }),
    put(claims('a/status'), withChange('new', { status }), { as: 'a' }),
    changes(list),
  );
const without = (field: string) => (kept: Kept) => {
  const { [field]: _, ...spec } = (kept.a?.spec ?? {}) as JsonObject;
  return { ...kept.a, spec };
};
const annotated =
  (annotations: JsonObject, spec: JsonObject = {}) =>
  (kept: Kept) => ({
    ...kept.a,
    metadata: { ...(kept.a?.metadata as JsonObject), annotations },
    spec: { ...(kept.a?.spec as JsonObject), ...spec },
  });
const relabelled = (metadata: JsonObject) => (kept: Kept) => ({
  ...kept.a,
  metadata: { ...(kept.a?.metadata as JsonObject), ...metadata },
});
const status = (fields: JsonObject): Step =>
  put(claims('a/status?dryRun=All'), withChange('a', { status: fields }));

export const persistentVolumeClaimRules = subject('persistentvolumeclaims', [
  ask(
    'what can be asked for',
    claimSpecs.map((spec) => post(claims('?dryRun=All'), object('a', { spec }, { finalizers }))),
    post(claims('?dryRun=All'), object('a')),
    post(claims('?dryRun=All'), claim('A_', {}, { labels: { 'a b': 'c' } })),
    post(claims('?dryRun=All'), claim('a', {}, { generation: 4 })),
    post(claims('?dryRun=All'), { ...claim('a'), status: bound }),
    post(claims('?dryRun=All'), claim('a', {}, { annotations: { [classAnnotation]: 'x' } })),
  ),
  ...lifecycle(claims, claim('a'), {
    full: claim('b', {
      selector: { matchLabels: { a: 'b' } },
      storageClassName: 'x',
      volumeMode: 'Block',
      volumeName: 'v',
      dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'x' },
      volumeAttributesClassName: 'y',
    }),
    change: { spec: { storageClassName: 'x' } },
    status: bound,
    release: true,
  }),
  updates(
    'the spec stays',
    {},
    {},
    { accessModes: ['ReadWriteMany'] },
    { accessModes: [], storageClassName: 'A_' },
    { volumeName: 'v' },
    { volumeMode: 'Block' },
    { selector: { matchLabels: { a: 'b' } } },
    size('2Gi'),
    size('1Mi'),
    size('1024Mi'),
    { resources: { requests: { storage: '1Gi' }, limits: { storage: '5Gi' } } },
    { dataSource: { kind: 'PersistentVolumeClaim', name: 'x' } },
    { dataSource: { kind: 'Foo', name: 'x', apiGroup: 'e.com' } },
    {
      accessModes: ['ReadWriteMany', 'ReadOnlyMany'],
      selector: { matchLabels: { a: 'b', c: 'd' } },
      storageClassName: 'x',
      volumeMode: 'Block',
      volumeName: 'v',
      volumeAttributesClassName: 'y',
      ...size('3Gi'),
    },
  ),
  updates('the volume is set once', { volumeName: 'v' }, { volumeName: 'w' }, { volumeName: '' }),
  updates(
    'the selector stays',
    { selector: { matchLabels: { a: 'b' } } },
    without('selector'),
    { selector: {} },
    { selector: { matchLabels: { a: 'c' } } },
  ),
  updates(
    'the source of the data stays',
    { dataSource: { kind: 'PersistentVolumeClaim', name: 'x' } },
    { dataSource: { kind: 'PersistentVolumeClaim', name: 'y' } },
    {
      dataSource: { kind: 'PersistentVolumeClaim', name: 'y' },
      dataSourceRef: { kind: 'PersistentVolumeClaim', name: 'y' },
    },
    without('dataSourceRef'),
    without('dataSource'),
  ),
  updates('a class can be given, once', {}, { storageClassName: 'x' }, { storageClassName: '' }),
  updates(
    'the class stays',
    { storageClassName: 'x' },
    { storageClassName: 'y' },
    without('storageClassName'),
  ),
  updates('the empty class stays', { storageClassName: '' }, { storageClassName: 'y' }),
  ask(
    'the class as an annotation',
    post(claims(), claim('a', {}, { annotations: { [classAnnotation]: 'x' } }), { as: 'a' }),
    changes([
      annotated({}),
      annotated({ [classAnnotation]: 'y' }),
      annotated({}, { storageClassName: 'x' }),
      annotated({ [classAnnotation]: 'x' }, { storageClassName: 'x' }),
      annotated({ [classAnnotation]: 'x' }, { storageClassName: 'y' }),
    ]),
  ),
  updates('an annotation cannot be added', {}, annotated({ [classAnnotation]: 'x' })),
  updates(
    'metadata is checked',
    {},
    relabelled({ labels: { a: 'b' } }),
    relabelled({ labels: { 'a b': 'c' } }),
    relabelled({ finalizers: ['foo'] }),
    relabelled({ generation: 9 }),
  ),
  updates(
    'the attributes class of a claim that waits',
    { volumeAttributesClassName: 'x' },
    { volumeAttributesClassName: 'y' },
    { volumeAttributesClassName: '' },
    without('volumeAttributesClassName'),
  ),
  updates('the attributes class can be given', {}, { volumeAttributesClassName: 'x' }),
  boundUpdates(
    'the attributes class of a bound claim',
    { volumeAttributesClassName: 'x' },
    bound,
    { volumeAttributesClassName: 'y' },
    { volumeAttributesClassName: '' },
    without('volumeAttributesClassName'),
  ),
  boundUpdates(
    'the size of a bound claim',
    size('2Gi'),
    bound,
    size('1536Mi'),
    size('1Gi'),
    size('1Mi'),
    { resources: {} },
    { resources: { requests: { storage: '2Gi' }, limits: { storage: '5Gi' } } },
  ),
  boundUpdates('a bound claim grows', {}, bound, size('3Gi')),
  ask(
    'status',
    post(claims(), claim('a'), { as: 'a' }),
    status({
      ...bound,
      accessModes: ['X'],
      conditions: [
        { type: 'Resizing', status: 'True' },
        { type: 'Resizing', status: 'X' },
      ],
    }),
    status({ phase: 'X', capacity: { storage: '-1' } }),
    status({
      allocatedResources: { storage: '2Gi' },
      allocatedResourceStatuses: { storage: 'NodeResizePending' },
      currentVolumeAttributesClassName: 'x',
      modifyVolumeStatus: { status: 'Pending', targetVolumeAttributesClassName: 'y' },
    }),
    status({ allocatedResources: { storage: '-2Gi' } }),
    status({ allocatedResources: { cpu: '1' } }),
    status({ allocatedResources: { 'x.y/z': '1' } }),
    status({ allocatedResources: { 'kubernetes.io/q': '1' } }),
    status({ allocatedResourceStatuses: { storage: 'Foo' }, modifyVolumeStatus: {} }),
    status({ allocatedResourceStatuses: { 'b b': 'NodeResizePending' } }),
    status({ allocatedResourceStatuses: { 'kubernetes.io/q': 'NodeResizePending' } }),
    status({}),
    put(claims('a/status?dryRun=All'), relabelled({ finalizers: ['foo'] })),
    put(claims('a/status?dryRun=All'), relabelled({ labels: { 'a b': 'c' } })),
  ),
]);
