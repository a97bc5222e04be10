import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const group = '/apis/rbac.authorization.orch.io/v1';
const roles = kind(http, `${group}/namespaces/default/roles`);
const clusterRoles = kind(http, `${group}/clusterroles`);
const rule = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const of = (change: object) => ({ rules: [{ ...rule, ...change }] });

test('Role: the empty string is the core group, and * is all groups, resources or verbs', async () => {
  const { rules } = await roles.valid(of({ apiGroups: ['', 'apps', '*'], resources: ['*'], verbs: ['*'] }));
  assert.deepEqual(rules, [{ apiGroups: ['', 'apps', '*'], resources: ['*'], verbs: ['*'] }]);
});

test('Role: verbs are required', async () => {
  await roles.invalid(of({ verbs: [] }), 'rules[0].verbs');
});

test('Role: resourceNames is an allow-list and may be left out', async () => {
  await roles.valid(of({ resourceNames: ['one', 'two'] }));
  await roles.valid(of({}));
});

test('Role: nonResourceURLs apply only to a cluster-wide role', async () => {
  const paths = { rules: [{ nonResourceURLs: ['/healthz/*'], verbs: ['get'] }] };
  await clusterRoles.valid(paths);
  await roles.invalid(paths, 'rules[0].nonResourceURLs');
});

test('Role: a * in nonResourceURLs is the whole of the last segment', async () => {
  const of = (...nonResourceURLs: string[]) => ({ rules: [{ nonResourceURLs, verbs: ['get'] }] });
  await clusterRoles.valid(of('*', '/healthz', '/healthz/*'));
  for (const bad of ['/hea*', '/a/*/b', '/*a']) {
    await clusterRoles.invalid(of('/healthz', bad), 'rules[0].nonResourceURLs[1]');
  }
});

test('Role: a rule applies to API resources or to non-resource URL paths, never to both', async () => {
  await clusterRoles.invalid(of({ nonResourceURLs: ['/healthz'] }), 'rules[0].nonResourceURLs');
});

test('Role: any of the listed groups may match, and rules decide who may do what', async () => {
  const name = 'any-group';
  const verbs = ['get'];
  await http.post(`${group}/clusterroles`, {
    metadata: { name },
    rules: [{ verbs, apiGroups: ['apps', 'batch'], resources: ['jobs', 'deployments'] }],
  });
  await http.post(`${group}/clusterrolebindings`, {
    metadata: { name },
    roleRef: { kind: 'ClusterRole', name },
    subjects: [{ kind: 'User', name }],
  });
  const code = async (path: string) => (await http.get(path, { 'impersonate-user': name })).code;
  assert.equal(await code('/apis/batch/v1/namespaces/default/jobs/none'), 404);
  assert.equal(await code('/apis/apps/v1/namespaces/default/deployments/none'), 404);
  assert.equal(await code('/apis/apps/v1/namespaces/default/deployments'), 403);
  assert.equal(await code('/api/v1/namespaces/default/pods/none'), 403);
});
