import { ask, type JsonObject, type Kept, post, put, type Step, subject } from '../case.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { object, paths } from './objects.ts';
import { allSources, changedFields } from './volume-sources.ts';

const persistentvolumes = paths('/api/v1/persistentvolumes');
/** What admission would add; so it has nothing to do. */
const finalizers = ['kubernetes.io/pv-protection'];
const base = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] };
const hostPath = { hostPath: { path: '/a' } };
const csi = { csi: { driver: 'd', volumeHandle: 'h' } };
const affinity = (key = 'a', value = 'b'): JsonObject => ({
  nodeAffinity: {
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: [value] }] }] },
  },
});

const volume = (spec: JsonObject, metadata: JsonObject = {}): JsonObject =>
  object('{name}', { spec: { ...base, ...spec } }, { finalizers, ...metadata });
const tried = (spec: JsonObject, metadata?: JsonObject): Step =>
  post(persistentvolumes('?dryRun=All'), volume(spec, metadata));
const each = (...specs: JsonObject[]): Step[] => specs.map((spec) => tried(spec));

const own = ['emptyDir', 'gitRepo', 'secret', 'configMap', 'downwardAPI', 'projected', 'ephemeral', 'image'];
/** Every source of a PersistentVolume, with the least it needs. */
const sources: Record<string, JsonObject> = {
  ...Object.fromEntries(
    Object.entries(allSources).filter(([name]) => ![...own, 'persistentVolumeClaim'].includes(name)),
  ),
  local: { path: '/l' },
  ...csi,
};
const secret = { name: 'a', namespace: 'b' };
/** What each source is to become, where that is not a readOnly of true. */
const changedSources: Record<string, JsonObject> = {
  ...changedFields,
  storageos: { secretRef: secret },
  local: { path: '/m', fsType: 'x' },
  csi: { readOnly: true, volumeAttributes: { a: 'b' }, nodeStageSecretRef: secret },
};

/** A volume with this spec, the changes to it asked one by one, and its end. */
function updates(name: string, spec: JsonObject, ...changes: (JsonObject | ((kept: Kept) => JsonObject))[]) {
  return ask(
    name,
    post(persistentvolumes(), volume(spec), { as: 'a' }),
    changes.map((change) =>
      put(
        persistentvolumes('{name}?dryRun=All'),
        typeof change === 'function' ? change : withChange('a', { spec: change }),
      ),
    ),
    gone,
  );
}
/** Without finalizers and then deleted. */
const gone: Step[] = [
  put(persistentvolumes('{name}'), (kept) => ({
    ...kept.a,
    metadata: { name: '{name}', finalizers: [] },
  })),
  { method: 'DELETE', path: persistentvolumes('{name}') },
];
const without = (field: string) => (kept: Kept) => {
  const { [field]: _, ...spec } = (kept.a?.spec ?? {}) as JsonObject;
  return { ...kept.a, spec };
};
const relabelled = (metadata: JsonObject) => (kept: Kept) => ({
  ...kept.a,
  metadata: { ...(kept.a?.metadata as JsonObject), ...metadata },
});
const status = (fields: JsonObject): Step =>
  put(persistentvolumes('{name}/status?dryRun=All'), withChange('a', { status: fields }));

export const persistentVolumeRules = subject('persistentvolumes', [
  ask(
    'every source, with what is filled in',
    Object.entries(sources).map(([name, fields]) =>
      tried({ [name]: fields, ...(name === 'local' && affinity()) }),
    ),
    tried({}),
  ),
  ask('every source, empty', each(...Object.keys(sources).map((name) => ({ [name]: {} })))),
  ask(
    'more than one source',
    tried(sources),
    tried(Object.fromEntries(Object.keys(sources).map((name) => [name, {}]))),
  ),
  ask(
    'sources that differ from those of pods',
    each(
      { local: { path: '/l' } },
      { local: { path: 'l/..' }, ...affinity() },
      { local: { path: 'rel', fsType: 'x' }, ...affinity() },
      { local: { path: '/l' }, nodeAffinity: {} },
      ...['', 'A_', 'ns'].map((endpointsNamespace) => ({
        glusterfs: { ...sources.glusterfs, endpointsNamespace },
      })),
      { rbd: { ...sources.rbd, secretRef: {} } },
      { cephfs: { ...sources.cephfs, secretRef: {} } },
      ...[{}, { name: 'a' }, secret].map((secretRef) => ({ cinder: { volumeID: 'v', secretRef } })),
      ...[{}, { name: 'A_', namespace: 'n' }].map((secretRef) => ({
        flexVolume: { driver: 'd', secretRef },
      })),
      { flexVolume: { driver: 'a/b/c', options: { 'k8s.io/x': 'y' } } },
      ...[
        { chapAuthSession: true },
        { chapAuthDiscovery: true, secretRef: {} },
        { secretRef: { name: 's' } },
        { initiatorName: 'x' },
        { initiatorName: 'iqn.2015-02.example.com:i', targetPortal: 'a'.repeat(80), lun: 300 },
      ].map((fields) => ({ iscsi: { ...sources.iscsi, ...fields } })),
      ...['', 'n'].map((secretNamespace) => ({ azureFile: { ...sources.azureFile, secretNamespace } })),
      { scaleIO: { gateway: 'g', system: 's', volumeName: 'v' } },
      ...[{}, { name: 'n' }, { name: 'n', namespace: 'x' }].map((secretRef) => ({
        storageos: { volumeName: 'v', secretRef },
      })),
      { csi: { driver: 'd', volumeHandle: '' } },
      {
        csi: {
          driver: 'a/b',
          volumeHandle: 'h',
          ...Object.fromEntries(
            ['controllerPublish', 'nodeStage', 'nodePublish', 'controllerExpand', 'nodeExpand'].map((of) => [
              `${of}SecretRef`,
              {},
            ]),
          ),
        },
      },
      { csi: { ...csi.csi, nodePublishSecretRef: { name: 'A_', namespace: 'B_' } } },
      { csi: { ...csi.csi, nodeStageSecretRef: secret, fsType: 'ext4', volumeAttributes: { a: 'b' } } },
    ),
  ),
  ask(
    'capacity, modes, classes and policies',
    each(
      { ...hostPath, capacity: {} },
      { ...hostPath, capacity: { cpu: '1' } },
      { ...hostPath, capacity: { storage: '1', cpu: '1' } },
      { ...hostPath, capacity: { storage: '0' } },
      { ...hostPath, capacity: { storage: '-1' } },
      { ...hostPath, capacity: { storage: '1500m' } },
      { ...hostPath, accessModes: [] },
      { ...hostPath, accessModes: ['Nope'] },
      { ...hostPath, accessModes: ['ReadWriteOncePod', 'ReadOnlyMany'] },
      { ...hostPath, storageClassName: 'A_' },
      { ...hostPath, storageClassName: 'ok', mountOptions: ['a', 'b'], claimRef: { name: 'c' } },
      { ...hostPath, volumeMode: 'Nope' },
      { ...hostPath, volumeMode: '' },
      { ...hostPath, volumeMode: 'Block' },
      { ...hostPath, persistentVolumeReclaimPolicy: 'Nope' },
      { ...hostPath, persistentVolumeReclaimPolicy: 'Recycle' },
      { hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle' },
      { hostPath: { path: '/a/../..' }, persistentVolumeReclaimPolicy: 'Recycle' },
      { ...hostPath, volumeAttributesClassName: 'x' },
      { ...hostPath, volumeAttributesClassName: '' },
      { ...csi, volumeAttributesClassName: 'X_' },
      { ...csi, volumeAttributesClassName: 'x' },
    ),
    post(persistentvolumes('?dryRun=All'), object('{name}')),
    tried(hostPath, { name: 'A_', labels: { 'a b': 'c' }, finalizers: ['foo'] }),
    post(persistentvolumes('?dryRun=All'), {
      ...volume(hostPath),
      status: { phase: 'Bound', message: 'm' },
    }),
    tried(hostPath, { generation: 5 }),
    tried({
      capacity: {},
      accessModes: [],
      volumeMode: 'X',
      hostPath: {},
      volumeAttributesClassName: '',
      storageClassName: 'A_',
      persistentVolumeReclaimPolicy: 'n',
      nodeAffinity: {},
    }),
  ),
  ask(
    'node affinity',
    each(
      { ...hostPath, nodeAffinity: {} },
      { ...hostPath, nodeAffinity: { required: {} } },
      { ...hostPath, nodeAffinity: { required: { nodeSelectorTerms: [{}] } } },
      { ...hostPath, ...affinity('b b', 'c c') },
      {
        ...hostPath,
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              {
                matchExpressions: [
                  { key: 'a', operator: 'Nope' },
                  { key: 'e', operator: 'Lt', values: ['1', '2'] },
                ],
                matchFields: [{ key: 'nope', operator: 'In', values: ['x'] }],
              },
            ],
          },
        },
      },
      { ...hostPath, ...affinity('beta.kubernetes.io/os', 'linux') },
      {
        rbd: sources.rbd!,
        persistentVolumeReclaimPolicy: 'Recycle',
        ...affinity('failure-domain.beta.kubernetes.io/zone'),
      },
    ),
  ),
  ask(
    'mount options and the class as annotations',
    Object.entries(sources).map(([name, fields]) =>
      tried(
        { [name]: fields, ...affinity() },
        { annotations: { 'volume.beta.kubernetes.io/mount-options': 'ro' } },
      ),
    ),
    tried(hostPath, { annotations: { 'volume.beta.kubernetes.io/storage-class': 'x' } }),
  ),
  ...lifecycle(persistentvolumes, volume(hostPath), {
    change: { spec: { persistentVolumeReclaimPolicy: 'Delete' } },
    status: { phase: 'Available', message: 'm', reason: 'r' },
    release: true,
  }),
  ask(
    'every source stays',
    Object.entries(sources).flatMap(([name, fields]) => [
      post(persistentvolumes(), volume({ [name]: fields, ...affinity() }), { as: 'a' }),
      put(
        persistentvolumes('{name}?dryRun=All'),
        withChange('a', {
          spec: { [name]: { ...fields, ...(changedSources[name] ?? { readOnly: true }) } },
        }),
      ),
      ...gone,
    ]),
  ),
  updates(
    'the source stays',
    hostPath,
    {},
    { hostPath: { path: '/b' } },
    { hostPath: { path: '/b/..' }, volumeMode: 'X', accessModes: [] },
    (kept) => {
      const { hostPath: _, ...spec } = (kept.a?.spec ?? {}) as JsonObject;
      return { ...kept.a, spec: { ...spec, ...csi } };
    },
  ),
  updates(
    'the source stays: NFS',
    { nfs: sources.nfs! },
    {
      nfs: { server: 't', path: '/q', readOnly: true },
    },
  ),
  updates(
    'the source stays: CSI, but a secret for enlarging may be added',
    csi,
    { csi: { driver: 'd', volumeHandle: 'i', volumeAttributes: { a: 'b' } } },
    { csi: { ...csi.csi, controllerExpandSecretRef: secret } },
    { csi: { driver: 'd', volumeHandle: 'i', controllerExpandSecretRef: secret } },
    { csi: { ...csi.csi, nodeExpandSecretRef: secret } },
    { volumeAttributesClassName: 'x' },
  ),
  updates(
    'the source stays: CSI with a secret',
    { csi: { ...csi.csi, controllerExpandSecretRef: secret } },
    { csi: { ...csi.csi, controllerExpandSecretRef: { ...secret, name: 'c' } } },
  ),
  updates(
    'what else may change',
    hostPath,
    { volumeMode: 'Block' },
    affinity(),
    { capacity: { storage: '2Gi' } },
    { capacity: { storage: '1Mi' } },
    { accessModes: ['ReadWriteMany'] },
    { persistentVolumeReclaimPolicy: 'Recycle' },
    { storageClassName: 'x', claimRef: { name: 'x', namespace: 'y' } },
    relabelled({ labels: { a: 'b' } }),
    relabelled({ labels: { 'a b': 'c' } }),
    relabelled({ finalizers: ['foo'] }),
    relabelled({ generation: 9 }),
  ),
  updates(
    'node affinity stays, but for newer names of labels',
    { ...hostPath, ...affinity() },
    affinity('a', 'c'),
    without('nodeAffinity'),
    { nodeAffinity: {} },
  ),
  updates(
    'node affinity with outdated labels',
    { ...hostPath, ...affinity('failure-domain.beta.kubernetes.io/zone') },
    affinity('topology.kubernetes.io/zone'),
    affinity('topology.kubernetes.io/region'),
  ),
  updates(
    'the attributes class cannot be taken away',
    { ...csi, volumeAttributesClassName: 'x' },
    { volumeAttributesClassName: 'y' },
    { volumeAttributesClassName: '' },
    without('volumeAttributesClassName'),
  ),
  ask(
    'status: the time of the last change of phase',
    post(persistentvolumes(), volume(hostPath), { as: 'a' }),
    status({ phase: 'Bound' }),
    status({ phase: 'Bound', lastPhaseTransitionTime: '2020-01-01T00:00:00Z' }),
    status({ phase: 'Pending', lastPhaseTransitionTime: '2020-01-01T00:00:00Z' }),
    status({ phase: 'Pending', message: 'm' }),
    status({ phase: 'Nope' }),
    status({}),
    put(persistentvolumes('{name}/status?dryRun=All'), relabelled({ finalizers: ['foo'] })),
    put(persistentvolumes('{name}/status?dryRun=All'), relabelled({ labels: { 'a b': 'c' } })),
    gone,
  ),
]);
