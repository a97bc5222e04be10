import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const group = '/apis/storage.orch.io/v1';
const drivers = kind(http, `${group}/csidrivers`);
const nodes = kind(http, `${group}/csinodes`);
const capacities = kind(http, `${group}/namespaces/default/csistoragecapacities`);
const spec = (change: object) => ({ spec: change });

test('CSIDriver: absent fields have defaults', async () => {
  assert.deepEqual((await drivers.valid()).spec, {
    attachRequired: true,
    podInfoOnMount: false,
    volumeLifecycleModes: ['Persistent'],
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    requiresRepublish: false,
    seLinuxMount: false,
  });
});

test('CSIDriver: attachRequired and volumeLifecycleModes cannot change', async () => {
  const driver = await drivers.create({ metadata: { name: 'fixed' } });
  await drivers.invalidUpdate(driver, spec({ attachRequired: false }), 'spec.attachedRequired');
  await drivers.invalidUpdate(
    driver,
    spec({ volumeLifecycleModes: ['Ephemeral'] }),
    'spec.volumeLifecycleModes',
  );
});

test('CSIDriver: fsGroupPolicy, podInfoOnMount, storageCapacity, requiresRepublish and seLinuxMount can change', async () => {
  const driver = await drivers.create({ metadata: { name: 'mutable' } });
  const change = {
    fsGroupPolicy: 'File',
    podInfoOnMount: true,
    storageCapacity: true,
    requiresRepublish: true,
    seLinuxMount: true,
  };
  const { spec: written } = await drivers.update(driver, spec(change));
  assert.deepEqual({ ...written, ...change }, written);
});

test('CSIDriver: fsGroupPolicy is one of the enum values', async () => {
  for (const fsGroupPolicy of ['ReadWriteOnceWithFSType', 'File', 'None']) {
    await drivers.valid(spec({ fsGroupPolicy }));
  }
  await drivers.invalid(spec({ fsGroupPolicy: 'Maybe' }), 'spec.fsGroupPolicy');
});

test('CSIDriver: audiences of tokenRequests are unique, and at most one is empty', async () => {
  const of = (...audiences: string[]) => spec({ tokenRequests: audiences.map((audience) => ({ audience })) });
  await drivers.valid(of('', 'a', 'b'));
  await drivers.valid(spec({ tokenRequests: [{ audience: 'a', expirationSeconds: 3600 }] }));
  await drivers.invalid(of('a', 'a'), 'spec.tokenRequests[1].audience');
  await drivers.invalid(of('', ''), 'spec.tokenRequests[1].audience');
});

test('CSIDriver: volumeLifecycleModes are Persistent and Ephemeral, a set', async () => {
  await drivers.valid(spec({ volumeLifecycleModes: ['Persistent', 'Ephemeral'] }));
  assert.deepEqual((await drivers.valid(spec({ volumeLifecycleModes: [] }))).spec.volumeLifecycleModes, [
    'Persistent',
  ]);
  await drivers.invalid(spec({ volumeLifecycleModes: ['Eternal'] }), 'spec.volumeLifecycleModes');
});

test('CSIDriver and CSINode: deletion returns the object', async () => {
  for (const kindOf of [drivers, nodes]) {
    await kindOf.create({ metadata: { name: 'going' } });
    const { code, body } = await http.delete(`${kindOf.collection}/going`);
    assert.equal(code, 200);
    assert.equal(body.metadata.name, 'going');
  }
});

test('CSINode: a driver has a unique name and a nodeID', async () => {
  const driver = { name: 'd.example.com', nodeID: 'n', topologyKeys: ['example.com/zone'] };
  const of = (...all: object[]) => spec({ drivers: all });
  assert.deepEqual((await nodes.valid(of(driver))).spec.drivers, [driver]);
  await nodes.invalid(of({ nodeID: 'n' }), 'spec.drivers[0].name');
  await nodes.invalid(of({ name: 'd.example.com' }), 'spec.drivers[0].nodeID');
  await nodes.invalid(of(driver, driver), 'spec.drivers[1].name');
});

test('CSINode: allocatable.count is the number of volumes, unset is unlimited', async () => {
  const of = (allocatable?: object) =>
    spec({ drivers: [{ name: 'd.example.com', nodeID: 'n', allocatable }] });
  await nodes.valid(of());
  await nodes.valid(of({ count: 5 }));
  await nodes.invalid(of({ count: -1 }), 'spec.drivers[0].allocatable.count');
});

test('CSIStorageCapacity: storageClassName is required, a DNS subdomain name, and cannot change', async () => {
  await capacities.invalid({ storageClassName: null }, 'storageClassName');
  await capacities.invalid({ storageClassName: 'Not_A_Name' }, 'storageClassName');
  const capacity = await capacities.create({ metadata: { name: 'fixed' } });
  await capacities.invalidUpdate(capacity, { storageClassName: 'other' }, 'storageClassName');
});

test('CSIStorageCapacity: capacity, maximumVolumeSize and nodeTopology may be unset', async () => {
  assert.equal((await capacities.valid()).capacity, undefined);
  const written = await capacities.valid({
    capacity: '10Gi',
    maximumVolumeSize: '1Gi',
    nodeTopology: { matchLabels: { zone: 'a' } },
  });
  assert.equal(written.capacity, '10Gi');
  assert.equal(written.maximumVolumeSize, '1Gi');
  await capacities.invalid({ capacity: '-1' }, 'capacity');
});

test('CSIStorageCapacity: the kind is namespaced', async () => {
  await capacities.create({ metadata: { name: 'here' } });
  assert.equal((await http.get(`${capacities.collection}/here`)).body.metadata.namespace, 'default');
  assert.equal((await http.post(`${group}/csistoragecapacities`, capacities.least)).code, 405);
});

test('CSIDriver: a token request has an audience, which may be empty', async () => {
  await drivers.valid(spec({ tokenRequests: [{ audience: '' }, { audience: 'a' }] }));
  const lacking = [{ audience: 'a' }, { expirationSeconds: 600 }];
  const field = 'spec.tokenRequests[1].audience';
  await drivers.invalid(spec({ tokenRequests: lacking }), field, /Required value/);
  const driver = await drivers.create({ metadata: { name: 'with-audience' } });
  await drivers.invalidUpdate(driver, spec({ tokenRequests: lacking }), field, /Required value/);
});

test('CSINode: spec and its drivers are required, and may be empty', async () => {
  await nodes.valid(spec({ drivers: [] }));
  await nodes.invalid({ spec: null }, 'spec', /Required value/);
  await nodes.invalid(spec({ drivers: null }), 'spec.drivers', /Required value/);
});
