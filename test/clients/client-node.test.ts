import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  ApiException,
  CoordinationV1Api,
  CoreV1Api,
  KubeConfig,
  type KubernetesObject,
  makeInformer,
  type V1ConfigMap,
  VersionApi,
  Watch,
} from '@kubernetes/client-node';
import { type ClientTarget, startTarget } from './target.ts';

describe('@kubernetes/client-node', () => {
  let target: ClientTarget;
  let config: KubeConfig;
  let core: CoreV1Api;
  let namespaces = 0;

  before(async () => {
    target = await startTarget();
    config = new KubeConfig();
    config.loadFromFile(target.kubeconfig);
    core = config.makeApiClient(CoreV1Api);
  });
  after(() => target?.stop());

  /** Every test has its own namespace. */
  async function namespace(): Promise<string> {
    const name = `clients-node-${process.pid}-${++namespaces}`;
    await core.createNamespace({ body: { metadata: { name } } });
    return name;
  }

  const create = (ns: string, name: string, data: Record<string, string> = {}) =>
    core.createNamespacedConfigMap({ namespace: ns, body: { metadata: { name, labels: { name } }, data } });

  async function failure(request: Promise<unknown>): Promise<{ code: number; reason: string }> {
    const error = await request.then(
      () => assert.fail('it succeeded'),
      (reason) => reason,
    );
    assert.ok(error instanceof ApiException);
    return { code: error.code, reason: JSON.parse(error.body).reason };
  }

  test('authenticates with the client certificate of the kubeconfig', async () => {
    assert.match(config.getCurrentCluster()?.server ?? '', /^https:/);
    assert.equal((await config.makeApiClient(VersionApi).getCode()).major, '1');
  });

  test('creates, reads, replaces and deletes', async () => {
    const ns = await namespace();
    const created = await create(ns, 'a', { k: 'old' });
    assert.ok(created.metadata?.uid);
    assert.ok(created.metadata.creationTimestamp instanceof Date);

    const read = await core.readNamespacedConfigMap({ namespace: ns, name: 'a' });
    assert.deepEqual(read.data, { k: 'old' });
    const replaced = await core.replaceNamespacedConfigMap({
      namespace: ns,
      name: 'a',
      body: { ...read, data: { k: 'new' } },
    });
    assert.notEqual(replaced.metadata?.resourceVersion, read.metadata?.resourceVersion);
    assert.equal(replaced.metadata?.uid, created.metadata.uid);

    await core.deleteNamespacedConfigMap({ namespace: ns, name: 'a' });
    assert.deepEqual(await failure(core.readNamespacedConfigMap({ namespace: ns, name: 'a' })), {
      code: 404,
      reason: 'NotFound',
    });
  });

  test('gets errors: AlreadyExists, Conflict, Invalid', async () => {
    const ns = await namespace();
    const first = await create(ns, 'a');
    assert.deepEqual(await failure(create(ns, 'a')), { code: 409, reason: 'AlreadyExists' });
    assert.deepEqual(await failure(create(ns, 'Not_A_Name')), { code: 422, reason: 'Invalid' });
    const replace = (body: V1ConfigMap) =>
      core.replaceNamespacedConfigMap({ namespace: ns, name: 'a', body });
    await replace({ ...first, data: { k: '1' } });
    assert.deepEqual(await failure(replace({ ...first, data: { k: '2' } })), {
      code: 409,
      reason: 'Conflict',
    });
  });

  test('lists by selector and in pages', async () => {
    const ns = await namespace();
    for (const name of ['a', 'b', 'c']) await create(ns, name);
    const selected = await core.listNamespacedConfigMap({ namespace: ns, labelSelector: 'name in (a, c)' });
    assert.deepEqual(
      selected.items.map((item) => item.metadata?.name),
      ['a', 'c'],
    );
    const labelSelector = 'name';
    const page = await core.listNamespacedConfigMap({ namespace: ns, labelSelector, limit: 2 });
    assert.equal(page.items.length, 2);
    const rest = await core.listNamespacedConfigMap({
      namespace: ns,
      labelSelector,
      limit: 2,
      _continue: page.metadata?._continue ?? '',
    });
    assert.deepEqual(
      rest.items.map((item) => item.metadata?.name),
      ['c'],
    );
    assert.equal(rest.metadata?._continue, undefined);
  });

  test('deletes a whole collection', async () => {
    const ns = await namespace();
    for (const name of ['a', 'b']) await create(ns, name);
    await core.deleteCollectionNamespacedConfigMap({ namespace: ns, labelSelector: 'name' });
    assert.deepEqual(
      (await core.listNamespacedConfigMap({ namespace: ns, labelSelector: 'name' })).items,
      [],
    );
  });

  test('uses kinds of other groups', async () => {
    const ns = await namespace();
    const leases = config.makeApiClient(CoordinationV1Api);
    const lease = await leases.createNamespacedLease({
      namespace: ns,
      body: { metadata: { name: 'a' }, spec: { holderIdentity: 'me', leaseDurationSeconds: 15 } },
    });
    assert.equal(lease.apiVersion, 'coordination.k8s.io/v1');
    assert.equal(lease.spec?.holderIdentity, 'me');
  });

  test('watches from a resourceVersion', async () => {
    const ns = await namespace();
    await create(ns, 'before');
    const { metadata } = await core.listNamespacedConfigMap({ namespace: ns });
    const seen: string[] = [];
    let done = () => {};
    const enough = new Promise<void>((resolve) => {
      done = resolve;
    });
    const controller = await new Watch(config).watch(
      `/api/v1/namespaces/${ns}/configmaps`,
      { resourceVersion: metadata?.resourceVersion, allowWatchBookmarks: true },
      (type, object: KubernetesObject) => {
        if (type === 'BOOKMARK') return;
        seen.push(`${type} ${object.metadata?.name}`);
        if (seen.length === 3) done();
      },
      () => {},
    );
    try {
      const created = await create(ns, 'a');
      await core.replaceNamespacedConfigMap({
        namespace: ns,
        name: 'a',
        body: { ...created, data: { k: 'v' } },
      });
      await core.deleteNamespacedConfigMap({ namespace: ns, name: 'a' });
      await enough;
    } finally {
      controller.abort();
    }
    assert.deepEqual(seen, ['ADDED a', 'MODIFIED a', 'DELETED a']);
  });

  test('an informer lists, watches, and resumes after a restart of the server', async () => {
    const ns = await namespace();
    await create(ns, 'a');
    const informer = makeInformer(
      config,
      `/api/v1/namespaces/${ns}/configmaps`,
      () => core.listNamespacedConfigMap({ namespace: ns, labelSelector: 'name' }),
      'name',
    );
    const seen = new Set<string>();
    let onMore = () => {};
    const note = (what: string) => (object: KubernetesObject) => {
      seen.add(`${what} ${object.metadata?.name}`);
      onMore();
    };
    informer.on('add', note('add'));
    informer.on('update', note('update'));
    informer.on('delete', note('delete'));
    let stopped = false;
    // An informer stops after an error and must be restarted.
    informer.on('error', () => {
      if (!stopped) setTimeout(() => void informer.start(), 100);
    });
    const sees = async (what: string) => {
      while (!seen.has(what)) {
        await new Promise<void>((resolve) => {
          onMore = resolve;
        });
      }
    };
    await informer.start();
    try {
      await sees('add a');
      await create(ns, 'b');
      await sees('add b');
      await target.restart();
      const after = await create(ns, 'c');
      await sees('add c');
      await core.replaceNamespacedConfigMap({
        namespace: ns,
        name: 'c',
        body: { ...after, data: { k: 'v' } },
      });
      await sees('update c');
      await core.deleteNamespacedConfigMap({ namespace: ns, name: 'a' });
      await sees('delete a');
      assert.deepEqual(
        informer
          .list()
          .map((object) => object.metadata?.name)
          .sort(),
        ['b', 'c'],
      );
    } finally {
      stopped = true;
      await informer.stop();
    }
  });
});
