import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';

const api = testServer();

test('update replaces the object and changes its resourceVersion', async () => {
  const path = await api.namespace();
  const { body: first } = await api.post(path, {
    metadata: { name: 'a', labels: { x: 'y' } },
    data: { k: '1' },
  });
  const { code, body } = await api.put(`${path}/a`, { metadata: { name: 'a' }, data: { k: '2' } });
  assert.equal(code, 200);
  assert.deepEqual(body.data, { k: '2' });
  assert.equal(body.metadata.labels, undefined);
  assert.equal(body.metadata.uid, first.metadata.uid);
  assert.ok(Number(body.metadata.resourceVersion) > Number(first.metadata.resourceVersion));
});

test('an update that changes nothing keeps the resourceVersion', async () => {
  const path = await api.namespace();
  const { body: first } = await api.post(path, { metadata: { name: 'a' }, data: { k: '1' } });
  const { body } = await api.put(`${path}/a`, { metadata: { name: 'a' }, data: { k: '1' } });
  assert.equal(body.metadata.resourceVersion, first.metadata.resourceVersion);
});

test('an update with an old resourceVersion is 409 Conflict', async () => {
  const path = await api.namespace();
  const { body: first } = await api.post(path, { metadata: { name: 'a' } });
  await api.put(`${path}/a`, { metadata: { name: 'a' }, data: { k: '2' } });
  const { code, body } = await api.put(`${path}/a`, { ...first, data: { k: '3' } });
  assert.equal(code, 409);
  assert.equal(body.reason, 'Conflict');
});

test('of concurrent updates with the same resourceVersion exactly one succeeds', async () => {
  const path = await api.namespace();
  const { body: first } = await api.post(path, { metadata: { name: 'a' } });
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) => api.put(`${path}/a`, { ...first, data: { k: String(i) } })),
  );
  assert.equal(responses.filter(({ code }) => code === 200).length, 1);
  assert.equal(responses.filter(({ code }) => code === 409).length, 19);
});

test('updates without a resourceVersion all succeed', async () => {
  const path = await api.namespace();
  await api.post(path, { metadata: { name: 'a' } });
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      api.put(`${path}/a`, { metadata: { name: 'a' }, data: { k: String(i) } }),
    ),
  );
  assert.deepEqual(new Set(responses.map(({ code }) => code)), new Set([200]));
  assert.equal(new Set(responses.map(({ body }) => body.metadata.resourceVersion)).size, 20);
});

test('update with another name than that of the path is 400', async () => {
  const path = await api.namespace();
  await api.post(path, { metadata: { name: 'a' } });
  const { code, body } = await api.put(`${path}/a`, { metadata: { name: 'b' } });
  assert.equal(code, 400);
  assert.equal(body.message, 'the name of the object (b) does not match the name on the URL (a)');
});

test('update with the uid of a deleted object is 409', async () => {
  const path = await api.namespace();
  const { body: first } = await api.post(path, { metadata: { name: 'a' } });
  await api.delete(`${path}/a`);
  await api.post(path, { metadata: { name: 'a' } });
  const { code, body } = await api.put(`${path}/a`, { metadata: { name: 'a', uid: first.metadata.uid } });
  assert.equal(code, 409);
  assert.match(body.message, /Precondition failed: UID in precondition/);
});

test('the status of a namespace is written only through the status subresource', async () => {
  const { body: ns } = await api.post('/api/v1/namespaces', { metadata: { generateName: 'test-' } });
  const path = `/api/v1/namespaces/${ns.metadata.name}`;
  const { body: main } = await api.put(path, { ...ns, status: { phase: 'Terminating' } });
  assert.deepEqual(main.status, { phase: 'Active' });
  const { body: status } = await api.put(`${path}/status`, {
    ...main,
    spec: { finalizers: ['example.com/other'] },
    status: { phase: 'Active', conditions: [{ type: 'x.example/Y', status: 'True' }] },
  });
  assert.deepEqual(status.spec, ns.spec);
  assert.equal((status.status as { conditions: unknown[] }).conditions.length, 1);
});
