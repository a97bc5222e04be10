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

test('a CustomResourceDefinition with very many invalid rules is rejected', async () => {
  const rules = Array.from({ length: 450_000 }, () => ({}));
  const schema = { openAPIV3Schema: { type: 'object', 'x-orch-validations': rules } };
  const { code, body } = await server.post('/apis/apiextensions.orch.io/v1/customresourcedefinitions', {
    metadata: { name: 'as.example.com' },
    spec: {
      ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'as', kind: 'A' } },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  assert.equal(code, 422);
  assert.match(body.message, /x-orch-validations\[0\]\.rule: Required value/);
});

test('an object with very many warnings is accepted', async () => {
  const { code, headers } = await server.post('/api/v1/namespaces/default/pods?dryRun=All', {
    metadata: { name: 'p' },
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      imagePullSecrets: Array.from({ length: 150_000 }, () => ({})),
    },
  });
  assert.equal(code, 201);
  assert.match(String(headers.get('warning')), /imagePullSecrets\[1\]\.name: duplicate name/);
});

test('an error has the beginning of a long value', async () => {
  const rules = Array.from({ length: 200_000 }, () => ({}));
  const { code, text } = await server.post('/apis/batch/v1/namespaces/default/jobs', {
    metadata: { name: 'j' },
    spec: {
      successPolicy: { rules },
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
    },
  });
  assert.equal(code, 422);
  assert.match(text, /batch\.SuccessPolicyRule\{SucceededIndexes:\(\*string\)\(nil\), [^…]*…/);
  assert.ok(text.length < 2 * 1024 * 1024, String(text.length));
});

test('kinds that a controller of the server reconciles have a smaller size limit', async () => {
  const path = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
  const disruptedPods = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, i) => [`pod-${i}`, '2026-01-01T00:00:00Z']),
  );
  assert.equal((await server.post(path, { metadata: { name: 'b' }, spec: {} })).code, 201);
  const { code, body } = await server.request(
    'PATCH',
    `${path}/b/status`,
    { status: { disruptedPods } },
    { 'content-type': 'application/merge-patch+json' },
  );
  assert.equal(code, 413);
  assert.match(body.message, /the object would take \d+ bytes, and at most 262144 are kept$/);
});
