import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Client } from '../../src/client/client.ts';
import { defaultOptions } from '../../src/server/options.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import { type Body, TestClient, testServer } from '../support/client.ts';
import { runServer } from '../support/servers.ts';
import {
  definitions,
  holds,
  migrate,
  migrations,
  revisions,
  settle,
  statusOf,
  store,
  summarizeConditions,
  thing,
  things,
  until,
} from '../support/storage-migration.ts';

const served = {
  runtimeConfig: { 'storagemigration.orch.io/v1alpha1': true },
  featureGates: { StorageVersionMigrator: true },
};
const api = testServer(served);
async function make(client: Client, count: number): Promise<void> {
  const one = (i: number) =>
    client.create({
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: `thing-${String(i).padStart(5, '0')}`, namespace: 'default' },
      a: 'x',
    });
  for (let i = 0; i < count; i += 200) {
    await Promise.all(Array.from({ length: Math.min(200, count - i) }, (_, j) => one(i + j)));
  }
}

test('a StorageVersionMigration has the conditions Running and Succeeded, and its resource version', async () => {
  const maps = await api.namespace();
  const { body: before } = await api.post(maps, { metadata: { name: 'same' }, data: { a: 'b' } });
  await migrate(api, 'maps', { version: 'v1', resource: 'configmaps' });
  const body = await until(api, 'maps', (one) => holds(one, 'Succeeded'));
  assert.deepEqual(summarizeConditions(statusOf(body)), [
    'Running=False StorageVersionMigrationInProgress',
    'Succeeded=True StorageVersionMigrationSucceeded',
  ]);
  assert.ok(Number(statusOf(body).resourceVersion) >= Number(before.metadata.resourceVersion));
  // An object whose encoding is current is not written.
  const { body: after } = await api.get(`${maps}/same`);
  assert.deepEqual(after, before);
});

test('objects are rewritten in the current storage version, and nothing else changes', async () => {
  await store(api, 'v1');
  await make(api.server.client, 5);
  const before = await things(api);
  await store(api, 'v2');
  await migrate(api, 'things', { group: 'example.com', version: 'v2', resource: 'things' });
  await until(api, 'things', (one) => holds(one, 'Succeeded'));
  const after = await things(api);
  const old = revisions(before);
  for (const { metadata } of after) assert.notEqual(metadata.resourceVersion, old.get(metadata.name));
  const bare = (items: readonly Body[]) =>
    items.map(({ metadata: { resourceVersion, ...metadata }, ...rest }) => ({ ...rest, metadata }));
  assert.deepEqual(bare(after), bare(before));
  await migrate(api, 'again', { group: 'example.com', version: 'v1', resource: 'things' });
  await until(api, 'again', (one) => holds(one, 'Succeeded'));
  assert.deepEqual(revisions(await things(api)), revisions(after));
});

test('a migration that cannot finish is Failed and names the object', async () => {
  await api.server.client.create({
    apiVersion: 'admissionregistration.orch.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'no-leases' },
    spec: {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: ['coordination.orch.io'],
            apiVersions: ['*'],
            operations: ['UPDATE'],
            resources: ['leases'],
          },
        ],
      },
      validations: [{ expression: 'false', message: 'no' }],
    },
  });
  await api.server.client.create({
    apiVersion: 'admissionregistration.orch.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'no-leases' },
    spec: { policyName: 'no-leases', validationActions: ['Deny'] },
  });
  await api.server.client.create({
    apiVersion: 'coordination.orch.io/v1',
    kind: 'Lease',
    metadata: { name: 'kept', namespace: 'default' },
  });
  await migrate(api, 'leases', { group: 'coordination.orch.io', version: 'v1', resource: 'leases' });
  const body = await until(api, 'leases', (one) => holds(one, 'Failed'));
  const [running, failed] = statusOf(body).conditions!;
  assert.deepEqual([running?.type, running?.status], ['Running', 'False']);
  assert.equal(failed?.reason, 'StorageVersionMigrationFailed');
  assert.match(failed?.message ?? '', /^default\/kept: .*ValidatingAdmissionPolicy 'no-leases'/);
});

test('an invalid continue token fails the migration', async () => {
  await migrate(api, 'odd', { version: 'v1', resource: 'configmaps' }, { continueToken: 'nonsense' });
  const body = await until(api, 'odd', (one) => holds(one, 'Failed'));
  assert.match(statusOf(body).conditions?.[1]?.message ?? '', /continue key is not valid/);
});

test('a migration waits until the resource is served', async () => {
  await migrate(api, 'early', { group: 'late.example.com', version: 'v1', resource: 'things' });
  const { metadata, spec } = thing('v1');
  const named = { metadata: { ...metadata, name: 'things.late.example.com' } };
  const made = await api.post(definitions, { ...named, spec: { ...spec, group: 'late.example.com' } });
  assert.equal(made.code, 201, made.text);
  for (let i = 0; i < 10_000 && (await api.get('/apis/late.example.com/v1/things')).code !== 200; i++)
    await settle();
  assert.deepEqual(summarizeConditions(statusOf((await api.get(`${migrations}/early`)).body)), []);
  api.server.clock.advance(11_000);
  await until(api, 'early', (one) => holds(one, 'Succeeded'));
});

class OnDisk extends TestClient {
  url = '';
}

const startIn = (folder: string) =>
  runServer(
    {
      ...defaultOptions,
      ...served,
      httpPort: 0,
      securePort: undefined,
      dataDir: folder,
      certDir: join(folder, 'pki'),
    },
    { logger: silentLogger },
  );

test('10,000 objects are migrated with progress, across a restart, while other requests are served', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'orch-migration-'));
  const api = new OnDisk();
  let server = await startIn(folder);
  t.after(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });
  api.url = server.url;
  await store(api, 'v1');
  await make(server.client, 10_000);
  const before = revisions(await things(api));
  assert.equal(before.size, 10_000);
  await store(api, 'v2');

  await migrate(api, 'many', { group: 'example.com', version: 'v2', resource: 'things' });
  const underWay = await until(api, 'many', ({ spec }) => !!spec.continueToken);
  assert.deepEqual(summarizeConditions(statusOf(underWay)), [
    'Running=True StorageVersionMigrationInProgress',
  ]);
  assert.equal((await api.get('/api/v1/namespaces/default')).code, 200);
  assert.equal(holds((await api.get(`${migrations}/many`)).body, 'Succeeded'), false);
  // The token is a continue token.
  const token = underWay.spec.continueToken as string;
  const rest = await api.get(`/apis/example.com/v2/things?limit=1&continue=${token}`);
  assert.equal(rest.code, 200, rest.text);
  await server.stop();

  server = await startIn(folder);
  api.url = server.url;
  const after = await until(api, 'many', (body) => holds(body, 'Succeeded'));
  assert.notEqual(after.spec.continueToken, token);
  let unchanged = 0;
  for (const { metadata } of await things(api)) {
    if (metadata.resourceVersion === before.get(metadata.name)) unchanged += 1;
  }
  assert.equal(unchanged, 0);
});
