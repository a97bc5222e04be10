import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { persistentvolumeclaims } from './persistentvolumeclaim-definition.ts';

const definition = persistentvolumeclaims({ dialect: kubernetes, features: everyFeature });
const withoutFeatures = persistentvolumeclaims({ dialect: kubernetes, features: { enabled: () => false } });
const good = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } };
const claim = (spec: object, metadata: object = {}) => ({ metadata, spec: { ...good, ...spec } });
const create = (spec: object) => tryCreate(definition, claim(spec));
const change = (spec: object, to: object) => tryUpdate(definition, claim(spec), claim(to));
const size = (storage: string) => ({ resources: { requests: { storage } } });
const source = { kind: 'PersistentVolumeClaim', name: 'x' };

/** Errors of an update of a claim that is bound to a 1Gi volume. */
function changeBound(spec: object, to: object): string[] {
  const bound = { ...claim(spec), status: { phase: 'Bound', capacity: { storage: '1Gi' } } };
  const { object } = tryUpdate(definition, claim(spec), bound, 'status');
  const { object: next } = tryCreate(definition, claim(to));
  definition.strategy.prepareForUpdate?.(next, object, '');
  return definition.strategy.validateUpdate!(next, object).map(({ field, detail }) => `${field}: ${detail}`);
}

test('a new claim is pending and wants a file system', () => {
  const { object, problems } = create({});
  assert.deepEqual(problems, []);
  assert.equal(object.spec.volumeMode, 'Filesystem');
  assert.deepEqual(object.status, { phase: 'Pending' });
});

test('a claim asks for access modes and a size', () => {
  assert.deepEqual(tryCreate(definition, {}).problems, [
    'spec.accessModes: Required value: at least 1 access mode is required',
    'spec.resources[storage]: Required value',
  ]);
  assert.deepEqual(create(size('0')).problems, [
    'spec.resources[storage]: Invalid value: "0": must be greater than zero',
  ]);
  assert.deepEqual(create({ accessModes: ['ReadWriteOnce', 'ReadWriteOncePod'] }).problems, [
    'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
  ]);
});

test('dataSource and dataSourceRef say the same', () => {
  const filled = { ...source };
  assert.deepEqual(create({ dataSource: source }).object.spec.dataSourceRef, filled);
  assert.deepEqual(create({ dataSourceRef: source }).object.spec.dataSource, filled);
  assert.equal(create({ dataSourceRef: { ...source, namespace: 'n' } }).object.spec.dataSource, undefined);
  assert.match(
    create({ dataSource: source, dataSourceRef: { ...source, name: 'y' } }).problems[0]!,
    /^spec: .* must match dataSourceRef$/,
  );
});

test('a dataSource that is neither a claim nor a snapshot is dropped', () => {
  const other = { kind: 'Foo', name: 'x', apiGroup: 'example.com' };
  assert.equal(create({ dataSource: other }).object.spec.dataSource, undefined);
  const snapshot = { kind: 'VolumeSnapshot', name: 'x', apiGroup: 'snapshot.storage.k8s.io' };
  assert.deepEqual(create({ dataSource: snapshot }).object.spec.dataSource, snapshot);
});

test('what is not switched on is dropped', () => {
  const { spec } = tryCreate(
    withoutFeatures,
    claim({ volumeAttributesClassName: 'x', dataSourceRef: { ...source, namespace: 'n' } }),
  ).object;
  assert.equal(spec.volumeAttributesClassName, undefined);
  assert.equal(spec.dataSourceRef, undefined);
});

test('the spec stays, and the refusal shows what differs', () => {
  assert.deepEqual(change({}, { accessModes: ['ReadWriteMany'] }).problems, [
    [
      'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
      '  core.PersistentVolumeClaimSpec{',
      '- \tAccessModes: []core.PersistentVolumeAccessMode{"ReadWriteOnce"},',
      '+ \tAccessModes: []core.PersistentVolumeAccessMode{"ReadWriteMany"},',
      '  \tSelector:    nil,',
      '  \tResources:   {Requests: {s"storage": {i: {...}, s: "2Gi", Format: "BinarySI"}}},',
      '  \t... // 6 identical fields',
      '  }',
      '',
    ].join('\n'),
  ]);
  assert.equal(change({}, size('3Gi')).problems.length, 1);
});

test('the volume and the class can be set once', () => {
  assert.deepEqual(change({}, { volumeName: 'v', storageClassName: 'x' }).problems, []);
  assert.equal(change({ volumeName: 'v' }, { volumeName: 'w' }).problems.length, 1);
  assert.equal(change({ storageClassName: 'x' }, { storageClassName: 'y' }).problems.length, 1);
});

test('the size of a bound claim may grow, and shrink to no less than there is', () => {
  assert.deepEqual(changeBound({}, size('3Gi')), []);
  assert.deepEqual(changeBound({}, size('1536Mi')), []);
  assert.deepEqual(changeBound({}, size('1Gi')), [
    'spec.resources.requests.storage: field can not be less than status.capacity',
  ]);
});

test('the attributes class of a bound claim may change, and not go', () => {
  const x = { volumeAttributesClassName: 'x' };
  assert.deepEqual(changeBound(x, { volumeAttributesClassName: 'y' }), []);
  assert.deepEqual(changeBound(x, { volumeAttributesClassName: '' }), [
    'spec.volumeAttributesClassName: update from non-nil value to an empty string is forbidden',
  ]);
});

test('the class may move from the annotation to the field, and no further', () => {
  const annotation = 'volume.beta.kubernetes.io/storage-class';
  const old = claim({}, { annotations: { [annotation]: 'x' } });
  assert.deepEqual(tryUpdate(definition, old, claim({ storageClassName: 'x' })).problems, []);
  assert.match(
    tryUpdate(definition, old, claim({}, { annotations: { [annotation]: 'y' } })).problems[0]!,
    /storage-class: Invalid value: "y": field is immutable$/,
  );
});

test('amounts of the status are not negative, and of resources of volumes', () => {
  const status = (fields: object) =>
    tryUpdate(definition, claim({}), { ...claim({}), status: fields }, 'status').problems;
  assert.deepEqual(status({ phase: 'Bound', capacity: { storage: '1Gi' } }), []);
  assert.deepEqual(status({ capacity: { storage: '-1' } }), [
    'status.capacity[storage]: Invalid value: -1: must be a valid resource quantity',
  ]);
  assert.deepEqual(status({ allocatedResources: { cpu: '1' } }), [
    'status.allocatedResources: Unsupported value: "cpu": supported values: "storage"',
  ]);
});

test('a size that is no whole number of bytes is warned of', () => {
  assert.deepEqual(create(size('1.5')).warnings, [
    'spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
  ]);
});
