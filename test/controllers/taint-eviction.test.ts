// taint-eviction-controller; the tests play scheduler and kubelet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';
import { controllersIdle, until } from '../support/controllers.ts';
import { type Condition, conditionsOf, PlayedNodes } from '../support/nodes.ts';
import { WorkloadNamespace } from '../support/workloads.ts';

const api = testServer({ controllers: ['taint-eviction-controller', 'serviceaccount-controller'] });
const nodes = new PlayedNodes(api);
const key = 'example.com/broken';
const noExecute = { key, effect: 'NoExecute' };
const taint = (...taints: object[]) => nodes.patch('node', { spec: { taints } });
const tolerationFor = (tolerationSeconds?: number) => ({
  ...{ key, operator: 'Exists', effect: 'NoExecute' },
  tolerationSeconds,
});

/** A namespace on a server that has the node. */
async function newNamespace(): Promise<WorkloadNamespace> {
  await api.post('/api/v1/nodes', { metadata: { name: 'node' } });
  const namespace = await WorkloadNamespace.create(api);
  await until(
    () => api.get(namespace.path('serviceaccounts/default')),
    ({ code }) => code === 200,
  );
  return namespace;
}

/** Creates a pod that runs on the node. */
async function addPod(namespace: WorkloadNamespace, name: string, ...tolerations: object[]): Promise<void> {
  const containers = [{ name: 'c', image: 'i' }];
  await namespace.create('pods', { metadata: { name }, spec: { containers, tolerations } });
  await namespace.bind(name, 'node');
  await namespace.setReady(name);
}

const untilEvicted = (namespace: WorkloadNamespace, name: string) =>
  namespace.until(`pods/${name}`, ({ metadata }) => metadata.deletionTimestamp !== undefined);

const untilTerminating = (namespace: WorkloadNamespace, count: number) =>
  until(
    async () => (await namespace.pods()).filter(({ metadata }) => metadata.deletionTimestamp),
    (found) => found.length === count,
  );

test('pods that do not tolerate a NoExecute taint are evicted, with condition and Event', async () => {
  const namespace = await newNamespace();
  await addPod(namespace, 'evicted');
  await addPod(namespace, 'forever', tolerationFor());
  await taint(noExecute);
  const pod = await untilEvicted(namespace, 'evicted');
  const { status, reason, message } = conditionsOf(pod).find(
    ({ type }: Condition) => type === 'DisruptionTarget',
  )!;
  assert.deepEqual(
    [status, reason, message],
    ['True', 'DeletionByTaintManager', 'Taint manager: deleting due to NoExecute taint'],
  );
  const name = `${namespace.name}/evicted`;
  assert.deepEqual(await namespace.untilEvents('Pod', 1), [
    `Normal TaintManagerEviction Marking for deletion Pod ${name}`,
  ]);
  api.server.clock.advance(24 * 3600_000);
  await controllersIdle(api);
  assert.equal((await namespace.get('pods/forever')).metadata.deletionTimestamp, undefined);
  await taint();
});

test('a pod with tolerationSeconds is evicted when they have passed', async () => {
  const namespace = await newNamespace();
  await addPod(namespace, 'p', tolerationFor(300));
  await taint(noExecute);
  await controllersIdle(api);
  api.server.clock.advance(299_000);
  await controllersIdle(api);
  assert.equal((await namespace.get('pods/p')).metadata.deletionTimestamp, undefined);
  api.server.clock.advance(2_000);
  await untilEvicted(namespace, 'p');
  await taint();
});

test('a pod whose node loses the taint in time stays', async () => {
  const namespace = await newNamespace();
  await addPod(namespace, 'p', tolerationFor(300));
  await taint(noExecute);
  await controllersIdle(api);
  api.server.clock.advance(200_000);
  await taint();
  const [event] = await namespace.untilEvents('Pod', 1);
  assert.equal(event, `Normal TaintManagerEviction Cancelling deletion of Pod ${namespace.name}/p`);
  api.server.clock.advance(400_000);
  await controllersIdle(api);
  assert.equal((await namespace.get('pods/p')).metadata.deletionTimestamp, undefined);
});

test('a second taint does not extend a toleration, and an untolerated one ends it', async () => {
  const namespace = await newNamespace();
  const other = { key: 'example.com/other', effect: 'NoExecute' };
  await addPod(namespace, 'p', tolerationFor(300), { ...tolerationFor(300), key: other.key });
  await addPod(namespace, 'q', tolerationFor(300));
  await taint(noExecute);
  await controllersIdle(api);
  api.server.clock.advance(200_000);
  await taint(noExecute, other);
  await untilEvicted(namespace, 'q');
  await controllersIdle(api);
  assert.equal((await namespace.get('pods/p')).metadata.deletionTimestamp, undefined);
  api.server.clock.advance(101_000);
  await untilEvicted(namespace, 'p');
  await taint();
});

test('a pod that is assigned to a tainted node is evicted, and one that tolerates the taint from then on too', async () => {
  const namespace = await newNamespace();
  await taint(noExecute);
  await controllersIdle(api);
  await addPod(namespace, 'p').catch(() => {});
  await untilTerminating(namespace, 1);
  await addPod(namespace, 'q', tolerationFor(60));
  await controllersIdle(api);
  api.server.clock.advance(61_000);
  await untilTerminating(namespace, 2);
  await taint();
});

test('NoSchedule taints evict nobody', async () => {
  const namespace = await newNamespace();
  await addPod(namespace, 'p');
  await taint({ ...noExecute, effect: 'NoSchedule' });
  await controllersIdle(api);
  assert.equal((await namespace.get('pods/p')).metadata.deletionTimestamp, undefined);
  await taint();
});
