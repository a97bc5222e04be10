import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';

const api = testServer();
const free = testServer({ disableAdmissionPlugins: ['NamespaceLifecycle'] });

const configMap = { metadata: { name: 'a' } };
const nowhere = '/api/v1/namespaces/nowhere/configmaps';

async function terminating(server: typeof api): Promise<string> {
  const configmaps = await server.namespace('configmaps');
  await server.post(configmaps, { metadata: { name: 'kept', finalizers: ['a.b/c'] } });
  await server.delete(configmaps.slice(0, configmaps.lastIndexOf('/')));
  return configmaps;
}

test('a create in a missing namespace is 404, also by a virtual subresource', async () => {
  assert.equal((await api.post(nowhere, configMap)).body.message, 'namespaces "nowhere" not found');
  const binding = { metadata: { name: 'p' }, target: { name: 'n' } };
  const bound = await api.post('/api/v1/namespaces/nowhere/pods/p/binding', binding);
  assert.equal(bound.body.message, 'namespaces "nowhere" not found');
});

test('a terminating namespace rejects creates and accepts updates', async () => {
  const configmaps = await terminating(api);
  const { code, body } = await api.post(configmaps, { metadata: { generateName: 'gen-' } });
  assert.equal(code, 403);
  assert.match(body.message, /^configmaps "gen-" is forbidden: unable to create new content in namespace/);
  assert.equal(body.details.causes[0]!.reason, 'NamespaceTerminating');
  const changed = await api.put(`${configmaps}/kept`, { metadata: { name: 'kept' }, data: { a: 'b' } });
  assert.equal(changed.code, 200);
});

test('a system namespace cannot be deleted, and a failed uid precondition is 409', async () => {
  const path = '/api/v1/namespaces/default';
  assert.match((await api.delete(path)).body.message, /this namespace may not be deleted/);
  assert.equal((await api.delete(path, { preconditions: { uid: 'x' } })).code, 409);
});

test('without the plugin, namespaces are neither required nor protected', async () => {
  assert.equal((await free.post(nowhere, configMap)).code, 201);
  assert.equal((await free.put(`${nowhere}/a`, { ...configMap, data: { a: 'b' } })).code, 200);
  assert.equal((await free.post(await terminating(free), configMap)).code, 201);
  assert.equal((await free.delete('/api/v1/namespaces/default')).code, 200);
});
