import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes, orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { clusterroles } from './clusterrole-definition.ts';
import { clusterrolebindings } from './clusterrolebinding.ts';
import { roles } from './role.ts';
import { rolebindings } from './rolebinding-definition.ts';

const context = { dialect: orch, features: everyFeature };
const role = roles(context);
const clusterRole = clusterroles(context);
const roleBinding = rolebindings(context);
const roleRef = { apiGroup: 'rbac.authorization.orch.io', kind: 'Role', name: 'r' };

const problemsOf = (rule: object) => tryCreate(role, { rules: [rule] }).problems;

test('a rule needs verbs', () => {
  assert.deepEqual(problemsOf({ apiGroups: [''], resources: ['pods'] }), [
    'rules[0].verbs: Required value: verbs must contain at least one value',
  ]);
  assert.deepEqual(problemsOf({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }), []);
});

test('a rule for resources needs groups, of which the empty string is core, and resources', () => {
  assert.deepEqual(problemsOf({ verbs: ['get'] }), [
    'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
    'rules[0].resources: Required value: resource rules must supply at least one resource',
  ]);
  assert.deepEqual(
    problemsOf({ verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['p'] }),
    [],
  );
});

test('nonResourceURLs apply only to a cluster-wide role', () => {
  const rule = { verbs: ['get'], nonResourceURLs: ['/healthz/*'] };
  assert.deepEqual(problemsOf(rule), [
    'rules[0].nonResourceURLs: Invalid value: []string{"/healthz/*"}: namespaced rules cannot apply to non-resource URLs',
  ]);
  assert.deepEqual(tryCreate(clusterRole, { rules: [rule] }).problems, []);
});

test('a rule applies to API resources or to non-resource URL paths, never to both', () => {
  const rule = { verbs: ['get'], nonResourceURLs: ['/x'], apiGroups: [''], resources: ['pods'] };
  assert.deepEqual(tryCreate(clusterRole, { rules: [rule] }).problems, [
    'rules[0].nonResourceURLs: Invalid value: []string{"/x"}: rules cannot apply to both regular resources and non-resource URLs',
  ]);
});

test('a * ends a path in the dialect of the specification, and stands anywhere in the other', () => {
  const rules = [{ verbs: ['get'], nonResourceURLs: ['*', '/healthz/*', '/hea*'] }];
  assert.deepEqual(tryCreate(clusterRole, { rules }).problems, [
    'rules[0].nonResourceURLs[2]: Invalid value: "/hea*": \'*\' may only be the whole of the last segment of a path',
  ]);
  const other = clusterroles({ dialect: kubernetes, features: everyFeature });
  assert.deepEqual(tryCreate(other, { rules }).problems, []);
});

test('a role that gathers others says which', () => {
  assert.deepEqual(tryCreate(clusterRole, { aggregationRule: {} }).problems, [
    'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
  ]);
});

test('a binding fills in the group of roles, users and groups, and none for service accounts', () => {
  const { object } = tryCreate(roleBinding, {
    roleRef: { kind: 'Role', name: 'r' },
    subjects: [
      { kind: 'User', name: 'u' },
      { kind: 'ServiceAccount', name: 's' },
    ],
  });
  assert.equal(object.roleRef.apiGroup, 'rbac.authorization.orch.io');
  assert.deepEqual(
    object.subjects?.map(({ apiGroup }) => apiGroup),
    ['rbac.authorization.orch.io', undefined],
  );
});

test('a service account in a cluster-wide binding has a namespace', () => {
  const { problems } = tryCreate(clusterrolebindings(context), {
    roleRef: { ...roleRef, kind: 'ClusterRole' },
    subjects: [{ kind: 'ServiceAccount', name: 's' }],
  });
  assert.deepEqual(problems, ['subjects[0].namespace: Required value']);
});

test('the role of a binding cannot be changed', () => {
  const { problems } = tryUpdate(roleBinding, { roleRef }, { roleRef: { ...roleRef, name: 'x' } });
  assert.deepEqual(problems, [
    'roleRef: Invalid value: rbac.RoleRef{APIGroup:"rbac.authorization.orch.io", Kind:"Role", Name:"x"}: cannot change roleRef',
  ]);
});
