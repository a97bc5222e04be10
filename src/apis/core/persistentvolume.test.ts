import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { persistentvolumes } from './persistentvolume-definition.ts';

const definition = persistentvolumes({ dialect: kubernetes, features: everyFeature });
const withoutFeatures = persistentvolumes({ dialect: kubernetes, features: { enabled: () => false } });
const base = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] };
const hostPath = { hostPath: { path: '/a' } };
const volume = (spec: object) => ({ spec: { ...base, ...spec } });
const create = (spec: object) => tryCreate(definition, volume(spec));
const change = (spec: object, to: object) => tryUpdate(definition, volume(spec), volume(to));
const affinity = (key: string) => ({
  nodeAffinity: {
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: ['b'] }] }] },
  },
});

test('a new volume is pending since now, kept when released, and a file system', () => {
  const { object, problems } = create(hostPath);
  assert.deepEqual(problems, []);
  assert.equal(object.spec.persistentVolumeReclaimPolicy, 'Retain');
  assert.equal(object.spec.volumeMode, 'Filesystem');
  assert.deepEqual(object.status, { phase: 'Pending', lastPhaseTransitionTime: '2030-01-02T03:04:05Z' });
  assert.equal(object.metadata.generation, undefined);
});

test('a volume has one source, access modes, and a capacity of storage alone', () => {
  assert.deepEqual(tryCreate(definition, {}).problems, [
    'spec.accessModes: Required value',
    'spec.capacity: Required value',
    'spec.capacity: Unsupported value: core.ResourceList(nil): supported values: "storage"',
    'spec: Required value: must specify a volume type',
  ]);
  assert.deepEqual(create({ ...hostPath, nfs: {} }).problems, [
    'spec.nfs: Forbidden: may not specify more than 1 volume type',
  ]);
  assert.deepEqual(create({ ...hostPath, capacity: { storage: '-1' } }).problems, [
    'spec.capacity[storage]: Invalid value: -1: must be a valid resource quantity',
    'spec.capacity[storage]: Invalid value: "-1": must be greater than zero',
  ]);
});

test('a local volume names its node', () => {
  assert.deepEqual(create({ local: { path: '/l' } }).problems, [
    'spec.nodeAffinity: Required value: Local volume requires node affinity',
  ]);
  assert.deepEqual(create({ local: { path: '/l' }, ...affinity('a') }).problems, []);
});

test('the root of a node is not recycled', () => {
  assert.deepEqual(create({ hostPath: { path: '/' }, persistentVolumeReclaimPolicy: 'Recycle' }).problems, [
    "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
  ]);
});

test('the source cannot be changed, and the refusal shows what differs', () => {
  assert.deepEqual(change(hostPath, { hostPath: { path: '/b' } }).problems, [
    [
      'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation',
      '  core.PersistentVolumeSource{',
      '  \tGCEPersistentDisk:    nil,',
      '  \tAWSElasticBlockStore: nil,',
      '  \tHostPath: &core.HostPathVolumeSource{',
      '- \t\tPath: "/a",',
      '+ \t\tPath: "/b",',
      '  \t\tType: &"",',
      '  \t},',
      '  \tGlusterfs: nil,',
      '  \tNFS:       nil,',
      '  \t... // 17 identical fields',
      '  }',
      '',
    ].join('\n'),
  ]);
});

test('the secret for enlarging may be added to a CSI volume, and no other', () => {
  const csi = { driver: 'd', volumeHandle: 'h' };
  const secret = { name: 'a', namespace: 'b' };
  assert.deepEqual(change({ csi }, { csi: { ...csi, controllerExpandSecretRef: secret } }).problems, []);
  assert.equal(change({ csi }, { csi: { ...csi, nodeExpandSecretRef: secret } }).problems.length, 1);
});

test('volume mode and node affinity stay, but for newer names of labels', () => {
  assert.deepEqual(change(hostPath, { ...hostPath, volumeMode: 'Block' }).problems, [
    'volumeMode: Invalid value: "Block": field is immutable',
  ]);
  assert.deepEqual(change(hostPath, { ...hostPath, ...affinity('a') }).problems, []);
  const zone = { ...hostPath, ...affinity('failure-domain.beta.kubernetes.io/zone') };
  assert.deepEqual(change(zone, { ...hostPath, ...affinity('topology.kubernetes.io/zone') }).problems, []);
  assert.deepEqual(change(zone, hostPath).problems, [
    'nodeAffinity: Invalid value: "null": field is immutable, except for updating from beta label to GA',
  ]);
});

test('a change of phase gets the time of the write, unless the client says another', () => {
  const status = (fields: object) =>
    tryUpdate(definition, volume(hostPath), { ...volume(hostPath), status: fields }, 'status').object.status;
  assert.deepEqual(status({ phase: 'Bound' }), {
    phase: 'Bound',
    lastPhaseTransitionTime: '2030-01-02T03:04:05Z',
  });
  const lastPhaseTransitionTime = '2020-01-01T00:00:00Z';
  assert.deepEqual(status({ phase: 'Bound', lastPhaseTransitionTime }), {
    phase: 'Bound',
    lastPhaseTransitionTime,
  });
});

test('the spec writes no status, and the status no spec', () => {
  const written = tryUpdate(definition, volume(hostPath), {
    ...volume({ ...hostPath, storageClassName: 'x' }),
    status: { phase: 'Bound' },
  }).object;
  assert.equal(written.status.phase, 'Pending');
  assert.equal(written.spec.storageClassName, 'x');
  const status = tryUpdate(definition, volume(hostPath), { status: { phase: 'Bound' } }, 'status').object;
  assert.equal(status.spec.hostPath?.path, '/a');
});

test('the attributes class is for CSI volumes, cannot be taken away, and goes where it is not switched on', () => {
  const csi = { csi: { driver: 'd', volumeHandle: 'h' } };
  assert.deepEqual(create({ ...hostPath, volumeAttributesClassName: 'x' }).problems, [
    'spec.csi: Required value: has to be specified when using volumeAttributesClassName',
  ]);
  assert.deepEqual(change({ ...csi, volumeAttributesClassName: 'x' }, csi).problems, [
    'spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden',
  ]);
  const { object } = tryCreate(withoutFeatures, volume({ ...csi, volumeAttributesClassName: 'x' }));
  assert.equal(object.spec.volumeAttributesClassName, undefined);
});

test('outdated sources, policies, annotations and labels are warned of', () => {
  const { warnings } = tryCreate(definition, {
    metadata: { annotations: { 'volume.beta.kubernetes.io/mount-options': 'ro' } },
    ...volume({
      rbd: { monitors: ['m'], image: 'i' },
      persistentVolumeReclaimPolicy: 'Recycle',
      ...affinity('beta.kubernetes.io/os'),
    }),
  });
  assert.equal(warnings.length, 4);
});
