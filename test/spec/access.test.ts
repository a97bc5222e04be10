import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authority } from '../parity/corpus/certificates-data.ts';
import { everythingServed } from './support.ts';

const http = await everythingServed();
const apiGroup = 'rbac.authorization.orch.io';
const rbac = `/apis/${apiGroup}/v1`;
const bundles = '/apis/certificates.orch.io/v1alpha1/clustertrustbundles';

const as = (user: string) => ({ 'impersonate-user': user });
/** The status code of a user's request. */
const code = async (user: string, method: string, path: string, body?: unknown) =>
  (await http.request(method, path, body, as(user))).code;

async function made(path: string, body: object): Promise<void> {
  const response = await http.post(path, body);
  assert.equal(response.code, 201, response.text);
}

/** Grants a user these permissions in a namespace, or cluster-wide. */
async function grant(user: string, rules: object[], namespace?: string): Promise<void> {
  const at = namespace === undefined ? rbac : `${rbac}/namespaces/${namespace}`;
  const [kind, roles, bindings] =
    namespace === undefined
      ? ['ClusterRole', 'clusterroles', 'clusterrolebindings']
      : ['Role', 'roles', 'rolebindings'];
  await made(`${at}/${roles}`, { metadata: { name: user }, rules });
  await made(`${at}/${bindings}`, {
    metadata: { name: user },
    roleRef: { apiGroup, kind, name: user },
    subjects: [{ apiGroup, kind: 'User', name: user }],
  });
}

test('access: rules decide by group, resource, verb and name', async () => {
  await grant('reader', [
    { apiGroups: [''], resources: ['configmaps'], verbs: ['list'] },
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: ['one'] },
  ]);
  const configmaps = '/api/v1/namespaces/default/configmaps';
  assert.equal(await code('reader', 'GET', configmaps), 200);
  assert.equal(await code('reader', 'GET', `${configmaps}/one`), 404);
  assert.equal(await code('reader', 'GET', `${configmaps}/two`), 403);
  assert.equal(await code('reader', 'GET', `${configmaps}?watch=1`), 403);
  assert.equal(await code('reader', 'GET', '/api/v1/namespaces/default/secrets'), 403);
  assert.equal(await code('reader', 'GET', '/apis/apps/v1/deployments'), 403);
});

test('access: namespaced kinds are checked in their namespace', async () => {
  await grant('local', [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }], 'default');
  assert.equal(await code('local', 'GET', '/api/v1/namespaces/default/pods'), 200);
  assert.equal(await code('local', 'GET', '/api/v1/namespaces/orch-system/pods'), 403);
  assert.equal(await code('local', 'GET', '/api/v1/pods'), 403);
  assert.equal(await code('local', 'GET', '/api/v1/nodes'), 403);
});

test('access: subresources are authorized apart from their resource', async () => {
  await grant('writer', [{ apiGroups: [''], resources: ['namespaces'], verbs: ['*'] }]);
  await grant('finalizer', [{ apiGroups: [''], resources: ['namespaces/status'], verbs: ['get'] }]);
  assert.equal(await code('writer', 'GET', '/api/v1/namespaces/default'), 200);
  assert.equal(await code('writer', 'GET', '/api/v1/namespaces/default/status'), 403);
  assert.equal(await code('finalizer', 'GET', '/api/v1/namespaces/default/status'), 200);
  assert.equal(await code('finalizer', 'GET', '/api/v1/namespaces/default'), 403);
});

test('access: nonResourceURLs allow paths', async () => {
  assert.equal(await code('watcher', 'GET', '/metrics'), 403);
  await grant('watcher', [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]);
  assert.equal(await code('watcher', 'GET', '/metrics'), 200);
});

test('access: setting the signer of a ClusterTrustBundle needs the verb attest on the signer', async () => {
  const write = { apiGroups: ['certificates.orch.io'], resources: ['clustertrustbundles'], verbs: ['*'] };
  const attest = { apiGroups: ['certificates.orch.io'], resources: ['signers'], verbs: ['attest'] };
  await grant('publisher', [write]);
  await grant('attester', [write, { ...attest, resourceNames: ['example.com/foo'] }]);
  await grant('namespaced-attester', [write]);
  await grant('namespaced-attester', [attest], 'default');
  const bundle = (name: string, signerName?: string) => ({
    metadata: { name },
    spec: { trustBundle: authority, ...(signerName && { signerName }) },
  });
  const foo = bundle('example.com:foo:a', 'example.com/foo');
  assert.equal(await code('publisher', 'POST', bundles, bundle('plain')), 201);
  const refused = await http.request('POST', bundles, foo, as('publisher'));
  assert.equal(refused.code, 403);
  assert.equal(
    refused.body.message,
    'clustertrustbundles.certificates.orch.io "example.com:foo:a" is forbidden: user not permitted to attest for signerName "example.com/foo"',
  );
  // The permission is cluster-wide.
  assert.equal(await code('namespaced-attester', 'POST', bundles, foo), 403);
  assert.equal(await code('attester', 'POST', bundles, foo), 201);
  assert.equal(await code('attester', 'POST', bundles, bundle('example.com:bar:a', 'example.com/bar')), 403);
  const label = (user: string) =>
    http.request(
      'PATCH',
      `${bundles}/example.com:foo:a`,
      { metadata: { labels: { a: 'b' } } },
      { ...as(user), 'content-type': 'application/merge-patch+json' },
    );
  assert.equal((await label('publisher')).code, 403);
  assert.equal((await label('attester')).code, 200);
});

test('access: every authenticated user and service account may read ClusterTrustBundles, and no other request', async () => {
  for (const user of ['anybody', 'system:serviceaccount:default:any']) {
    assert.equal(await code(user, 'GET', bundles), 200, user);
    assert.equal(await code(user, 'DELETE', bundles), 403, user);
  }
  assert.equal(await code('system:anonymous', 'GET', bundles), 403);
});

test('access: a user with permissions in one namespace can act as a service account of it', async () => {
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await made(accounts, { metadata: { name: 'owner' } });
  const impersonate = { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['impersonate'] };
  await grant('system:serviceaccount:default:owner', [impersonate], 'default');
  const { body } = await http.post(`${accounts}/owner/token`, { spec: {} });
  const { token } = body.status as { token: string };
  const read = async (user: string) =>
    (await http.get(bundles, { authorization: `Bearer ${token}`, ...as(user) })).code;
  assert.equal(await read('system:serviceaccount:default:any'), 200);
  assert.equal(await read('system:serviceaccount:orch-system:any'), 403);
  assert.equal(await read('somebody'), 403);
});

test('access: every operation with unknown credentials is 401', async () => {
  const maps = '/api/v1/namespaces/default/configmaps';
  for (const [method, path, body] of [
    ['GET', `${maps}/a`],
    ['GET', maps],
    ['GET', `${maps}?watch=1`],
    ['POST', maps, {}],
    ['PUT', `${maps}/a`, {}],
    ['PATCH', `${maps}/a`, {}],
    ['DELETE', `${maps}/a`],
    ['DELETE', maps],
    ['GET', '/api/v1/namespaces/default/status'],
    ['PUT', '/api/v1/namespaces/default/status', {}],
  ] as const) {
    const { code, body: status } = await http.request(method, path, body, { authorization: 'Bearer nope' });
    assert.equal(code, 401, `${method} ${path}`);
    assert.equal(status.reason, 'Unauthorized');
  }
});
