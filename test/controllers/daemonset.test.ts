// daemonset-controller, on a movable clock; the tests play scheduler and kubelet.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { type Body, testServer } from '../support/client.ts';
import { controllersIdle, until, untilDeleted } from '../support/controllers.ts';
import { WorkloadNamespace, type WorkloadPod } from '../support/workloads.ts';

const api = testServer({
  controllers: [
    'daemonset-controller',
    'serviceaccount-controller',
    'garbage-collector-controller',
    'namespace-controller',
  ],
});

const labels = { app: 'agent' };
const templateOf = (image: string, spec: object = {}) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image }], ...spec },
});
const agent = 'apps/daemonsets/agent';
const nodesPath = '/api/v1/nodes';

/** Each test has the nodes `one` and `two`. */
beforeEach(async () => {
  for (const { metadata } of (await api.get(nodesPath)).body.items)
    await api.delete(`${nodesPath}/${metadata.name}`);
  await createNode('one');
  await createNode('two', { disk: 'ssd' });
});

async function createNode(name: string, nodeLabels: object = {}): Promise<void> {
  const { code, text } = await api.post(nodesPath, { metadata: { name, labels: nodeLabels } });
  assert.equal(code, 201, text);
  // Admission taints new nodes as not ready.
  await patchNode(name, { spec: { taints: null } });
}

async function patchNode(name: string, patch: object): Promise<void> {
  const headers = { 'content-type': 'application/merge-patch+json' };
  const { code, text } = await api.request('PATCH', `${nodesPath}/${name}`, patch, headers);
  assert.equal(code, 200, text);
}

async function daemonSet(spec: object = {}): Promise<WorkloadNamespace> {
  const namespace = await WorkloadNamespace.create(api);
  await namespace.create('apps/daemonsets', {
    metadata: { name: 'agent' },
    spec: { selector: { matchLabels: labels }, template: templateOf('one'), ...spec },
  });
  return namespace;
}

const imageOf = ({ spec }: Body) => (spec.containers as { image: string }[])[0]!.image;

/** The node in the affinity of a pod. */
function targetOf({ spec }: Body): string {
  const { nodeAffinity } = spec.affinity as {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: { matchFields: { values: string[] }[] }[];
      };
    };
  };
  const [term] = nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms;
  return term!.matchFields[0]!.values[0]!;
}

/** Plays scheduler and kubelet, and returns `node:image` of the active pods. */
async function play(namespace: WorkloadNamespace): Promise<string> {
  await namespace.removeTerminatingPods();
  const pods = await namespace.activePods();
  for (const pod of pods) {
    const { name } = pod.metadata;
    if (!pod.spec.nodeName) await namespace.bind(name, targetOf(pod));
    if (pod.status.phase === 'Pending') await namespace.setReady(name);
  }
  return pods
    .map((pod) => `${targetOf(pod)}:${imageOf(pod)}`)
    .sort()
    .join();
}

async function untilPods(namespace: WorkloadNamespace, expected: string): Promise<void> {
  await until(
    () => play(namespace),
    (found) => found === expected,
  );
  // A terminating pod counts as scheduled on its node.
  await namespace.removeTerminatingPods();
}

const podOn = async (namespace: WorkloadNamespace, node: string): Promise<WorkloadPod> =>
  (await namespace.activePods()).find((pod) => targetOf(pod) === node)!;

test('each node gets a pod that the scheduler must bind to it, with tolerations of node problems', async () => {
  const namespace = await daemonSet();
  const pods = await namespace.untilActivePods(2);
  assert.deepEqual(pods.map(targetOf).sort(), ['one', 'two']);
  const [pod] = pods;
  assert.match(pod!.metadata.name, /^agent-[a-z0-9]{5}$/);
  assert.equal(pod!.spec.nodeName, undefined);
  const { items } = await namespace.get('apps/controllerrevisions');
  const hash = items[0]!.metadata.labels['controller-revision-hash']!;
  assert.equal(items[0]!.metadata.name, `agent-${hash}`);
  assert.deepEqual(pod!.metadata.labels, {
    ...labels,
    'controller-revision-hash': hash,
    'pod-template-generation': '1',
  });
  const tolerations = pod!.spec.tolerations as { key: string; operator: string; effect: string }[];
  assert.deepEqual(
    tolerations.map(({ key, operator, effect }) => `${key} ${operator} ${effect}`),
    [
      'node.orch.io/not-ready Exists NoExecute',
      'node.orch.io/unreachable Exists NoExecute',
      'node.orch.io/disk-pressure Exists NoSchedule',
      'node.orch.io/memory-pressure Exists NoSchedule',
      'node.orch.io/pid-pressure Exists NoSchedule',
      'node.orch.io/unschedulable Exists NoSchedule',
    ],
  );
  await untilPods(namespace, 'one:one,two:one');
  await namespace.untilStatus(agent, {
    desiredNumberScheduled: 2,
    currentNumberScheduled: 2,
    numberReady: 2,
    numberAvailable: 2,
    updatedNumberScheduled: 2,
    numberMisscheduled: 0,
    numberUnavailable: undefined,
    observedGeneration: 1,
  });
  const events = await namespace.untilEvents('DaemonSet', 2);
  assert.deepEqual(
    events.toSorted(),
    pods.map(({ metadata }) => `Normal SuccessfulCreate Created pod: ${metadata.name}`).sort(),
  );
});

test('pods follow nodes that appear, change their labels, are tainted or disappear', async () => {
  const namespace = await daemonSet({ template: templateOf('one', { nodeSelector: { disk: 'ssd' } }) });
  await untilPods(namespace, 'two:one');
  await createNode('three', { disk: 'ssd' });
  await untilPods(namespace, 'three:one,two:one');
  await patchNode('one', { metadata: { labels: { disk: 'ssd' } } });
  await untilPods(namespace, 'one:one,three:one,two:one');
  await patchNode('two', { metadata: { labels: { disk: null } } });
  await untilPods(namespace, 'one:one,three:one');
  await patchNode('three', { spec: { taints: [{ key: 'gpu', effect: 'NoSchedule' }] } });
  await namespace.untilStatus(agent, { desiredNumberScheduled: 1, numberMisscheduled: 1 });
  await untilPods(namespace, 'one:one,three:one');
  await patchNode('three', { spec: { taints: [{ key: 'gpu', effect: 'NoExecute' }] } });
  await untilPods(namespace, 'one:one');
  await api.delete(`${nodesPath}/one`);
  await namespace.untilStatus(agent, { desiredNumberScheduled: 0, numberMisscheduled: 0 });
});

test('an unschedulable node gets a pod too', async () => {
  await patchNode('one', { spec: { unschedulable: true } });
  const namespace = await daemonSet();
  await untilPods(namespace, 'one:one,two:one');
});

test('an unbound pod whose node is deleted is deleted', async () => {
  const namespace = await daemonSet();
  await namespace.untilActivePods(2);
  await api.delete(`${nodesPath}/one`);
  const [left] = await namespace.untilActivePods(1);
  assert.equal(targetOf(left!), 'two');
});

test('failed pods are deleted with backoff and replaced, with an Event', async () => {
  await api.delete(`${nodesPath}/two`);
  const namespace = await daemonSet();
  await untilPods(namespace, 'one:one');
  const first = await podOn(namespace, 'one');
  await namespace.setPhase(first.metadata.name, 'Failed');
  await until(
    async () => {
      await namespace.removeTerminatingPods();
      return podOn(namespace, 'one');
    },
    (pod) => pod !== undefined && pod.metadata.uid !== first.metadata.uid,
  );
  const second = await podOn(namespace, 'one');
  await namespace.setPhase(second.metadata.name, 'Failed');
  await controllersIdle(api);
  assert.equal((await podOn(namespace, 'one')).metadata.uid, second.metadata.uid);
  api.server.clock.advance(1_000);
  await until(
    async () => {
      await namespace.removeTerminatingPods();
      return podOn(namespace, 'one');
    },
    (pod) => pod !== undefined && pod.metadata.uid !== second.metadata.uid,
  );
  const { name } = first.metadata;
  const message = `Found failed daemon pod ${namespace.name}/${name} on node one, will try to kill it`;
  const events = await namespace.untilEvents('DaemonSet', 7);
  assert.ok(events.includes(`Warning FailedDaemonPod ${message}`), events.join('\n'));
});

test('a succeeded pod is deleted and replaced', async () => {
  const namespace = await daemonSet();
  await untilPods(namespace, 'one:one,two:one');
  const { metadata } = await podOn(namespace, 'one');
  await namespace.setPhase(metadata.name, 'Succeeded');
  await until(
    () => play(namespace).then(() => podOn(namespace, 'one')),
    (pod) => pod !== undefined && pod.metadata.uid !== metadata.uid,
  );
  const message = `Found succeeded daemon pod ${namespace.name}/${metadata.name} on node one, will try to delete it`;
  const events = await namespace.untilEvents('DaemonSet', 4);
  assert.ok(events.includes(`Normal SucceededDaemonPod ${message}`));
});

test('a rolling update replaces one pod after the other, and a rollback gets a new revision number', async () => {
  const namespace = await daemonSet();
  await untilPods(namespace, 'one:one,two:one');
  await namespace.untilStatus(agent, { numberAvailable: 2 });
  await namespace.patch(agent, { spec: { template: templateOf('two') } });
  await until(
    () => namespace.activePods(),
    (pods) => pods.length === 1,
  );
  await controllersIdle(api);
  assert.equal((await namespace.activePods()).length, 1);
  await untilPods(namespace, 'one:two,two:two');
  await namespace.untilStatus(agent, {
    updatedNumberScheduled: 2,
    numberAvailable: 2,
    observedGeneration: 2,
  });
  await namespace.patch(agent, { spec: { template: templateOf('one') } });
  await untilPods(namespace, 'one:one,two:one');
  const { items } = await namespace.get('apps/controllerrevisions');
  assert.deepEqual(items.map(({ revision }) => revision).sort(), [2, 3]);
});

test('with a surge the old pod of a node stays until the new one is available', async () => {
  const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 };
  const namespace = await daemonSet({ updateStrategy: { type: 'RollingUpdate', rollingUpdate } });
  await untilPods(namespace, 'one:one,two:one');
  await namespace.untilStatus(agent, { numberAvailable: 2 });
  await namespace.patch(agent, { spec: { template: templateOf('two') } });
  const pods = await namespace.untilActivePods(3);
  assert.deepEqual(pods.map(imageOf).sort(), ['one', 'one', 'two']);
  await controllersIdle(api);
  assert.equal((await namespace.activePods()).length, 3);
  await untilPods(namespace, 'one:two,two:two');
});

test('with OnDelete pods are updated only when a user deletes them', async () => {
  const namespace = await daemonSet({ updateStrategy: { type: 'OnDelete' } });
  await untilPods(namespace, 'one:one,two:one');
  await namespace.patch(agent, { spec: { template: templateOf('two') } });
  await namespace.untilStatus(agent, { observedGeneration: 2, updatedNumberScheduled: undefined });
  await controllersIdle(api);
  await untilPods(namespace, 'one:one,two:one');
  await namespace.delete(`pods/${(await podOn(namespace, 'two')).metadata.name}`);
  await untilPods(namespace, 'one:one,two:two');
});

test('pods count as available after minReadySeconds on the clock', async () => {
  const namespace = await daemonSet({ minReadySeconds: 30 });
  await untilPods(namespace, 'one:one,two:one');
  await namespace.untilStatus(agent, { numberReady: 2, numberAvailable: undefined, numberUnavailable: 2 });
  api.server.clock.advance(30_000);
  await namespace.untilStatus(agent, { numberAvailable: 2, numberUnavailable: undefined });
});

test('old revisions beyond revisionHistoryLimit are deleted', async () => {
  const namespace = await daemonSet({ revisionHistoryLimit: 1 });
  for (const image of ['one', 'two', 'three', 'four']) {
    await namespace.patch(agent, { spec: { template: templateOf(image) } });
    await untilPods(namespace, `one:${image},two:${image}`);
    await namespace.untilStatus(agent, { numberAvailable: 2, updatedNumberScheduled: 2 });
  }
  await until(
    async () => (await namespace.get('apps/controllerrevisions')).items.map(({ revision }) => revision),
    (numbers) => numbers.sort().join() === '3,4',
  );
});

test('many nodes get exactly one pod each', async () => {
  for (let index = 0; index < 40; index++) await createNode(`many-${index}`);
  const namespace = await daemonSet();
  await namespace.untilActivePods(42);
  await controllersIdle(api);
  const targets = (await namespace.pods()).map(targetOf);
  assert.equal(new Set(targets).size, 42);
  assert.equal(targets.length, 42);
});

test('a foreground deletion ends, and nothing is created meanwhile', async () => {
  const namespace = await daemonSet();
  await namespace.untilActivePods(2);
  await namespace.delete(agent, { propagationPolicy: 'Foreground' });
  await untilDeleted(api, namespace.path(agent));
  assert.equal((await namespace.pods()).length, 0);
  assert.equal((await namespace.get('apps/controllerrevisions')).items.length, 0);
});

test('nodes and pods are read again after the server is reset to an earlier state', async () => {
  const namespace = await daemonSet();
  await untilPods(namespace, 'one:one,two:one');
  const snapshot = await api.server.snapshot();
  await createNode('three');
  await untilPods(namespace, 'one:one,three:one,two:one');
  await api.server.restore(snapshot);
  await namespace.delete(`pods/${(await podOn(namespace, 'one')).metadata.name}`);
  await untilPods(namespace, 'one:one,two:one');
  await namespace.untilStatus(agent, { desiredNumberScheduled: 2, numberAvailable: 2 });
});

test('pods and revisions that were orphaned are adopted by a new DaemonSet', async () => {
  const namespace = await daemonSet();
  await untilPods(namespace, 'one:one,two:one');
  const uids = (await namespace.pods()).map(({ metadata }) => metadata.uid);
  await namespace.delete(agent, { propagationPolicy: 'Orphan' });
  await untilDeleted(api, namespace.path(agent));
  const { metadata } = await namespace.create('apps/daemonsets', {
    metadata: { name: 'agent' },
    spec: { selector: { matchLabels: labels }, template: templateOf('one') },
  });
  await until(
    () => namespace.activePods(),
    (pods) => pods.every((pod) => pod.metadata.ownerReferences?.[0]?.uid === metadata.uid),
  );
  await namespace.untilStatus(agent, { updatedNumberScheduled: 2 });
  assert.deepEqual(
    (await namespace.pods()).map((pod) => pod.metadata.uid),
    uids,
  );
  assert.equal((await namespace.get('apps/controllerrevisions')).items.length, 1);
});
