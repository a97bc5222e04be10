import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { defaultOptions, type ServerOptions } from '../../src/server/options.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import { type Body, testServer } from '../support/client.ts';
import { runServer } from '../support/servers.ts';

const server = testServer();
const everything: ServerOptions = {
  ...defaultOptions,
  storage: 'memory',
  httpPort: 0,
  securePort: undefined,
  featureGates: { AllAlpha: true, AllBeta: true },
  runtimeConfig: { 'api/all': true },
};
const group = '/apis/rbac.authorization.orch.io/v1';

const as = (user: string) => ({ 'impersonate-user': user });
const role = (name: string, rules: object[], labels = {}) => ({ metadata: { name, labels }, rules });
const binding = (name: string, role: string, user: string) => ({
  metadata: { name },
  roleRef: { kind: 'ClusterRole', name: role },
  subjects: [{ kind: 'User', name: user }],
});
const reads = (...resources: string[]) => ({ verbs: ['get'], apiGroups: [''], resources });
const post = (user: string, path: string, body: object) => server.request('POST', path, body, as(user));

test('a permission applies from the creation of its binding to its deletion', async () => {
  const path = '/api/v1/namespaces/default/configmaps/none';
  assert.equal((await server.get(path, as('ann'))).code, 403);
  await server.post(`${group}/clusterroles`, role('reader', [reads('configmaps')]));
  await server.post(`${group}/clusterrolebindings`, binding('ann', 'reader', 'ann'));
  assert.equal((await server.get(path, as('ann'))).code, 404);
  await server.delete(`${group}/clusterrolebindings/ann`);
  assert.equal((await server.get(path, as('ann'))).code, 403);
});

test('a user cannot grant permissions beyond their own, except with escalate or bind', async () => {
  const writes = { verbs: ['create'], apiGroups: ['rbac.authorization.orch.io'], resources: ['*'] };
  await server.post(`${group}/clusterroles`, role('writer', [writes, reads('pods')]));
  await server.post(`${group}/clusterrolebindings`, binding('ben', 'writer', 'ben'));
  const roles = `${group}/namespaces/default/roles`;
  assert.equal((await post('ben', roles, role('fine', [reads('pods')]))).code, 201);
  const refused = await post('ben', roles, role('more', [reads('pods', 'secrets')]));
  assert.equal(refused.code, 403);
  assert.equal(
    refused.body.message,
    'roles.rbac.authorization.orch.io "more" is forbidden: user "ben" (groups=["system:authenticated"]) is attempting ' +
      'to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
  );
  const bindings = `${group}/namespaces/default/rolebindings`;
  assert.equal((await post('ben', bindings, binding('b', 'cluster-admin', 'ben'))).code, 403);
  const special = { ...writes, verbs: ['escalate', 'bind'] };
  await server.put(`${group}/clusterroles/writer`, role('writer', [writes, special]));
  assert.equal((await post('ben', roles, role('more', [reads('secrets')]))).code, 201);
  assert.equal((await post('ben', bindings, binding('b', 'cluster-admin', 'ben'))).code, 201);
});

test('a rule with too many permissions to compare is rejected quickly', async () => {
  await server.post(`${group}/clusterroles`, role('maker', [{ ...reads('x'), verbs: ['get'] }]));
  const writes = { verbs: ['create'], apiGroups: ['rbac.authorization.orch.io'], resources: ['roles'] };
  await server.post(`${group}/clusterroles`, role('role-maker', [writes]));
  await server.post(`${group}/clusterrolebindings`, binding('cid', 'role-maker', 'cid'));
  const many = Array.from({ length: 1000 }, (_, n) => `r${n}`);
  const bomb = role('bomb', [{ verbs: many, apiGroups: many, resources: many, resourceNames: many }]);
  const { code, body } = await post('cid', `${group}/namespaces/default/roles`, bomb);
  assert.equal(code, 403);
  assert.match(body.message, /its rules name more permissions than can be compared with yours$/);
});

test('admin, edit and view aggregate the rules of labelled ClusterRoles', async () => {
  const view = await server.get(`${group}/clusterroles/view`);
  assert.ok((view.body.rules as object[]).length > 5);
  const { resourceVersion } = (await server.get(`${group}/clusterroles?limit=1`)).body.metadata;
  const watch = await server.watch(`${group}/clusterroles?watch=true&resourceVersion=${resourceVersion}`);
  const labels = { 'rbac.authorization.orch.io/aggregate-to-view': 'true' };
  await server.post(`${group}/clusterroles`, role('widgets', [reads('widgets')], labels));
  const changed = new Map<string, Body>();
  while (changed.size < 4) {
    const { object } = (await watch.next())!;
    changed.set(object.metadata.name, object);
  }
  watch.close();
  assert.deepEqual([...changed.keys()].sort(), ['admin', 'edit', 'view', 'widgets']);
  for (const name of ['view', 'edit', 'admin']) {
    const rules = changed.get(name)?.rules as { resources: string[] }[];
    assert.ok(
      rules.some(({ resources }) => resources.includes('widgets')),
      name,
    );
  }
});

/** Runs a server during `use`, and stops it in any case. */
async function serving<T>(options: ServerOptions, work: (own: RunningServer) => Promise<T>): Promise<T> {
  const own = await runServer(options, { logger: silentLogger });
  try {
    return await work(own);
  } finally {
    await own.stop();
  }
}

test('authenticated users may read ClusterTrustBundles, anonymous requests may not', () =>
  serving(everything, async ({ url }) => {
    const path = '/apis/certificates.orch.io/v1alpha1/clustertrustbundles';
    const codeFor = async (user: string) => (await fetch(url + path, { headers: as(user) })).status;
    assert.equal(await codeFor('dan'), 200);
    assert.equal(await codeFor('system:serviceaccount:default:robot'), 200);
    assert.equal(await codeFor('system:anonymous'), 403);
  }));

test('bootstrap roles are reconciled at start, except those with autoupdate false', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'orch-rbac-'));
  const options: ServerOptions = { ...everything, storage: 'lmdb', dataDir, certDir: join(dataDir, 'pki') };
  const apiVersion = 'rbac.authorization.orch.io/v1';
  const named = (name: string) => ({ apiVersion, kind: 'ClusterRole', name });
  const bound = { apiVersion, kind: 'ClusterRoleBinding', name: 'system:basic-user' };
  const extra = reads('widgets');
  try {
    const was = await serving(options, async ({ client }) => {
      const basic = await client.get(named('system:basic-user'));
      await client.update({ ...basic, rules: [extra], metadata: { ...basic.metadata, labels: {} } });
      const discovery = await client.get(named('system:discovery'));
      const annotations = { 'rbac.authorization.orch.io/autoupdate': 'false' };
      await client.update({ ...discovery, rules: [], metadata: { ...discovery.metadata, annotations } });
      await client.delete(named('system:monitoring'));
      const { roleRef, subjects } = await client.get(bound);
      await client.delete(bound);
      const other = { ...(roleRef as object), name: 'view' };
      await client.create({ apiVersion, kind: bound.kind, metadata: { name: bound.name }, roleRef: other });
      return { roleRef, subjects };
    });
    const settled = await serving(options, async ({ client }) => {
      const basic = await client.get(named('system:basic-user'));
      assert.deepEqual((basic.rules as object[])[0], extra);
      assert.equal((basic.rules as object[]).length, 4);
      assert.deepEqual(basic.metadata.labels, { 'orch.io/bootstrapping': 'rbac-defaults' });
      assert.equal((await client.get(named('system:discovery'))).rules, null);
      assert.ok((await client.get(named('system:monitoring'))).rules);
      const { roleRef, subjects } = await client.get(bound);
      assert.deepEqual({ roleRef, subjects }, was);
      return client.list({ apiVersion, kind: 'ClusterRole' });
    });
    await serving(options, async ({ client }) => {
      const again = await client.list({ apiVersion, kind: 'ClusterRole' });
      assert.equal(again.resourceVersion, settled.resourceVersion);
    });
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

test('a server starts although a finalizer blocks the reconciliation of a binding', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'orch-rbac-'));
  const options: ServerOptions = { ...everything, storage: 'lmdb', dataDir, certDir: join(dataDir, 'pki') };
  const apiVersion = 'rbac.authorization.orch.io/v1';
  const bound = { apiVersion, kind: 'ClusterRoleBinding', name: 'system:basic-user' };
  try {
    await serving(options, async ({ client }) => {
      const { roleRef } = await client.get(bound);
      await client.delete(bound);
      await client.create({
        apiVersion,
        kind: bound.kind,
        metadata: { name: bound.name, finalizers: ['example.com/keep'] },
        roleRef: { ...(roleRef as object), name: 'view' },
      });
    });
    await serving(options, async ({ client }) => {
      assert.ok((await client.get(bound)).metadata.deletionTimestamp);
    });
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
