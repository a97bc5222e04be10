import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';

const server = testServer();

test('an object with very many validation errors is rejected, and the server still responds', async () => {
  const subsets = Array.from({ length: 150_000 }, () => ({}));
  const { code } = await server.post('/api/v1/namespaces/default/endpoints', {
    metadata: { name: 'e' },
    subsets,
  });
  assert.ok(code === 422 || code === 400, String(code));
  const rules = Array.from({ length: 200_000 }, () => ({ verbs: [] }));
  const role = await server.post('/apis/rbac.authorization.orch.io/v1/namespaces/default/roles', {
    metadata: { name: 'r' },
    rules,
  });
  assert.ok(role.code === 422 || role.code === 400, String(role.code));
  assert.ok(role.text.length < 16 * 1024 * 1024);
  assert.equal((await server.get('/api/v1/namespaces')).code, 200);
});
