// replicaset-controller and replicationcontroller-controller, on a movable clock; the tests play scheduler and kubelet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';
import { conditionsOf, controllersIdle, until, untilDeleted } from '../support/controllers.ts';
import { WorkloadNamespace, type WorkloadPod } from '../support/workloads.ts';

const api = testServer({
  controllers: [
    'replicaset-controller',
    'replicationcontroller-controller',
    'serviceaccount-controller',
    'garbage-collector-controller',
    'resourcequota-controller',
  ],
});

const labels = { app: 'web' };
const template = {
  metadata: { labels, annotations: { note: 'a' }, finalizers: ['example.com/hold'] },
  spec: { containers: [{ name: 'c', image: 'i' }] },
};
const selector = { matchLabels: labels };
const plainTemplate = { metadata: { labels }, spec: template.spec };

async function replicaSet(replicas: number, spec: object = {}): Promise<WorkloadNamespace> {
  const namespace = await WorkloadNamespace.create(api);
  await namespace.create('apps/replicasets', {
    metadata: { name: 'web' },
    spec: { replicas, selector, template: plainTemplate, ...spec },
  });
  return namespace;
}

const names = (pods: readonly WorkloadPod[]) => pods.map(({ metadata }) => metadata.name);
const web = 'apps/replicasets/web';

test('pods are created from the template, with a generated name and the ReplicaSet as their controller', async () => {
  const namespace = await replicaSet(3, { template });
  const pods = await namespace.untilActivePods(3);
  const { metadata } = await namespace.get(web);
  for (const pod of pods) {
    assert.match(pod.metadata.name, /^web-[a-z0-9]{5}$/);
    assert.equal(pod.metadata.generateName, 'web-');
    assert.deepEqual(pod.metadata.labels, labels);
    assert.deepEqual(pod.metadata.annotations, { note: 'a' });
    assert.deepEqual(pod.metadata.finalizers, ['example.com/hold']);
    const { uid } = metadata;
    const reference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid };
    assert.deepEqual(pod.metadata.ownerReferences, [
      { ...reference, controller: true, blockOwnerDeletion: true },
    ]);
  }
  await namespace.untilStatus(web, { replicas: 3, fullyLabeledReplicas: 3, observedGeneration: 1 });
  const events = await namespace.untilEvents('ReplicaSet', 3);
  const expected = names(pods).map((name) => `Normal SuccessfulCreate Created pod: ${name}`);
  assert.deepEqual(events.toSorted(), expected);
  const sources = (await namespace.events()).map(({ source }) => source.component);
  assert.deepEqual([...new Set(sources)], ['replicaset-controller']);
});

test('a deleted, finished or failed pod is replaced; a terminating pod is not counted', async () => {
  const namespace = await replicaSet(2);
  const [first, second] = await namespace.untilActivePods(2);
  await namespace.bind(first!.metadata.name, 'node');
  await namespace.delete(`pods/${first!.metadata.name}`);
  await namespace.untilActivePods(2);
  const terminating = (await namespace.pods()).filter(({ metadata }) => metadata.deletionTimestamp);
  assert.deepEqual(names(terminating), [first!.metadata.name]);
  await namespace.setPhase(second!.metadata.name, 'Failed');
  await namespace.untilActivePods(3);
  await namespace.untilStatus(web, { replicas: 2 });
});

test('the status counts ready pods, and available ones after minReadySeconds on the clock', async () => {
  const namespace = await replicaSet(2, { minReadySeconds: 30 });
  const [first, second] = await namespace.untilActivePods(2);
  await namespace.setReady(first!.metadata.name);
  await namespace.untilStatus(web, { replicas: 2, readyReplicas: 1, availableReplicas: undefined });
  api.server.clock.advance(20_000);
  await namespace.setReady(second!.metadata.name);
  await namespace.untilStatus(web, { readyReplicas: 2, availableReplicas: undefined });
  api.server.clock.advance(10_000);
  await namespace.untilStatus(web, { readyReplicas: 2, availableReplicas: 1 });
  api.server.clock.advance(20_000);
  await namespace.untilStatus(web, { readyReplicas: 2, availableReplicas: 2 });
  await namespace.setReady(first!.metadata.name, false);
  await namespace.untilStatus(web, { readyReplicas: 1, availableReplicas: 1 });
});

test('scaling down deletes pods that are not ready before ready ones, and records Events', async () => {
  const namespace = await replicaSet(3);
  const pods = await namespace.untilActivePods(3);
  for (const { metadata } of pods) await namespace.bind(metadata.name, 'node');
  const [kept, deleted, other] = names(pods);
  await namespace.setReady(kept!);
  await namespace.setReady(other!);
  await namespace.patch(web, { spec: { replicas: 2 } });
  const left = await namespace.untilActivePods(2);
  assert.deepEqual(names(left), [kept, other]);
  await namespace.untilStatus(web, { replicas: 2, observedGeneration: 2 });
  const events = await namespace.untilEvents('ReplicaSet', 4);
  assert.ok(events.includes(`Normal SuccessfulDelete Deleted pod: ${deleted}`));
});

test('scaling down deletes pods with a lower deletion cost first', async () => {
  const namespace = await replicaSet(3);
  const [cheap, dear, middle] = names(await namespace.untilActivePods(3));
  const cost = (value: string) => ({
    metadata: { annotations: { 'controller.orch.io/pod-deletion-cost': value } },
  });
  await namespace.patch(`pods/${dear}`, cost('10'));
  await namespace.patch(`pods/${cheap}`, cost('-10'));
  await namespace.patch(web, { spec: { replicas: 2 } });
  assert.deepEqual(names(await namespace.untilActivePods(2)), [dear, middle]);
  await namespace.patch(web, { spec: { replicas: 1 } });
  assert.deepEqual(names(await namespace.untilActivePods(1)), [dear]);
});

test('a matching pod without a controller is adopted, and a pod whose labels no longer match is released', async () => {
  const namespace = await WorkloadNamespace.create(api);
  await until(
    () => api.get(namespace.path('serviceaccounts/default')),
    ({ code }) => code === 200,
  );
  await namespace.create('pods', { metadata: { name: 'orphan', labels }, spec: template.spec });
  await namespace.create('apps/replicasets', {
    metadata: { name: 'web' },
    spec: { replicas: 2, selector, template: plainTemplate },
  });
  const pods = await namespace.untilActivePods(2);
  const { metadata } = await namespace.get(web);
  for (const pod of pods) assert.equal(pod.metadata.ownerReferences?.[0]?.uid, metadata.uid);
  await namespace.patch('pods/orphan', { metadata: { labels: { app: 'debugged' } } });
  await namespace.untilActivePods(3);
  await namespace.until('pods/orphan', (pod) => !(pod as WorkloadPod).metadata.ownerReferences);
  // Adopted again, which is one pod too many.
  await namespace.patch('pods/orphan', { metadata: { labels } });
  await namespace.untilActivePods(2);
});

test('a pod of another controller is not adopted', async () => {
  const namespace = await replicaSet(1);
  const [pod] = await namespace.untilActivePods(1);
  await namespace.create('apps/replicasets', {
    metadata: { name: 'rival' },
    spec: { replicas: 1, selector, template: plainTemplate },
  });
  await namespace.untilActivePods(2);
  const { metadata } = await namespace.get(web);
  const kept = (await namespace.get(`pods/${pod!.metadata.name}`)) as WorkloadPod;
  assert.equal(kept.metadata.ownerReferences?.[0]?.uid, metadata.uid);
});

test('pods that cannot be created are reported in the condition ReplicaFailure until they can be', async () => {
  const namespace = await WorkloadNamespace.create(api);
  await namespace.create('resourcequotas', { metadata: { name: 'quota' }, spec: { hard: { pods: '1' } } });
  await namespace.until('resourcequotas/quota', ({ status }) => 'hard' in (status as object));
  await namespace.create('apps/replicasets', {
    metadata: { name: 'web' },
    spec: { replicas: 3, selector, template: plainTemplate },
  });
  const failed = await namespace.until(web, (set) => conditionsOf(set).length > 0);
  const [condition] = conditionsOf(failed);
  assert.equal(condition?.type, 'ReplicaFailure');
  assert.equal(condition?.status, 'True');
  assert.equal(condition?.reason, 'FailedCreate');
  assert.match(
    condition!.message,
    /^pods "web-[a-z0-9]{5}" is forbidden: exceeded quota: quota, requested: pods=1/,
  );
  await namespace.untilActivePods(1);
  const events = await namespace.untilEvents('ReplicaSet', 2);
  assert.ok(events.some((event) => event.startsWith('Warning FailedCreate Error creating: pods "web-')));
  await namespace.patch('resourcequotas/quota', { spec: { hard: { pods: '9' } } });
  await until(
    async () => {
      api.server.clock.advance(1_000);
      return namespace.activePods();
    },
    (pods) => pods.length === 3,
  );
  await namespace.until(web, (set) => conditionsOf(set).length === 0);
});

test('many pods are created and deleted exactly', async () => {
  const namespace = await replicaSet(60);
  await namespace.untilActivePods(60);
  await controllersIdle(api);
  assert.equal((await namespace.activePods()).length, 60);
  await namespace.untilStatus(web, { replicas: 60 });
  await namespace.patch(web, { spec: { replicas: 0 } });
  await namespace.untilActivePods(0);
  await namespace.untilStatus(web, { replicas: 0, observedGeneration: 2 });
});

test('pods stay when their ReplicaSet is orphaned, and a new ReplicaSet adopts them', async () => {
  const namespace = await replicaSet(2);
  const pods = await namespace.untilActivePods(2);
  await namespace.delete(web, { propagationPolicy: 'Orphan' });
  await untilDeleted(api, namespace.path(web));
  assert.deepEqual(names(await namespace.activePods()), names(pods));
  await namespace.create('apps/replicasets', {
    metadata: { name: 'web' },
    spec: { replicas: 2, selector, template: plainTemplate },
  });
  const { metadata } = await namespace.get(web);
  const adopted = await until(
    () => namespace.activePods(),
    (found) => found.every((pod) => pod.metadata.ownerReferences?.[0]?.uid === metadata.uid),
  );
  assert.deepEqual(names(adopted), names(pods));
});

test('a ReplicationController has its pods created, counted and deleted too', async () => {
  const namespace = await WorkloadNamespace.create(api);
  await namespace.create('replicationcontrollers', {
    metadata: { name: 'web' },
    spec: { replicas: 2, selector: labels, template: plainTemplate },
  });
  const pods = await namespace.untilActivePods(2);
  assert.equal(pods[0]?.metadata.ownerReferences?.[0]?.apiVersion, 'v1');
  assert.equal(pods[0]?.metadata.ownerReferences?.[0]?.kind, 'ReplicationController');
  await namespace.setAllReady();
  await namespace.untilStatus('replicationcontrollers/web', {
    replicas: 2,
    fullyLabeledReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 2,
    observedGeneration: 1,
  });
  await namespace.patch('replicationcontrollers/web', { spec: { replicas: 1 } });
  await namespace.untilActivePods(1);
  const events = await namespace.untilEvents('ReplicationController', 3);
  assert.equal(
    events.filter((event) => event.startsWith('Normal SuccessfulDelete Deleted pod: web-')).length,
    1,
  );
  const sources = (await namespace.events()).map(({ source }) => source.component);
  assert.deepEqual([...new Set(sources)], ['replication-controller']);
});

test('pods are replaced after the server is reset to an earlier state', async () => {
  const namespace = await replicaSet(2);
  const [pod] = await namespace.untilActivePods(2);
  await namespace.untilStatus(web, { replicas: 2 });
  const snapshot = await api.server.snapshot();
  await namespace.patch(web, { spec: { replicas: 0 } });
  await namespace.untilActivePods(0);
  await api.server.restore(snapshot);
  await namespace.delete(`pods/${pod!.metadata.name}`);
  await namespace.untilActivePods(2);
});
