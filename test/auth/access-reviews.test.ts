import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';

const server = testServer();
const plain = testServer({
  featureGates: { AuthorizeWithSelectors: false, AuthorizeNodeWithSelectors: false },
});
const authorization = '/apis/authorization.orch.io/v1';
const apiGroup = 'rbac.authorization.orch.io';
const rbac = `/apis/${apiGroup}/v1/namespaces/default`;
const pods = { verb: 'list', resource: 'pods', namespace: 'default' };

const review = async (spec: object) => {
  const { code, body } = await server.post(`${authorization}/subjectaccessreviews`, { spec });
  assert.equal(code, 201);
  return body.status;
};

test('an access review names the deciding binding, and missing roles', async () => {
  const bind = (name: string, role: string, user: string) =>
    server.post(`${rbac}/rolebindings`, {
      metadata: { name },
      roleRef: { apiGroup, kind: 'Role', name: role },
      subjects: [{ apiGroup, kind: 'User', name: user }],
    });
  await server.post(`${rbac}/roles`, {
    metadata: { name: 'reader' },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }],
  });
  await bind('readers', 'reader', 'alice');
  await bind('lost', 'missing', 'bob');
  assert.deepEqual(await review({ user: 'alice', resourceAttributes: pods }), {
    allowed: true,
    reason: 'RBAC: allowed by RoleBinding "readers/default" of Role "reader" to User "alice"',
  });
  assert.deepEqual(await review({ user: 'bob', resourceAttributes: pods }), {
    allowed: false,
    reason: 'RBAC: role.rbac.authorization.orch.io "missing" not found',
  });
  assert.deepEqual(await review({ user: 'carol', resourceAttributes: pods }), { allowed: false });
});

test('an access review with a selector reports ignored requirements', async () => {
  const requirement = { key: 'a', operator: 'In', values: ['b'] };
  const status = await review({
    user: 'carol',
    resourceAttributes: {
      ...pods,
      fieldSelector: { rawSelector: 'no operator' },
      labelSelector: { requirements: [requirement, { ...requirement, operator: 'Like' }] },
    },
  });
  assert.deepEqual(status, {
    allowed: false,
    evaluationError:
      'spec.resourceAttributes.fieldSelector ignored due to parse error; spec.resourceAttributes.labelSelector partially ignored due to parse error',
  });
});

test('an access review drops selectors without the feature gate', async () => {
  const resourceAttributes = { ...pods, fieldSelector: {}, labelSelector: { rawSelector: 'a b' } };
  const path = `${authorization}/subjectaccessreviews`;
  const { code, body } = await plain.post(path, { spec: { user: 'carol', resourceAttributes } });
  assert.equal(code, 201);
  assert.deepEqual(body.spec.resourceAttributes, { namespace: 'default', verb: 'list', resource: 'pods' });
  assert.deepEqual(body.status, { allowed: false });
});

test('an access review must have no metadata', async () => {
  for (const metadata of [{ name: 'a' }, { labels: { a: 'b' } }, { finalizers: ['a/b'] }]) {
    const { code, body } = await server.post(`${authorization}/subjectaccessreviews`, {
      metadata,
      spec: { user: 'carol', resourceAttributes: pods },
    });
    assert.equal(code, 422);
    assert.deepEqual(
      body.details.causes.map(({ field }) => field),
      ['metadata'],
    );
  }
});

test('every user may create self reviews; reviews of others need permission', async () => {
  const spec = { user: 'carol', resourceAttributes: pods };
  const asCarol = { 'impersonate-user': 'carol' };
  const ask = async (kind: string, body: object) =>
    (await server.request('POST', `${authorization}/${kind}`, body, asCarol)).code;
  assert.equal(await ask('selfsubjectaccessreviews', { spec: { resourceAttributes: pods } }), 201);
  assert.equal(await ask('selfsubjectrulesreviews', { spec: { namespace: 'default' } }), 201);
  assert.equal(await ask('subjectaccessreviews', { spec }), 403);
  assert.equal(await ask('namespaces/default/localsubjectaccessreviews', { spec }), 403);
});
