import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';

const api = testServer();

test('create sets uid, resourceVersion and creationTimestamp', async () => {
  const path = await api.namespace();
  const { code, body } = await api.post(path, { metadata: { name: 'a' }, data: { k: 'v' } });
  assert.equal(code, 201);
  assert.match(body.metadata.uid, /^[0-9a-f-]{36}$/);
  assert.match(body.metadata.resourceVersion, /^[0-9]+$/);
  assert.match(body.metadata.creationTimestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.deepEqual(body.data, { k: 'v' });
  assert.deepEqual((await api.get(`${path}/a`)).body, body);
});

test('create of an existing name is 409 AlreadyExists', async () => {
  const path = await api.namespace();
  await api.post(path, { metadata: { name: 'a' } });
  const { code, body } = await api.post(path, { metadata: { name: 'a' } });
  assert.equal(code, 409);
  assert.equal(body.reason, 'AlreadyExists');
  assert.equal(body.message, 'configmaps "a" already exists');
});

test('create in a namespace that does not exist is 404', async () => {
  const { code, body } = await api.post('/api/v1/namespaces/nowhere/configmaps', { metadata: { name: 'a' } });
  assert.equal(code, 404);
  assert.equal(body.message, 'namespaces "nowhere" not found');
});

test('create in a namespace that is being deleted is 403 NamespaceTerminating', async () => {
  const path = await api.namespace();
  await api.post(path, { metadata: { name: 'held', finalizers: ['example.com/hold'] } });
  await api.delete(path.slice(0, path.lastIndexOf('/')));
  const { code, body } = await api.post(path, { metadata: { name: 'a' } });
  assert.equal(code, 403);
  assert.equal(body.details.causes[0]?.reason, 'NamespaceTerminating');
});

test('create with generateName generates a name', async () => {
  const path = await api.namespace();
  const { body } = await api.post(path, { metadata: { generateName: 'gen-' } });
  assert.match(body.metadata.name, /^gen-[a-z0-9]{5}$/);
});

test('create with dryRun=All returns the object and stores nothing', async () => {
  const path = await api.namespace();
  const { code, body } = await api.post(`${path}?dryRun=All`, { metadata: { name: 'a' } });
  assert.equal(code, 201);
  assert.equal(body.metadata.resourceVersion, undefined);
  assert.ok(body.metadata.uid);
  assert.equal((await api.get(`${path}/a`)).code, 404);
});

test('create with dryRun=All accepts a resourceVersion and returns it', async () => {
  const path = await api.namespace();
  for (const resourceVersion of ['5', '0', 'x', 'a "quote"']) {
    const made = await api.post(`${path}?dryRun=All`, { metadata: { name: 'a', resourceVersion } });
    assert.equal(made.code, 201);
    assert.equal(made.body.metadata.resourceVersion, resourceVersion);
  }
  assert.equal((await api.get(`${path}/a`)).code, 404);
});

test('create with a resourceVersion is rejected after validation', async () => {
  const path = await api.namespace();
  const refused = await api.post(path, { metadata: { name: 'a', resourceVersion: '5' } });
  assert.equal(refused.code, 500);
  assert.equal(refused.body.message, 'resourceVersion should not be set on objects to be created');
  assert.equal((await api.post(path, { metadata: { name: 'A_', resourceVersion: '5' } })).code, 422);
});

test('create rejects a namespace other than that of the path', async () => {
  const path = await api.namespace();
  const { code, body } = await api.post(path, { metadata: { name: 'a', namespace: 'default' } });
  assert.equal(code, 400);
  assert.equal(body.reason, 'BadRequest');
});

const unknownAndTwice = '{"metadata":{"name":"a"},"nope":1,"data":{"k":"1","k":"2"}}';

test('fieldValidation=Strict rejects unknown and duplicate fields and names them', async () => {
  const path = await api.namespace();
  const { code, body } = await api.post(`${path}?fieldValidation=Strict`, unknownAndTwice);
  assert.equal(code, 400);
  assert.match(body.message, /strict decoding error: unknown field "nope", duplicate field "data.k"$/);
});

test('fieldValidation=Warn, the default, sends Warning headers', async () => {
  const path = await api.namespace();
  const { code, headers } = await api.post(path, unknownAndTwice);
  assert.equal(code, 201);
  assert.equal(
    headers.get('warning'),
    '299 - "unknown field \\"nope\\"", 299 - "duplicate field \\"data.k\\""',
  );
});

test('fieldValidation=Ignore sends no warnings', async () => {
  const path = await api.namespace();
  const { code, headers } = await api.post(`${path}?fieldValidation=Ignore`, unknownAndTwice);
  assert.equal(code, 201);
  assert.equal(headers.get('warning'), null);
});

test('names of Object.prototype are ordinary keys', async () => {
  const path = await api.namespace();
  const labels = '{"__proto__":"x","constructor":"y"}';
  await api.post(path, `{"metadata":{"name":"a"},"data":${labels}}`);
  const { text } = await api.get(`${path}/a`);
  assert.ok(text.includes(`"data":${labels}`), text);
  assert.equal(({} as Record<string, unknown>).x, undefined);
});

test('a body that cannot be decoded as the kind is 400 with the reason', async () => {
  const path = await api.namespace();
  for (const [body, reason] of [
    ['{', /unexpected end of JSON input/],
    ['[]', /cannot unmarshal array/],
    ['{"kind":"Secret","apiVersion":"v1"}', /cannot be handled as a ConfigMap/],
    ['{"data":{"a":1}}', /cannot unmarshal number into Go struct field ConfigMap.data of type string/],
  ] as const) {
    const response = await api.post(path, body);
    assert.equal(response.code, 400);
    assert.match(response.body.message, reason);
  }
});
