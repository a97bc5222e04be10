import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';

const server = testServer();
const authorization = '/apis/authorization.orch.io/v1';
const pods = { resource: 'pods', verb: 'get', namespace: 'default' };

test('a SubjectAccessReview is a POST that stores nothing', async () => {
  const spec = { user: 'somebody', groups: ['system:masters'], resourceAttributes: pods };
  const allowed = await server.post(`${authorization}/subjectaccessreviews`, { spec });
  assert.equal(allowed.code, 201);
  assert.deepEqual(allowed.body.status, { allowed: true });
  const refused = await server.post(`${authorization}/subjectaccessreviews`, {
    spec: { user: 'somebody', resourceAttributes: pods },
  });
  assert.deepEqual(refused.body.status, { allowed: false });
  assert.equal((await server.get(`${authorization}/subjectaccessreviews`)).code, 405);
});

test('a SubjectAccessReview needs a user or groups, and attributes', async () => {
  const { code, body } = await server.post(`${authorization}/subjectaccessreviews`, {});
  assert.equal(code, 422);
  assert.deepEqual(
    body.details.causes.map(({ field }) => field),
    ['spec.resourceAttributes', 'spec.user'],
  );
});

test('a LocalSubjectAccessReview must be about its own namespace', async () => {
  const path = `${authorization}/namespaces/default/localsubjectaccessreviews`;
  const here = await server.post(path, { spec: { user: 'u', resourceAttributes: pods } });
  assert.equal(here.code, 201);
  const elsewhere = { user: 'u', resourceAttributes: { ...pods, namespace: 'other' } };
  assert.equal((await server.post(path, { spec: elsewhere })).code, 422);
});

test('SelfSubjectReview and SelfSubjectRulesReview describe the caller', async () => {
  const self = await server.post('/apis/authentication.orch.io/v1/selfsubjectreviews', {});
  assert.equal((self.body.status as { userInfo: { username: string } }).userInfo.username, 'system:admin');
  const rules = await server.post(`${authorization}/selfsubjectrulesreviews`, {
    spec: { namespace: 'default' },
  });
  const { resourceRules } = rules.body.status as { resourceRules: unknown[] };
  assert.deepEqual(resourceRules[0], { verbs: ['*'], apiGroups: ['*'], resources: ['*'] });
});

test('a TokenReview of an unknown token is not authenticated', async () => {
  const { code, body } = await server.post('/apis/authentication.orch.io/v1/tokenreviews', {
    spec: { token: 'x' },
  });
  assert.equal(code, 201);
  assert.deepEqual(body.status, { user: {}, error: 'invalid bearer token' });
});
