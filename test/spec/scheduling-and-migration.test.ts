import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const migrations = kind(http, '/apis/storagemigration.orch.io/v1alpha1/storageversionmigrations');
const classes = kind(http, '/apis/scheduling.orch.io/v1/priorityclasses');

test('StorageVersionMigration: spec.resource is required', async () => {
  await migrations.valid();
  await migrations.invalid({ spec: { resource: { resource: null } } }, 'spec.resource.resource');
  await migrations.invalid({ spec: { resource: { version: null } } }, 'spec.resource.version');
});

test('StorageVersionMigration: spec.resource cannot change', async () => {
  const migration = await migrations.create();
  await migrations.invalidUpdate(
    migration,
    { spec: { resource: { resource: 'daemonsets' } } },
    'resource',
    /immutable/,
  );
});

test('StorageVersionMigration: continueToken records the progress', async () => {
  assert.equal(
    (await migrations.valid({ metadata: { name: 'n' }, spec: { continueToken: 'abc' } })).spec.continueToken,
    'abc',
  );
});

test('StorageVersionMigration: status has conditions and the resource version, written through status', async () => {
  const migration = await migrations.create({ metadata: { name: 'with-status' } });
  const status = {
    conditions: [
      { type: 'Running', status: 'True', lastUpdateTime: '2026-01-01T00:00:00Z', reason: 'R', message: 'm' },
    ],
    resourceVersion: '7',
  };
  assert.deepEqual((await migrations.update(migration, { status })).status, {});
  assert.deepEqual((await migrations.update(migration, { status }, 'status')).status, status);
});

test('StorageVersionMigration: a condition needs a type and a status, and no lastUpdateTime, reason or message', async () => {
  const migration = await migrations.create({ metadata: { name: 'with-conditions' } });
  await migrations.invalidConditions(migration, [{ status: 'True' }], 'type');
  for (const status of ['Maybe', '', null]) {
    await migrations.invalidConditions(migration, [{ type: 'Running', status }], 'status');
  }
  const conditions = [{ type: 'Running', status: 'Unknown' }];
  const { status } = await migrations.update(migration, { status: { conditions } }, 'status');
  assert.partialDeepStrictEqual(status, { conditions });
});

test('PriorityClass: value is required, also 0', async () => {
  assert.equal((await classes.valid({ value: 0 })).value, 0);
  await classes.invalid({ value: null }, 'value', /Required value/);
});

test('PriorityClass: value is an int32, and description is free text', async () => {
  const written = await classes.valid({ value: -5, description: 'for what can wait' });
  assert.equal(written.value, -5);
  assert.equal(written.description, 'for what can wait');
  await classes.unreadable({ value: 2 ** 40 }, /cannot unmarshal number 1099511627776 into Go struct field/);
});

test('PriorityClass: globalDefault may be true', async () => {
  assert.equal((await classes.valid({ globalDefault: true })).globalDefault, true);
  assert.equal((await classes.valid()).globalDefault, undefined);
});

test('PriorityClass: preemptionPolicy is Never or PreemptLowerPriority, the latter by default', async () => {
  assert.equal((await classes.valid()).preemptionPolicy, 'PreemptLowerPriority');
  assert.equal((await classes.valid({ preemptionPolicy: 'Never' })).preemptionPolicy, 'Never');
  await classes.invalid({ preemptionPolicy: 'Always' }, 'preemptionPolicy');
});
