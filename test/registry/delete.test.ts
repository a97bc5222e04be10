import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';

const api = testServer();
const other = testServer({ dialect: 'kubernetes' });
/** A server without controllers that act on finalizers. */
const bare = testServer({ controllers: ['-*'] });

test('delete returns a Status that names the deleted object', async () => {
  const path = await api.namespace();
  const { body: object } = await api.post(path, { metadata: { name: 'a' } });
  const { code, body } = await api.delete(`${path}/a`);
  assert.equal(code, 200);
  assert.equal(body.status, 'Success');
  assert.equal(body.details.uid, object.metadata.uid);
  assert.equal((await api.get(`${path}/a`)).code, 404);
});

test('an object with a finalizer gets a deletionTimestamp, and is deleted with the last finalizer', async () => {
  const path = await api.namespace();
  await api.post(path, { metadata: { name: 'a', finalizers: ['example.com/hold'] } });
  const response = await api.delete(`${path}/a`);
  assert.equal(response.code, 200);
  const { body: marked } = await api.get(`${path}/a`);
  assert.ok(marked.metadata.deletionTimestamp);
  const { name, uid, resourceVersion } = marked.metadata;
  const details = { name, kind: 'configmaps', uid };
  const success = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
  assert.deepEqual(response.body, success);
  assert.deepEqual((await api.delete(`${path}/a`)).body, success);
  assert.equal((await api.get(`${path}/a`)).body.metadata.resourceVersion, resourceVersion);
  await api.put(`${path}/a`, { metadata: { name: 'a' } });
  assert.equal((await api.get(`${path}/a`)).code, 404);
});

test('propagationPolicy becomes a finalizer, and the latest one applies', async () => {
  const path = await bare.namespace();
  await bare.post(path, { metadata: { name: 'a' } });
  const finalizers = async () => (await bare.get(`${path}/a`)).body.metadata.finalizers;
  await bare.delete(`${path}/a?propagationPolicy=Foreground`);
  assert.deepEqual(await finalizers(), ['foregroundDeletion']);
  await bare.delete(`${path}/a`, { propagationPolicy: 'Orphan' });
  assert.deepEqual(await finalizers(), ['orphan']);
  await bare.delete(`${path}/a?propagationPolicy=Background`);
  assert.equal((await bare.get(`${path}/a`)).code, 404);
});

test('preconditions on uid and resourceVersion must hold', async () => {
  const path = await api.namespace();
  const { body: object } = await api.post(path, { metadata: { name: 'a' } });
  assert.equal((await api.delete(`${path}/a`, { preconditions: { uid: 'other' } })).code, 409);
  assert.equal((await api.delete(`${path}/a`, { preconditions: { resourceVersion: '1' } })).code, 409);
  assert.equal((await api.delete(`${path}/a?uid=other`)).code, 409);
  assert.equal((await api.delete(`${path}/a?resourceVersion=1`)).code, 409);
  const { uid, resourceVersion } = object.metadata;
  assert.equal((await api.delete(`${path}/a`, { preconditions: { uid, resourceVersion } })).code, 200);
});

test('delete with dryRun=All deletes nothing', async () => {
  const path = await api.namespace();
  await api.post(path, { metadata: { name: 'a' } });
  assert.equal((await api.delete(`${path}/a?dryRun=All`)).code, 200);
  assert.equal((await api.get(`${path}/a`)).code, 200);
});

test('deletecollection deletes the selected objects', async () => {
  const path = await api.namespace();
  for (const name of ['a', 'b', 'c']) {
    await api.post(path, { metadata: { name, labels: { keep: name === 'b' ? 'yes' : 'no' } } });
  }
  const { code, body } = await api.delete(`${path}?labelSelector=keep%3Dno`);
  assert.equal(code, 200);
  assert.equal(body.kind, 'Status');
  assert.equal(body.status, 'Success');
  assert.deepEqual(body.details, { kind: 'configmaps' });
  assert.deepEqual(
    (await api.get(path)).body.items.map((item) => item.metadata.name),
    ['b'],
  );
});

test('deletecollection returns the deleted objects in the kubernetes dialect', async () => {
  const path = await other.namespace();
  for (const name of ['a', 'b']) await other.post(path, { metadata: { name } });
  const { body } = await other.delete(`${path}?fieldSelector=metadata.name%3Da`);
  assert.equal(body.kind, 'ConfigMapList');
  assert.deepEqual(
    body.items.map((item) => item.metadata.name),
    ['a'],
  );
});

test('deletecollection with a limit returns a continue token', async () => {
  const path = await api.namespace();
  for (const name of ['a', 'b']) await api.post(path, { metadata: { name } });
  const { body } = await api.delete(`${path}?limit=1`);
  assert.ok(body.metadata.continue);
  assert.equal((await api.delete(`${path}?limit=1&continue=${body.metadata.continue}`)).code, 200);
  assert.deepEqual((await api.get(path)).body.items, []);
});

test('a namespace stays until it is finalized', async () => {
  const { body: ns } = await bare.post('/api/v1/namespaces', { metadata: { generateName: 'test-' } });
  const path = `/api/v1/namespaces/${ns.metadata.name}`;
  assert.equal((await bare.delete(path)).body.kind, 'Status');
  assert.deepEqual((await bare.get(path)).body.status, { phase: 'Terminating' });
  await bare.put(`${path}/finalize`, { metadata: { name: ns.metadata.name } });
  assert.equal((await bare.get(path)).code, 404);
});

test('system namespaces cannot be deleted', async () => {
  const { code, body } = await api.delete('/api/v1/namespaces/default');
  assert.equal(code, 403);
  assert.equal(body.message, 'namespaces "default" is forbidden: this namespace may not be deleted');
});

test('ignoreStoreReadErrorWithClusterBreakingPotential does not delete a readable object', async () => {
  const path = await api.namespace();
  await api.post(path, { metadata: { name: 'a' } });
  const { code } = await api.delete(`${path}/a?ignoreStoreReadErrorWithClusterBreakingPotential=true`);
  assert.equal(code, 422);
});
