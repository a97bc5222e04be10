// Tests of the RBAC authorizer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReadonlyPolicyRule } from '../../apis/rbac/rule-evaluation.ts';
import { usedHeapBytes } from '../../base/used-heap.fixture.ts';
import { anonymous, developer } from '../../request/authenticator.ts';
import type { Decision } from '../../request/authorizer.ts';
import { readRequestInfo } from '../../request/request-info.ts';
import type { User } from '../../request/user.ts';
import { bootstrapped, PolicyFixture } from './policy-cache.fixture.ts';

const alice: User = { name: 'alice', uid: '', groups: ['dev', 'system:authenticated'], extra: {} };
const fixture = await bootstrapped();

const decide = (user: User, method: string, path: string, { authorizer }: PolicyFixture = fixture) =>
  authorizer.authorize(user, readRequestInfo(method, path)) as Decision;
const may = (user: User, method: string, path: string, where = fixture) =>
  decide(user, method, path, where).allowed;

const clusterRole = (name: string, ...rules: ReadonlyPolicyRule[]) =>
  ({ kind: 'ClusterRole', metadata: { name }, rules }) as const;
const role = (namespace: string, name: string, ...rules: ReadonlyPolicyRule[]) =>
  ({ kind: 'Role', metadata: { namespace, name }, rules }) as const;
const subject = { kind: 'User', name: 'alice' };
const clusterBinding = (name: string, to: string, ...subjects: object[]) =>
  ({
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { kind: 'ClusterRole', name: to },
    subjects,
  }) as const;
const binding = (namespace: string, name: string, roleRef: object, ...subjects: object[]) =>
  ({ kind: 'RoleBinding', metadata: { namespace, name }, roleRef, subjects }) as const;

const pods = { verbs: ['get'], apiGroups: [''], resources: ['pods'] };

test('system:masters may do everything, without a reason', () => {
  const decision = decide({ ...alice, groups: developer.groups }, 'DELETE', '/api/v1/namespaces/x/secrets');
  assert.deepEqual([decision.allowed, decision.reason], [true, '']);
});

test('an anonymous user may read health and version, and nothing else', () => {
  const nobody = { ...alice, groups: [...anonymous.groups] };
  for (const path of ['/healthz', '/livez', '/readyz', '/version', '/version/'])
    assert.ok(may(nobody, 'GET', path), path);
  for (const path of ['/', '/api', '/apis', '/openapi/v3', '/metrics', '/readyz/ping', '/healthz/']) {
    assert.equal(may(nobody, 'GET', path), false, path);
  }
  for (const method of ['POST', 'HEAD', 'DELETE'])
    assert.equal(may(nobody, method, '/healthz'), false, method);
});

test('an authenticated user may read discovery and OpenAPI, and nothing else', () => {
  for (const path of ['/api', '/api/', '/api/v1', '/apis', '/apis/apps/v1', '/openapi/v3/apis/apps/v1']) {
    assert.ok(may(alice, 'GET', path), path);
  }
  for (const path of ['/', '/metrics', '/readyz/ping', '/apisx', '/api/v1/namespaces']) {
    assert.equal(may(alice, 'GET', path), false, path);
  }
  assert.equal(may(alice, 'POST', '/apis'), false);
});

test('the reason names the binding, the role and the subject', async () => {
  const where = new PolicyFixture();
  await where.put(clusterRole('reader', pods));
  await where.put(clusterBinding('b', 'reader', { kind: 'Group', name: 'dev' }));
  await where.put(role('x', 'r', { ...pods, verbs: ['delete'] }));
  const builder = { kind: 'ServiceAccount', name: 'builder' };
  await where.put(binding('x', 'local', { kind: 'Role', name: 'r' }, { kind: 'User', name: 'bob' }, builder));
  const everywhere = decide(alice, 'GET', '/api/v1/namespaces/x/pods/p', where);
  assert.equal(
    everywhere.reason,
    'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "reader" to Group "dev"',
  );
  const account = { ...alice, name: 'system:serviceaccount:x:builder', groups: [] };
  assert.equal(
    decide(account, 'DELETE', '/api/v1/namespaces/x/pods/p', where).reason,
    'RBAC: allowed by RoleBinding "local/x" of Role "r" to ServiceAccount "builder/x"',
  );
  assert.equal(may(account, 'DELETE', '/api/v1/namespaces/y/pods/p', where), false);
});

test('a denial names bound roles that do not exist', async () => {
  const where = new PolicyFixture();
  await where.put(clusterBinding('a', 'gone', subject));
  await where.put(binding('x', 'b', { kind: 'Role', name: 'lost' }, subject));
  assert.equal(
    decide(alice, 'GET', '/api/v1/pods', where).reason,
    'RBAC: clusterrole.rbac.authorization.orch.io "gone" not found',
  );
  assert.equal(
    decide(alice, 'GET', '/api/v1/namespaces/x/pods', where).reason,
    'RBAC: [clusterrole.rbac.authorization.orch.io "gone" not found, role.rbac.authorization.orch.io "lost" not found]',
  );
});

test('a write takes effect on the next decision', async () => {
  const where = new PolicyFixture();
  const path = '/api/v1/namespaces/x/pods/p';
  const toRole = binding('x', 'b', { kind: 'Role', name: 'r' }, subject);
  const allowed = () => may(alice, 'GET', path, where);
  assert.equal(allowed(), false);
  await where.put(role('x', 'r', pods));
  assert.equal(allowed(), false);
  await where.put(toRole);
  assert.equal(allowed(), true);
  await where.put(role('x', 'r'));
  assert.equal(allowed(), false);
  await where.put(role('x', 'r', pods));
  await where.delete(toRole);
  assert.equal(allowed(), false);
  await where.put(binding('x', 'c', { kind: 'ClusterRole', name: 'c' }, subject));
  await where.put(clusterRole('c', pods));
  assert.equal(allowed(), true);
  await where.delete(clusterRole('c'));
  assert.equal(allowed(), false);
});

test('restoring the store resets the policy cache', async () => {
  const where = new PolicyFixture();
  where.store.onReset(() => where.policy.reset());
  const before = where.store.snapshot();
  await where.put(clusterRole('c', pods));
  await where.put(clusterBinding('b', 'c', subject));
  assert.equal(may(alice, 'GET', '/api/v1/namespaces/x/pods/p', where), true);
  where.store.restore(before);
  assert.equal(may(alice, 'GET', '/api/v1/namespaces/x/pods/p', where), false);
});

test('invalid subjects match no user, not even one without a name', async () => {
  const where = new PolicyFixture();
  await where.put(clusterRole('c', pods));
  await where.put(
    clusterBinding('b', 'c', { kind: 'Robot', name: '' }, { kind: 'ServiceAccount', name: 's' }),
  );
  assert.equal(may({ ...alice, name: '' }, 'GET', '/api/v1/namespaces/x/pods/p', where), false);
});

test('a binding with separators in its name grants only its own role', async () => {
  const where = new PolicyFixture();
  const anybody = (name: string) => ({ ...alice, name, groups: [] });
  const deletes = { ...pods, verbs: ['delete'] };
  await where.put(role('x', 'weak'));
  await where.put(role('x', 'strong', deletes));
  const to = (name: string) => ({ kind: 'Role', name });
  const bob = { kind: 'User', name: 'bob' };
  await where.put(binding('x', 'a', to('strong'), bob));
  await where.put(binding('x', 'b', to('weak'), bob));
  await where.put(binding('x', 'a\n0\nb', to('weak'), { kind: 'User', name: 'eve' }));
  assert.equal(may(anybody('bob'), 'DELETE', '/api/v1/namespaces/x/pods/p', where), true);
  assert.equal(may(anybody('eve'), 'DELETE', '/api/v1/namespaces/x/pods/p', where), false);
});

test('rulesFor lists the rules in the order of evaluation', async () => {
  const where = new PolicyFixture();
  await where.put(clusterRole('c', pods, { verbs: ['get'], nonResourceURLs: ['/x'] }));
  await where.put(clusterBinding('b', 'c', subject));
  await where.put(role('x', 'r', { ...pods, resourceNames: ['p'] }));
  await where.put(binding('x', 'b', { kind: 'Role', name: 'r' }, subject));
  await where.put(binding('x', 'z', { kind: 'Role', name: 'lost' }, subject));
  assert.deepEqual(await where.rbac.rulesFor(alice, 'x'), {
    resourceRules: [pods, { ...pods, resourceNames: ['p'] }],
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }],
    missingRoles: [{ kind: 'Role', name: 'lost' }],
    evaluationError: 'role.rbac.authorization.orch.io "lost" not found',
  });
});

test('users with very large groups leave no memory behind', () => {
  const before = usedHeapBytes();
  for (let i = 0; i < 60; i++) {
    const user = { ...alice, name: `user-${i}`, groups: [`${i}`.repeat(1_000_000)] };
    assert.equal(may(user, 'GET', '/api/v1/namespaces/x/pods'), false);
  }
  // As texts, the keys of the cache would be 60 to 120 MB.
  assert.ok(usedHeapBytes() - before < 30_000_000);
});

test('the caches of rules are bounded in bytes, whatever combinations of groups users have', async () => {
  const resources = Array.from({ length: 2000 }, (_, i) => `resource-${i}`);
  const numbers = Array.from({ length: 12 }, (_, i) => i);
  const policy = await bootstrapped();
  for (const i of numbers) {
    await policy.put(role('x', `role-${i}`, { verbs: [`verb-${i}`], apiGroups: [''], resources }));
    const group = { kind: 'Group', name: `group-${i}` };
    await policy.put(binding('x', `binding-${i}`, { kind: 'Role', name: `role-${i}` }, group));
  }
  const members: User[] = Array.from({ length: 250 }, (_, i) => ({
    ...alice,
    // Every user has another set of groups, and an index of about 12,000 combinations.
    groups: numbers.filter((bit) => ((i * 41) & (1 << bit)) !== 0).map((bit) => `group-${bit}`),
  }));
  const before = usedHeapBytes();
  const isAllowed = (user: User) => may(user, 'GET', '/api/v1/namespaces/x/secrets', policy);
  for (const user of members) assert.equal(isAllowed(user), false);
  assert.ok(usedHeapBytes() - before < 80_000_000, String(usedHeapBytes() - before));
  for (const user of members) assert.equal(isAllowed(user), false);
  const [grant] = policy.rbac.rulesFor(members[7]!, 'x').resourceRules;
  assert.equal(grant?.resources.length, 2000);
});
