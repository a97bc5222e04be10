import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';

const api = testServer();
const without = testServer({ controllers: ['*', '-serviceaccount-controller'] });

const isThere = async (path: string) => (await api.get(path)).code === 200;

/** Watches for the next default service account of a namespace, from now on. */
async function nextAccount(accounts: string, act: () => Promise<unknown>): Promise<void> {
  const { body } = await api.get(accounts);
  const watch = await api.watch(`${accounts}?watch=true&resourceVersion=${body.metadata.resourceVersion}`);
  await act();
  for (let event = await watch.next(); event?.type !== 'ADDED'; event = await watch.next()) assert.ok(event);
  watch.close();
}

test('every namespace has a default service account, which is recreated after deletion', async () => {
  assert.ok(await isThere('/api/v1/namespaces/default/serviceaccounts/default'));
  assert.ok(await isThere('/api/v1/namespaces/orch-system/serviceaccounts/default'));
  const accounts = await api.namespace('serviceaccounts');
  await nextAccount(accounts, async () => {
    await api.get(`${accounts}/default`);
    await api.delete(`${accounts}/default`);
  });
});

test('a namespace created after a restore has one too', async () => {
  const before = api.server.snapshot();
  await api.namespace();
  api.server.restore(before);
  const accounts = await api.namespace('serviceaccounts');
  const pods = accounts.replace(/serviceaccounts$/, 'pods');
  const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };
  // The create waits for the service account.
  assert.equal((await api.post(pods, pod)).code, 201);
  api.server.reset();
  assert.ok(await isThere('/api/v1/namespaces/default/serviceaccounts/default'));
});

test('a terminating namespace gets none', async () => {
  const { client } = api.server;
  const accounts = await api.namespace('serviceaccounts');
  const name = accounts.split('/')[4]!;
  const pods = accounts.replace(/serviceaccounts$/, 'pods');
  await api.post(pods, { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i:1' }] } });
  await api.delete(`/api/v1/namespaces/${name}`);
  await api.delete(`${accounts}/default`);
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: `${name}-next` } });
  // Created after the deletion: if the first one were recreated, it would exist by now.
  const next = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: `${name}-last` } };
  await nextAccount('/api/v1/serviceaccounts', () => client.create(next));
  assert.equal(await isThere(`${accounts}/default`), false);
});

test('the controller can be disabled', async () => {
  const { body } = await without.get('/api/v1/serviceaccounts');
  assert.deepEqual(body.items, []);
});
