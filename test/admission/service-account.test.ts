import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TestResponse, testServer } from '../support/client.ts';

const api = testServer();
const lonely = testServer({ controllers: [] });

const pod = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i:1' }], ...spec },
});

interface TokenVolume {
  readonly name: string;
  readonly projected: { readonly sources: { readonly configMap?: { readonly name: string } }[] };
}

const volumesOf = ({ body }: TestResponse) => (body.spec.volumes ?? []) as TokenVolume[];

/** The path of the service accounts in the namespace of the pods. */
const accountsBeside = (pods: string) => pods.replace(/pods$/, 'serviceaccounts');

test('a pod gets the default service account and a token volume, also in a new namespace', async () => {
  const made = await api.post(await api.namespace('pods'), pod('a'));
  assert.equal(made.code, 201);
  assert.equal(made.body.spec.serviceAccountName, 'default');
  const [volume] = volumesOf(made);
  assert.match(volume!.name, /^orch-api-access-/);
  assert.equal(volume!.projected.sources[1]!.configMap!.name, 'orch-root-ca.crt');
  const [container] = made.body.spec.containers as { volumeMounts: unknown[] }[];
  assert.deepEqual(container!.volumeMounts, [
    { name: volume!.name, readOnly: true, mountPath: '/var/run/secrets/orch.io/serviceaccount' },
  ]);
});

test('automountServiceAccountToken: false of the account or the pod prevents the token volume', async () => {
  const pods = await api.namespace('pods');
  await api.post(accountsBeside(pods), { metadata: { name: 'shy' }, automountServiceAccountToken: false });
  const shy = { serviceAccountName: 'shy' };
  assert.deepEqual(volumesOf(await api.post(pods, pod('a', shy))), []);
  assert.equal(
    volumesOf(await api.post(pods, pod('b', { ...shy, automountServiceAccountToken: true }))).length,
    1,
  );
  assert.deepEqual(volumesOf(await api.post(pods, pod('c', { automountServiceAccountToken: false }))), []);
});

test('a pod waits for a service account that is being created, and is rejected without one', async () => {
  const pods = await lonely.namespace('pods');
  const { code, body } = await lonely.post(pods, pod('a'));
  assert.equal(code, 403);
  assert.match(
    body.message,
    /error looking up service account test-\w+\/default: serviceaccount "default" not found/,
  );
  const [made] = await Promise.all([
    lonely.post(pods, pod('a')),
    lonely.post(accountsBeside(pods), { metadata: { name: 'default' } }),
  ]);
  assert.equal(made.code, 201);
});

test('enforce-mountable-secrets limits a pod to the secrets of its service account', async () => {
  const pods = await api.namespace('pods');
  await api.post(accountsBeside(pods), {
    metadata: { name: 'strict', annotations: { 'orch.io/enforce-mountable-secrets': 'true' } },
    secrets: [{ name: 'own' }],
  });
  const using = (secretName: string) =>
    pod('a', { serviceAccountName: 'strict', volumes: [{ name: 'v', secret: { secretName } }] });
  assert.match((await api.post(pods, using('other'))).body.message, /does not reference that secret/);
  assert.equal((await api.post(pods, using('own'))).code, 201);
});

test('a mirror pod has no service account', async () => {
  const pods = await api.namespace('pods');
  const mirror = (spec: object) => ({
    ...pod('a', { nodeName: 'n', ...spec }),
    metadata: { name: 'a', annotations: { 'orch.io/config.mirror': 'x' } },
  });
  const { body } = await api.post(pods, mirror({ serviceAccountName: 'default' }));
  assert.match(body.message, /a mirror pod may not reference service accounts/);
  const made = await api.post(pods, mirror({}));
  assert.equal(made.body.spec.serviceAccountName, undefined);
  assert.deepEqual(volumesOf(made), []);
});
