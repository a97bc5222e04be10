import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { ApiError, startServer } from '../../src/index.ts';

const configMap = (name: string, data: Record<string, string> = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data,
});

test('startServer serves in this process and stops', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  assert.equal((await fetch(`${server.url}/api/v1/namespaces`)).status, 200);
  assert.match(server.kubeconfig, new RegExp(`server: "?${server.url}`));
  await server.stop();
  await assert.rejects(fetch(`${server.url}/api/v1/namespaces`));
});

test('many servers run at once and share no state', async () => {
  const servers = await Promise.all(Array.from({ length: 20 }, () => startServer()));
  await servers[0]!.client.create(configMap('only-here'));
  const counts = await Promise.all(
    servers.map(
      async ({ client }) =>
        (await client.list({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default' })).items.length,
    ),
  );
  assert.deepEqual(counts, [1, ...Array.from({ length: 19 }, () => 0)]);
  await Promise.all(servers.map((server) => server.stop()));
});

test('the client uses the same API as HTTP', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const { client } = server;
  const created = await client.create(configMap('a', { k: '1' }));
  const updated = await client.update({ ...configMap('a', { k: '2' }), metadata: created.metadata });
  assert.notEqual(updated.metadata.resourceVersion, created.metadata.resourceVersion);
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', namespace: 'default' };
  assert.deepEqual((await client.get(reference)).data, { k: '2' });
  await assert.rejects(
    client.create(configMap('a')),
    (error) => error instanceof ApiError && error.code === 409,
  );
  await assert.rejects(client.create({ ...configMap('b'), nope: 1 } as never), /unknown field "nope"/);
  await client.delete(reference);
  await assert.rejects(client.get(reference), (error) => error instanceof ApiError && error.code === 404);
});

test('snapshot, restore and reset restore states, and revisions never decrease', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const { client } = server;
  const list = () => client.list({ apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default' });
  const names = async () => (await list()).items.map((item) => item.metadata.name);
  await client.create(configMap('a'));
  const snapshot = server.snapshot();
  const { metadata } = await client.create(configMap('b'));
  server.restore(snapshot);
  assert.deepEqual(await names(), ['a']);
  assert.ok(Number((await list()).resourceVersion) >= Number(metadata.resourceVersion));
  server.reset();
  assert.deepEqual(await names(), []);
  await client.create(configMap('c'));
  assert.deepEqual(await names(), ['c']);
});

test('a token is invalid on another server, even with a service account of the same name', async (t) => {
  const [server, other] = await Promise.all([startServer(), startServer()]);
  t.after(() => Promise.all([server.stop(), other.stop()]));
  const metadata = { name: 'builder', namespace: 'default' };
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata };
  await server.client.create(account);
  await other.client.create(account);
  const ask = async (path: string, init: RequestInit) => {
    const headers = { 'content-type': 'application/json', ...init.headers };
    const response = await fetch(server.url + path, { ...init, headers });
    return { code: response.status, text: await response.text() };
  };
  const path = '/api/v1/namespaces/default/serviceaccounts/builder/token';
  const { text } = await ask(path, { method: 'POST', body: '{}' });
  const { token } = (JSON.parse(text) as { status: { token: string } }).status;
  const codeWithToken = async () =>
    (await ask('/api', { headers: { authorization: `Bearer ${token}` } })).code;
  assert.equal(await codeWithToken(), 200);
  // On that server the service account may have been written at the same revision.
  server.restore(other.snapshot());
  assert.equal(await codeWithToken(), 401);
});

test('a watch ends when the state is restored, so that its client lists again', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const response = await fetch(`${server.url}/api/v1/namespaces/default/configmaps?watch=1`);
  const ended = response.text();
  server.reset();
  assert.equal(await ended, '');
});

test('Events expire after their TTL', async (t) => {
  const server = await startServer({ eventTtl: 60_000 });
  t.after(() => server.stop());
  const { status } = await fetch(`${server.url}/api/v1/namespaces/default/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
      reason: 'Test',
      type: 'Normal',
    }),
  });
  assert.equal(status, 201);
  server.clock.advance(61_000);
  const { items } = await server.client.list({ apiVersion: 'v1', kind: 'Event' });
  assert.deepEqual(items, []);
});

async function listening(): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

test('a server that cannot open its second port closes the first', async (t) => {
  const certDir = await mkdtemp(join(tmpdir(), 'orch-embedding-'));
  t.after(() => rm(certDir, { recursive: true }));
  const taken = await listening();
  t.after(() => taken.server.close());
  const free = await listening();
  free.server.close();
  await once(free.server, 'close');
  const options = { httpPort: free.port, securePort: taken.port, certDir };
  await assert.rejects(startServer(options), /EADDRINUSE/);
  const again = createServer().listen(free.port, '127.0.0.1');
  t.after(() => again.close());
  await once(again, 'listening');
});

test('startServer names an unknown option and an invalid value', async () => {
  const start = (options: object) => startServer(options as Parameters<typeof startServer>[0]);
  const mistakes: [object, string][] = [
    [{ dialect: 'k8s' }, 'startServer: dialect must be orch or kubernetes, not "k8s"'],
    [{ dialekt: 'orch' }, 'startServer has no option dialekt (did you mean dialect?)'],
    [{ storage: 'lmdb' }, 'startServer has no option storage'],
    [{ httpPort: '8080' }, 'startServer: httpPort must be a port from 0 to 65535, not "8080"'],
    [{ controllers: '*' }, 'startServer: controllers must be an array of strings, not "*"'],
    [{ featureGates: true }, 'startServer: featureGates must be an object, not true'],
    [{ eventTtl: '1h' }, 'startServer: eventTtl must be a number of at least 0, not "1h"'],
    [{ allowPrivileged: 1 }, 'startServer: allowPrivileged must be true or false, not 1'],
    [{ tokenAuthFile: 7 }, 'startServer: tokenAuthFile must be a string, not 7'],
  ];
  for (const [options, message] of mistakes) {
    await assert.rejects(start(options), { name: 'TypeError', message });
  }
});

test('startServer uses the default for an undefined option', async (t) => {
  const server = await startServer({ dialect: undefined, runtimeConfig: undefined } as object);
  t.after(() => server.stop());
  assert.equal((await fetch(`${server.url}/apis/storage.orch.io`)).status, 200);
});

test('startServer with securePort and without certDir writes no files', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'orch-embedding-'));
  const before = process.cwd();
  process.chdir(folder);
  t.after(() => rm(folder, { recursive: true }));
  t.after(() => process.chdir(before));
  const server = await startServer({ httpPort: undefined, securePort: 0 });
  t.after(() => server.stop());
  assert.match(server.url, /^https:/);
  const config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  const { items } = await config.makeApiClient(CoreV1Api).listNamespace();
  assert.equal(items.length, 4);
  assert.deepEqual(await readdir(folder), []);
});

test("@kubernetes/client-node loads an embedded server's kubeconfig", async (t) => {
  const server = await startServer({ dialect: 'kubernetes' });
  t.after(() => server.stop());
  const config = new KubeConfig();
  config.loadFromString(server.kubeconfig);
  const { items } = await config.makeApiClient(CoreV1Api).listNamespace();
  assert.deepEqual(items.map(({ metadata }) => metadata?.name).sort(), [
    'default',
    'kube-node-lease',
    'kube-public',
    'kube-system',
  ]);
});
