import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Body } from '../support/client.ts';
import { SecuredServer } from '../support/secured-server.ts';

const api = new SecuredServer();
const day = 24 * 60 * 60_000;

const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
const merge = { 'content-type': 'application/merge-patch+json' };

/** A new namespace with a service account. */
async function account(name = 'builder') {
  const accounts = await api.namespace('serviceaccounts');
  const secrets = accounts.replace(/serviceaccounts$/, 'secrets');
  const { body } = await api.post(accounts, { metadata: { name } });
  return { accounts, secrets, path: `${accounts}/${name}`, uid: body.metadata.uid };
}

async function ask(secrets: string, name: string, more: object = {}, annotations: object = {}) {
  const { code, text } = await api.post(secrets, {
    metadata: { name, annotations: { 'orch.io/service-account.name': 'builder', ...annotations } },
    type: 'orch.io/service-account-token',
    ...more,
  });
  assert.equal(code, 201, text);
}

async function until(path: string, isReached: (body: Body, code: number) => boolean): Promise<Body> {
  for (let i = 0; i < 4_000; i++) {
    const { body, code } = await api.get(path);
    if (isReached(body, code)) return body;
    await settle();
  }
  assert.fail(`not in time: ${(await api.get(path)).text}`);
}
const filled = (path: string) => until(path, ({ data }) => !!data?.token);
const gone = (path: string) => until(path, (_body, code) => code === 404);
const decoded = (text: string | undefined) => Buffer.from(text ?? '', 'base64').toString();

test('a token Secret is filled with token, namespace and CA', async () => {
  const { secrets, uid } = await account();
  await ask(secrets, 'token');
  const { data, metadata } = await filled(`${secrets}/token`);
  assert.equal(decoded(data.namespace), secrets.split('/')[4]);
  assert.equal(decoded(data['ca.crt']), api.server.caCertificate);
  assert.equal(metadata.annotations['orch.io/service-account.uid'], uid);
  const response = await api.request(
    'POST',
    '/apis/authentication.orch.io/v1/selfsubjectreviews',
    {},
    { authorization: `Bearer ${decoded(data.token)}` },
  );
  assert.equal(response.code, 201, response.text);
  const { userInfo } = response.body.status as { userInfo: { username: string; uid: string } };
  assert.deepEqual(
    [userInfo.username, userInfo.uid],
    [`system:serviceaccount:${secrets.split('/')[4]}:builder`, uid],
  );
});

test('an existing token stays, and the CA is updated', async () => {
  const { secrets } = await account();
  const own = Buffer.from('mine').toString('base64');
  await ask(secrets, 'token', { data: { token: own, namespace: own, 'ca.crt': own } });
  const isCertified = ({ data }: Body) => decoded(data['ca.crt']) === api.server.caCertificate;
  const { data } = await until(`${secrets}/token`, isCertified);
  assert.deepEqual([data.token, data.namespace], [own, own]);
});

test('a token Secret of a missing or recreated service account is deleted', async () => {
  const { secrets } = await account('other');
  await ask(secrets, 'nobody');
  await gone(`${secrets}/nobody`);
  const { secrets: others } = await account();
  await ask(others, 'wrong', {}, { 'orch.io/service-account.uid': 'another' });
  await gone(`${others}/wrong`);
});

test('token Secrets are deleted with their service account', async () => {
  const { secrets, path } = await account();
  for (const name of ['one', 'two']) await ask(secrets, name);
  for (const name of ['one', 'two']) await filled(`${secrets}/${name}`);
  await api.post(secrets, { metadata: { name: 'unrelated' } });
  await api.delete(path);
  for (const name of ['one', 'two']) await gone(`${secrets}/${name}`);
  assert.equal((await api.get(`${secrets}/unrelated`)).code, 200);
});

test('a deleted Secret is removed from the service account', async () => {
  const { secrets, path } = await account();
  await ask(secrets, 'token');
  await filled(`${secrets}/token`);
  const named = { secrets: [{ name: 'token' }, { name: 'elsewhere' }] };
  assert.equal((await api.request('PATCH', path, named, merge)).code, 200);
  await api.delete(`${secrets}/token`);
  await until(path, (body) => (body.secrets as unknown[]).length === 1);
  assert.deepEqual((await api.get(path)).body.secrets, [{ name: 'elsewhere' }]);
});

test('auto-generated tokens are marked invalid after a year without use, and deleted a year later', async () => {
  const { secrets, path } = await account();
  const names = ['unused', 'mounted', 'used', 'by-hand'];
  for (const name of names) await ask(secrets, name);
  for (const name of names) await filled(`${secrets}/${name}`);
  const made = names.filter((name) => name !== 'by-hand').map((name) => ({ name }));
  assert.equal((await api.request('PATCH', path, { secrets: made }, merge)).code, 200);
  const pods = secrets.replace(/secrets$/, 'pods');
  const pod = {
    metadata: { name: 'p' },
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      volumes: [{ name: 'v', secret: { secretName: 'mounted' } }],
      serviceAccountName: 'builder',
    },
  };
  const running = await api.post(pods, pod);
  assert.equal(running.code, 201, running.text);

  const invalidSince = 'orch.io/legacy-token-invalid-since';
  const use = async (name: string) => {
    const token = decoded((await api.get(`${secrets}/${name}`)).body.data.token);
    return (await api.request('GET', '/api', undefined, { authorization: `Bearer ${token}` })).code;
  };
  api.clock.advance(364 * day);
  assert.equal(await use('used'), 200);
  await until(
    `${secrets}/used`,
    ({ metadata }) => 'orch.io/legacy-token-last-used' in (metadata.labels ?? {}),
  );
  assert.equal((await api.get(`${secrets}/unused`)).body.metadata.labels, undefined);
  api.clock.advance(2 * day);
  await until(`${secrets}/unused`, ({ metadata }) => invalidSince in (metadata.labels ?? {}));
  assert.equal(await use('unused'), 401);
  for (const name of ['mounted', 'used', 'by-hand']) {
    assert.equal((await api.get(`${secrets}/${name}`)).body.metadata.labels?.[invalidSince], undefined, name);
  }
  api.clock.advance(367 * day);
  await gone(`${secrets}/unused`);
  await until(`${secrets}/used`, ({ metadata }) => invalidSince in (metadata.labels ?? {}));
  for (const name of ['mounted', 'by-hand']) assert.equal((await api.get(`${secrets}/${name}`)).code, 200);
});
