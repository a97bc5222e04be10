// The client of an embedded server: every verb, watches, informers, other users, and the errors of the API.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import type { V1ConfigMap, V1Deployment } from '@kubernetes/client-node';
import { ApiError, type EmbeddedServer, startServer } from '../../src/index.ts';

let server: EmbeddedServer;
before(async () => {
  server = await startServer({ dialect: 'kubernetes' });
});
after(() => server.stop());

const configMaps = () => server.client.of<V1ConfigMap>('v1', 'ConfigMap');
const configMap = (name: string, data: Record<string, string> = {}, namespace = 'default'): V1ConfigMap => ({
  metadata: { name, namespace, labels: { app: name } },
  data,
});
const inDefault = (name: string) => ({ name, namespace: 'default' });
const rejectsWith = (code: number, message: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.code === code && message.test(error.message);

test('objects are created, read, updated, patched and deleted', async () => {
  const created = await configMaps().create(configMap('verbs', { a: '1' }));
  assert.deepEqual([created.apiVersion, created.kind, created.data], ['v1', 'ConfigMap', { a: '1' }]);
  const updated = await configMaps().update({ ...created, data: { a: '2' } });
  assert.notEqual(updated.metadata?.resourceVersion, created.metadata?.resourceVersion);
  const merged = await configMaps().patch(inDefault('verbs'), { data: { b: '3' } });
  assert.deepEqual(merged.data, { a: '2', b: '3' });
  const operations = [{ op: 'remove', path: '/data/a' }];
  assert.deepEqual((await configMaps().patch(inDefault('verbs'), operations)).data, { b: '3' });
  assert.deepEqual((await configMaps().get(inDefault('verbs'))).data, { b: '3' });
  await configMaps().delete(inDefault('verbs'));
  await assert.rejects(
    configMaps().get(inDefault('verbs')),
    rejectsWith(404, /configmaps "verbs" not found/),
  );
});

test('a strategic merge patch merges containers by name, and a status is updated separately', async () => {
  const deployments = server.client.of<V1Deployment>('apps/v1', 'Deployment');
  const container = (name: string, image: string) => ({ name, image });
  const labels = { app: 'web' };
  const created = await deployments.create({
    metadata: inDefault('web'),
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [container('a', 'a:1'), container('b', 'b:1')] },
      },
    },
  });
  const change = { spec: { template: { spec: { containers: [container('b', 'b:2')] } } } };
  const { spec } = await deployments.patch(inDefault('web'), change, { type: 'strategic' });
  assert.deepEqual(spec?.template.spec?.containers.map(({ image }) => image).sort(), ['a:1', 'b:2']);
  const latest = await deployments.get(inDefault('web'));
  const { status } = await deployments.updateStatus({ ...latest, status: { replicas: 7 } });
  assert.equal(status?.replicas, 7);
  assert.equal(created.status?.replicas, undefined);
});

test('server-side apply reports conflicts between field managers, unless it is forced', async () => {
  await configMaps().apply(configMap('applied', { color: 'blue' }), { fieldManager: 'one' });
  const other = configMap('applied', { color: 'red' });
  await assert.rejects(
    configMaps().apply(other, { fieldManager: 'two' }),
    rejectsWith(409, /conflict with "one".*data\.color/s),
  );
  const forced = await configMaps().apply(other, { fieldManager: 'two', force: true });
  assert.equal(forced.data?.color, 'red');
});

test('a dry run changes nothing', async () => {
  await configMaps().create(configMap('dry'), { dryRun: true });
  await assert.rejects(configMaps().get(inDefault('dry')), rejectsWith(404, /not found/));
});

test('errors are those of the API: status code, reason, message and details', async () => {
  const response = await fetch(`${server.url}/api/v1/namespaces/default/configmaps/missing`);
  const status = (await response.json()) as { message: string; reason: string; details: object };
  await assert.rejects(configMaps().get(inDefault('missing')), (error) => {
    assert.ok(error instanceof ApiError);
    const { code, reason, message, details } = error;
    assert.deepEqual([code, reason, message, details], [404, status.reason, status.message, status.details]);
    return true;
  });
  await assert.rejects(
    server.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: inDefault('x'), nope: 1 }),
    rejectsWith(400, /strict decoding error: unknown field "nope"/),
  );
  await assert.rejects(
    configMaps().create(configMap('lost', {}, 'missing')),
    rejectsWith(404, /namespaces "missing" not found/),
  );
  await assert.rejects(
    server.client.get({ apiVersion: 'v1', kind: 'ConfigMop', ...inDefault('x') }),
    rejectsWith(404, /could not find the requested resource/),
  );
  const missingNamespace = rejectsWith(400, /ConfigMap is namespaced: set the namespace/);
  await assert.rejects(configMaps().get({ name: 'x' }), missingNamespace);
  await assert.rejects(configMaps().create({ metadata: { name: 'x' } }), missingNamespace);
  await assert.rejects(configMaps().deleteCollection(), missingNamespace);
});

test('lists have pages, selectors and typed items; a collection is deleted by the same filter', async () => {
  const namespace = 'pages';
  await server.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  for (const name of ['a', 'b', 'c']) await configMaps().create(configMap(name, {}, namespace));
  const first = await configMaps().list({ namespace, limit: 2 });
  assert.equal(first.items[0]?.kind, 'ConfigMap');
  const second = await configMaps().list({ namespace, limit: 2, continue: first.continue! });
  const names = [...first.items, ...second.items].map(({ metadata }) => metadata?.name);
  assert.deepEqual([names, second.continue], [['a', 'b', 'c'], undefined]);
  await configMaps().deleteCollection({ namespace, labelSelector: 'app in (a,b)' });
  const rest = await server.client.list({ apiVersion: 'v1', kind: 'ConfigMap', namespace });
  assert.deepEqual(
    rest.items.map(({ metadata }) => metadata.name),
    ['c'],
  );
});

test('a watch is an async iterator of events, which ends with break or an aborted signal', async () => {
  const namespace = 'watched';
  await server.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await configMaps().create(configMap('first', {}, namespace));
  const seen: string[] = [];
  for await (const { type, object } of configMaps().watch({ namespace })) {
    seen.push(`${type} ${object.metadata?.name} ${object.data?.step ?? ''}`);
    if (seen.length === 1) await configMaps().create(configMap('second', { step: 'x'.repeat(9) }, namespace));
    if (seen.length === 2) await configMaps().patch({ name: 'first', namespace }, { data: { step: 'ü' } });
    if (seen.length === 3) await configMaps().delete({ name: 'first', namespace });
    if (seen.length === 4) break;
  }
  assert.deepEqual(seen, ['ADDED first ', 'ADDED second xxxxxxxxx', 'MODIFIED first ü', 'DELETED first ü']);
  const abort = new AbortController();
  const events = configMaps().watch({ namespace, signal: abort.signal });
  await events.next();
  setImmediate(() => abort.abort());
  await assert.rejects(events.next(), { name: 'AbortError' });
});

test('a watch from a compacted version throws the error of its ERROR event', async () => {
  const old = await startServer();
  const { client } = old;
  await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'x' } });
  old.reset();
  const events = client.watch({ apiVersion: 'v1', kind: 'Namespace', resourceVersion: '1' });
  await assert.rejects(events.next(), rejectsWith(410, /too old resource version/));
  await old.stop();
});

test('an informer keeps a cache and calls its handlers, also over a restored snapshot', async () => {
  const own = await startServer();
  const maps = own.client.of<V1ConfigMap>('v1', 'ConfigMap');
  const calls: string[] = [];
  const waiting = new EventTarget();
  const call = (text: string) => {
    calls.push(text);
    waiting.dispatchEvent(new Event('call'));
  };
  const until = async (count: number) => {
    while (calls.length < count) await once(waiting, 'call');
  };
  await maps.create(configMap('a'));
  const snapshot = own.snapshot();
  const informer = maps.informer(
    {
      onAdd: ({ metadata }) => call(`add ${metadata?.name}`),
      onUpdate: (old, object) => call(`update ${old.data?.n ?? '-'} to ${object.data?.n}`),
      onDelete: ({ metadata }) => call(`delete ${metadata?.name}`),
    },
    { namespace: 'default' },
  );
  await informer.synced;
  assert.equal(informer.get('a', 'default')?.metadata?.name, 'a');
  await maps.patch(inDefault('a'), { data: { n: '1' } });
  await maps.create(configMap('b'));
  await until(3);
  own.restore(snapshot);
  await until(5);
  assert.deepEqual(calls.slice(0, 3), ['add a', 'update - to 1', 'add b']);
  assert.deepEqual(calls.slice(3).sort(), ['delete b', 'update 1 to undefined']);
  assert.deepEqual(
    informer.list().map(({ metadata }) => metadata?.name),
    ['a'],
  );
  informer.stop();
  await own.stop();
});

test('an informer that is stopped before its first list rejects, and one of an unserved kind reports errors', async () => {
  const informer = server.client.informer({ apiVersion: 'v1', kind: 'ConfigMap' });
  informer.stop();
  await assert.rejects(informer.synced, /the informer was stopped/);
  const errors: unknown[] = [];
  const failing = await new Promise<{ stop(): void }>((resolve) => {
    const failed = server.client.informer(
      { apiVersion: 'v1', kind: 'Nothing' },
      {
        onError: (error) => {
          errors.push(error);
          resolve(failed);
        },
      },
    );
  });
  failing.stop();
  assert.ok(errors[0] instanceof ApiError && errors[0].code === 404);
});

test('another user has only the permissions of its roles', async () => {
  const { client, kubeconfig } = server.as({ name: 'jane', groups: ['developers'] });
  const pods = client.list({ apiVersion: 'v1', kind: 'Pod', namespace: 'default' });
  await assert.rejects(pods, rejectsWith(403, /User "jane" cannot list resource "pods"/));
  const rbac = 'rbac.authorization.k8s.io';
  await server.client.create({
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: inDefault('developers-view'),
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'view' },
    subjects: [{ apiGroup: rbac, kind: 'Group', name: 'developers' }],
  });
  const { items } = await client.list({ apiVersion: 'v1', kind: 'Pod', namespace: 'default' });
  assert.deepEqual(items, []);
  assert.match(kubeconfig, /as: "jane"\n\s+as-groups: \["developers"\]/);
});

test('admission runs for requests of the client', async () => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: inDefault('p'),
    spec: { containers: [{ name: 'c', image: 'i' }], priorityClassName: 'missing' },
  };
  await assert.rejects(server.client.create(pod), rejectsWith(403, /no PriorityClass with name missing/));
});
