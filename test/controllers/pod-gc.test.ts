// pod-garbage-collector-controller; the tests play scheduler and kubelet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';
import { controllersIdle, until, untilDeleted } from '../support/controllers.ts';
import { PlayedNodes } from '../support/nodes.ts';
import { WorkloadNamespace } from '../support/workloads.ts';

const api = testServer({
  controllers: ['pod-garbage-collector-controller', 'serviceaccount-controller'],
  terminatedPodGcThreshold: 3,
});
const nodes = new PlayedNodes(api);
const finalizer = 'example.com/hold';

async function newNamespace(): Promise<WorkloadNamespace> {
  const namespace = await WorkloadNamespace.create(api);
  await until(
    () => api.get(namespace.path('serviceaccounts/default')),
    ({ code }) => code === 200,
  );
  return namespace;
}

const addPod = (namespace: WorkloadNamespace, name: string, metadata: object = {}) =>
  namespace.create('pods', {
    metadata: { name, ...metadata },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });

/** Lets the collector run after some time. */
async function pass(seconds: number): Promise<void> {
  api.server.clock.advance(seconds * 1000);
  await controllersIdle(api);
}

test('finished pods above the threshold are deleted, the oldest first', async () => {
  const namespace = await newNamespace();
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    await addPod(namespace, name);
    await namespace.bind(name, 'node');
    await namespace.setPhase(name, 'Succeeded');
    api.server.clock.advance(1_000);
  }
  await addPod(namespace, 'running');
  await nodes.add('node');
  await pass(20);
  const names = async () => (await namespace.pods()).map(({ metadata }) => metadata.name);
  assert.deepEqual(await until(names, ({ length }) => length === 4), ['c', 'd', 'e', 'running']);
  await nodes.delete('node');
  for (const name of ['c', 'd', 'e']) await namespace.delete(`pods/${name}`, { gracePeriodSeconds: 0 });
});

test('pods of a node that no longer exists are deleted after the quarantine, as failed', async () => {
  const namespace = await newNamespace();
  await nodes.add('gone');
  await addPod(namespace, 'orphan');
  await addPod(namespace, 'held', { finalizers: [finalizer] });
  for (const name of ['orphan', 'held']) {
    await namespace.bind(name, 'gone');
    await namespace.setReady(name);
  }
  await nodes.delete('gone');
  await pass(20);
  assert.equal((await namespace.pods()).length, 2);
  await pass(20);
  await untilDeleted(api, namespace.path('pods/orphan'));
  const { metadata, status } = await namespace.until('pods/held', (pod) => !!pod.metadata.deletionTimestamp);
  const { phase, conditions } = status as { phase: string; conditions: Record<string, string>[] };
  assert.ok(metadata.deletionTimestamp);
  assert.equal(phase, 'Failed');
  const { reason, message } = conditions.find(({ type }) => type === 'DisruptionTarget')!;
  assert.deepEqual([reason, message], ['DeletionByPodGC', 'PodGC: node no longer exists']);
  await namespace.patch('pods/held', { metadata: { finalizers: null } });
});

test('pods stay if their node is created again in time', async () => {
  const namespace = await newNamespace();
  await nodes.add('back');
  await addPod(namespace, 'p');
  await namespace.bind('p', 'back');
  await nodes.delete('back');
  await pass(20);
  await nodes.add('back');
  await pass(60);
  assert.equal((await namespace.get('pods/p')).metadata.deletionTimestamp, undefined);
  await nodes.delete('back');
});

test('a pod that is assigned to a node that never existed is deleted after the quarantine', async () => {
  const namespace = await newNamespace();
  await addPod(namespace, 'p');
  await namespace.bind('p', 'never');
  await pass(60);
  await untilDeleted(api, namespace.path('pods/p'));
});

test('a terminating pod without a node becomes Failed and is deleted', async () => {
  const namespace = await newNamespace();
  await addPod(namespace, 'p', { finalizers: [finalizer] });
  await namespace.delete('pods/p');
  await pass(20);
  await namespace.untilStatus('pods/p', { phase: 'Failed' });
  await namespace.patch('pods/p', { metadata: { finalizers: null } });
  await untilDeleted(api, namespace.path('pods/p'));
});

test('terminating pods on a node that is out of service are deleted, if the node is not ready', async () => {
  const namespace = await newNamespace();
  await nodes.add('down');
  await addPod(namespace, 'p');
  await addPod(namespace, 'stays');
  for (const name of ['p', 'stays']) await namespace.bind(name, 'down');
  await namespace.setReady('p');
  await namespace.delete('pods/p');
  const outOfService = { key: 'node.orch.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' };
  await nodes.patch('down', { spec: { taints: [outOfService] } });
  await pass(20);
  assert.equal((await namespace.pods()).length, 2);
  await nodes.setConditions('down', { Ready: 'Unknown' });
  await pass(20);
  await untilDeleted(api, namespace.path('pods/p'));
  assert.equal((await namespace.get('pods/stays')).metadata.deletionTimestamp, undefined);
  await nodes.delete('down');
});
