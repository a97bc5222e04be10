import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const group = '/apis/rbac.authorization.orch.io/v1';
const roles = kind(http, `${group}/namespaces/default/roles`);
const clusterRoles = kind(http, `${group}/clusterroles`);
const rule = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const of = (change: object) => ({ rules: [{ ...rule, ...change }] });

let users = 0;

/** A user with these rules, by a ClusterRole that is bound in the cluster or in the namespace `default`. */
async function userWith(rules: object[], scope: 'cluster' | 'namespace' = 'cluster') {
  const name = `user-${++users}`;
  const made = await http.post(`${group}/clusterroles`, { metadata: { name }, rules });
  assert.equal(made.code, 201, made.text);
  const bindings = scope === 'cluster' ? 'clusterrolebindings' : 'namespaces/default/rolebindings';
  const bound = await http.post(`${group}/${bindings}`, {
    metadata: { name },
    roleRef: { kind: 'ClusterRole', name },
    subjects: [{ kind: 'User', name }],
  });
  assert.equal(bound.code, 201, bound.text);
  return async (path: string, method = 'GET') =>
    (await http.request(method, path, undefined, { 'impersonate-user': name })).code;
}

const pod = '/api/v1/namespaces/default/pods/none';
const deployment = '/apis/apps/v1/namespaces/default/deployments/none';

test('Role: the empty string is the core group, and * is all groups, resources or verbs', async () => {
  const resources = ['pods', 'deployments'];
  const verbs = ['get'];
  const ofCore = await userWith([{ apiGroups: [''], resources, verbs }]);
  assert.deepEqual([await ofCore(pod), await ofCore(deployment)], [404, 403]);
  const ofAllGroups = await userWith([{ apiGroups: ['*'], resources, verbs }]);
  assert.deepEqual([await ofAllGroups(pod), await ofAllGroups(deployment)], [404, 404]);
  const ofAllResources = await userWith([{ apiGroups: ['apps'], resources: ['*'], verbs }]);
  assert.deepEqual([await ofAllResources(deployment), await ofAllResources(pod)], [404, 403]);
  assert.equal(await ofAllResources(deployment, 'DELETE'), 403);
  const withAllVerbs = await userWith([{ apiGroups: [''], resources: ['pods'], verbs: ['*'] }]);
  assert.deepEqual([await withAllVerbs(pod), await withAllVerbs(pod, 'DELETE')], [404, 404]);
  assert.equal(await withAllVerbs(pod.replace('pods', 'secrets')), 403);
});

test('Role: verbs are required', async () => {
  await roles.invalid(of({ verbs: [] }), 'rules[0].verbs');
});

test('Role: resourceNames is an allow-list and may be absent', async () => {
  const named = await userWith([{ ...rule, resourceNames: ['one', 'two'] }]);
  const at = (name: string) => pod.replace('none', name);
  assert.deepEqual(
    [await named(at('one')), await named(at('two')), await named(at('three'))],
    [404, 404, 403],
  );
  for (const resourceNames of [[], undefined]) {
    const all = await userWith([{ ...rule, resourceNames }]);
    assert.deepEqual([await all(at('one')), await all(at('three'))], [404, 404]);
  }
});

test('Role: nonResourceURLs apply only to a cluster-wide role that is bound cluster-wide', async () => {
  const paths = { rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }] };
  await roles.invalid(paths, 'rules[0].nonResourceURLs');
  assert.equal(await (await userWith(paths.rules, 'namespace'))('/metrics'), 403);
  assert.equal(await (await userWith(paths.rules))('/metrics'), 200);
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
