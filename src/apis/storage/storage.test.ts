import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes } from '../../dialect/index.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { csidrivers } from './csidriver-definition.ts';
import { csinodes } from './csinode-definition.ts';
import { csistoragecapacities } from './csistoragecapacity.ts';
import { storageclasses } from './storageclass-definition.ts';
import { volumeattachments } from './volumeattachment-definition.ts';
import { volumeattributesclasses } from './volumeattributesclass.ts';

const context = { dialect: kubernetes, features: everyFeature };
const bare = { dialect: kubernetes, features: { enabled: () => false } };
const drivers = csidrivers(context);
const nodes = csinodes(context);
const capacities = csistoragecapacities(context);

const driver = (spec: object) => tryCreate(drivers, { spec });
const changeDriver = (from: object, to: object) => tryUpdate(drivers, { spec: from }, { spec: to });
/** What is wrong with every change, one by one. */
function changes<T extends ApiObject>(definition: ResourceDefinition<T>, old: object, ...list: object[]) {
  return list.flatMap((change) => tryUpdate(definition, old, { ...old, ...change }).problems);
}

test('CSIDriver: defaults', () => {
  assert.deepEqual(driver({}).object.spec, {
    attachRequired: true,
    podInfoOnMount: false,
    volumeLifecycleModes: ['Persistent'],
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    requiresRepublish: false,
    seLinuxMount: false,
  });
});

test('CSIDriver: attachRequired and volumeLifecycleModes are immutable', () => {
  assert.deepEqual(changeDriver({}, { attachRequired: false }).problems, [
    'spec.attachedRequired: Invalid value: false: field is immutable',
  ]);
  assert.deepEqual(changeDriver({}, { volumeLifecycleModes: ['Ephemeral'] }).problems, [
    'spec.volumeLifecycleModes: Invalid value: []storage.VolumeLifecycleMode{"Ephemeral"}: field is immutable',
  ]);
});

test('CSIDriver: all other fields are mutable, and change the generation', () => {
  for (const fields of [
    { fsGroupPolicy: 'File' },
    { podInfoOnMount: true },
    { requiresRepublish: true },
    { seLinuxMount: true },
    { storageCapacity: true },
    { tokenRequests: [{ audience: 'a' }] },
  ]) {
    const { object, problems } = changeDriver({}, fields);
    assert.deepEqual(problems, []);
    assert.equal(object.metadata.generation, 1);
  }
  assert.equal(changeDriver({}, {}).object.metadata.generation, undefined);
});

test('CSIDriver: fsGroupPolicy and volumeLifecycleModes are among the known ones', () => {
  assert.deepEqual(driver({ fsGroupPolicy: 'x', volumeLifecycleModes: ['y'] }).problems, [
    'spec.fsGroupPolicy: Unsupported value: "x": supported values: "File", "None", "ReadWriteOnceWithFSType"',
    'spec.volumeLifecycleModes: Unsupported value: "y": supported values: "Persistent", "Ephemeral"',
  ]);
  assert.deepEqual(driver({ volumeLifecycleModes: ['Ephemeral', 'Persistent'] }).problems, []);
});

test('CSIDriver: audiences of tokenRequests must differ; at most one empty-string audience', () => {
  assert.deepEqual(
    driver({ tokenRequests: [{ audience: 'a' }, { audience: 'b' }, { audience: '' }] }).problems,
    [],
  );
  assert.deepEqual(driver({ tokenRequests: [{ audience: 'a' }, { audience: 'a' }] }).problems, [
    'spec.tokenRequests[1].audience: Duplicate value: "a"',
  ]);
  assert.deepEqual(driver({ tokenRequests: [{}, {}] }).problems, [
    'spec.tokenRequests[1].audience: Duplicate value: ""',
  ]);
  assert.deepEqual(driver({ tokenRequests: [{ audience: 'a', expirationSeconds: 599 }] }).problems, [
    'spec.tokenRequests[0].expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
  ]);
});

test('CSINode: drivers by name, with nodeID, allocatable count and topologyKeys', () => {
  const node = (...list: object[]) => tryCreate(nodes, { spec: { drivers: list } }).problems;
  assert.deepEqual(
    node(
      { name: 'a', nodeID: 'n', allocatable: { count: 0 }, topologyKeys: ['k'] },
      { name: 'b', nodeID: 'n' },
    ),
    [],
  );
  assert.deepEqual(node({ name: 'a', nodeID: '' }, { name: 'a', nodeID: 'n', allocatable: { count: -1 } }), [
    'spec.drivers[0].nodeID: Required value',
    'spec.drivers[1].allocatable.count: Invalid value: -1: must be greater than or equal to 0',
    'spec.drivers[1].name: Duplicate value: "a"',
  ]);
  assert.equal(node({ name: '', nodeID: 'n' })[0], 'spec.drivers[0].name: Required value');
  assert.match(node({ name: 'a', nodeID: 'n'.repeat(257) })[0]!, /must be 256 characters or less$/);
});

test('CSINode: drivers come and go and do not change, but for the count where that is switched on', () => {
  const of = (...list: object[]) => ({ spec: { drivers: list } });
  const a = { name: 'a', nodeID: '1', allocatable: { count: 1 } };
  const more = of({ ...a, allocatable: { count: 2 } });
  assert.deepEqual(changes(nodes, of(a), of(), of(a, { name: 'b', nodeID: '2' }), more), []);
  const refused = [
    'spec.drivers: Invalid value: storage.CSINodeDriver{Name:"a", NodeID:"1", TopologyKeys:[]string(nil), Allocatable:(*storage.VolumeNodeResources)(0xc000000000)}: field is immutable',
  ];
  assert.deepEqual(changes(csinodes(bare), of(a), more), refused);
  assert.equal(changes(nodes, of(a), of({ ...a, nodeID: '2' })).length, 1);
});

test('CSIStorageCapacity: storageClassName is required, a DNS subdomain, and immutable', () => {
  assert.match(
    tryCreate(capacities, {}).problems[0]!,
    /^storageClassName: Invalid value: "": a lowercase RFC 1123/,
  );
  assert.match(tryCreate(capacities, { storageClassName: 'A_' }).problems[0]!, /subdomain/);
  assert.deepEqual(changes(capacities, { storageClassName: 's' }, { storageClassName: 't' }), [
    'storageClassName: Invalid value: "t": field is immutable',
  ]);
});

test('CSIStorageCapacity: capacity may be unset and change; nodeTopology stays', () => {
  const object = { storageClassName: 's', capacity: '1Gi', maximumVolumeSize: '1Mi', nodeTopology: {} };
  assert.deepEqual(tryCreate(capacities, object).problems, []);
  assert.deepEqual(changes(capacities, object, { capacity: '2Gi' }, { capacity: null }), []);
  assert.deepEqual(changes(capacities, object, { nodeTopology: null }), [
    'nodeTopology: Invalid value: "null": field is immutable',
  ]);
  assert.deepEqual(tryCreate(capacities, { ...object, capacity: '-1' }).problems, [
    'capacity: Invalid value: "-1": must be greater than or equal to 0',
  ]);
});

test('StorageClass: volumes are deleted and bound at once by default, and what makes them stays', () => {
  const classes = storageclasses(context);
  const object = { provisioner: 'p', parameters: { a: 'b' } };
  const { reclaimPolicy, volumeBindingMode } = tryCreate(classes, object).object;
  assert.deepEqual([reclaimPolicy, volumeBindingMode], ['Delete', 'Immediate']);
  assert.deepEqual(
    changes(
      classes,
      object,
      { provisioner: 'q' },
      { parameters: {} },
      { reclaimPolicy: 'Retain' },
      { volumeBindingMode: 'WaitForFirstConsumer' },
      { allowVolumeExpansion: true, mountOptions: ['ro'] },
    ),
    [
      'provisioner: Forbidden: updates to provisioner are forbidden.',
      'parameters: Forbidden: updates to parameters are forbidden.',
      'reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden.',
      'volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable',
    ],
  );
});

test('StorageClass: thousands of empty topologies are refused in little time', () => {
  const allowedTopologies = Array.from({ length: 20_000 }, () => ({}));
  const { problems } = tryCreate(storageclasses(context), { provisioner: 'p', allowedTopologies });
  assert.ok(problems.length > 0 && problems.length < 20_000);
});

test('VolumeAttachment: one volume, described by name or inline, and a spec that stays', () => {
  const attachments = volumeattachments(context);
  const spec = { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'p' } };
  assert.deepEqual(tryCreate(attachments, { spec, status: { attached: true } }).object.status, {
    attached: false,
  });
  assert.deepEqual(tryCreate(attachments, { spec: { ...spec, source: {} } }).problems, [
    'spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
  ]);
  assert.match(
    changes(attachments, { spec }, { spec: { ...spec, nodeName: 'm' } })[0]!,
    /field is immutable$/,
  );
  const { object } = tryUpdate(
    attachments,
    { spec },
    { metadata: { labels: { a: 'b' } }, status: { attached: true } },
    'status',
  );
  assert.deepEqual([object.status.attached, object.metadata.labels], [true, undefined]);
});

test('VolumeAttributesClass: a driver and parameters, which stay', () => {
  const classes = volumeattributesclasses(context);
  assert.deepEqual(tryCreate(classes, {}).problems, [
    'driverName: Required value',
    'parameters: Required value: must contain at least one key/value pair',
  ]);
  const object = { driverName: 'd', parameters: { a: 'b' } };
  assert.deepEqual(changes(classes, object, { driverName: 'e' }, { parameters: { a: 'c' } }), [
    'driverName: Forbidden: updates to driverName are forbidden.',
    'parameters: Forbidden: updates to parameters are forbidden.',
  ]);
});
