// node-lifecycle-controller; the tests play kubelets.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { type Body, testServer } from '../support/client.ts';
import { controllersIdle, until } from '../support/controllers.ts';
import { conditionsOf, PlayedNodes, readyOf } from '../support/nodes.ts';
import { type RecordedEvent, WorkloadNamespace } from '../support/workloads.ts';

const api = testServer({ controllers: ['node-lifecycle-controller', 'serviceaccount-controller'] });
const nodes = new PlayedNodes(api);
const turn = () => new Promise((resolve) => setImmediate(resolve));

afterEach(async () => {
  const { body } = await api.get('/api/v1/nodes');
  await nodes.delete(...body.items.map(({ metadata }) => metadata.name));
});

/** Lets time pass: the silent nodes miss their heartbeats, the others do not. */
async function silence(seconds: number, ...alive: string[]): Promise<void> {
  api.server.clock.advance(seconds * 1000);
  await turn();
  await nodes.renew(...alive);
  // The controller has to see the heartbeats before it looks at the nodes again.
  await controllersIdle(api);
  api.server.clock.advance(2_000);
  await turn();
}

const nodeEvents = async (name: string) => {
  const { body } = await api.get('/api/v1/namespaces/default/events');
  return (body.items as RecordedEvent[])
    .filter(({ involvedObject }) => involvedObject.kind === 'Node' && involvedObject.name === name)
    .map(({ type, reason, message, source }) => `${source.component} ${type} ${reason} ${message}`);
};

async function podOn(node: string): Promise<WorkloadNamespace> {
  const namespace = await WorkloadNamespace.create(api);
  await until(
    () => api.get(namespace.path('serviceaccounts/default')),
    ({ code }) => code === 200,
  );
  await namespace.create('pods', {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  await namespace.bind('p', node);
  await namespace.setReady('p');
  return namespace;
}

test('a silent node becomes Unknown after the grace period and is tainted; its pods are marked as not ready', async () => {
  await nodes.add('alive');
  await nodes.add('silent');
  await nodes.untilTaints('silent');
  const namespace = await podOn('silent');
  await silence(45, 'alive');
  assert.equal(readyOf(await nodes.get('silent'))?.status, 'True');
  await silence(10, 'alive');
  const node = await nodes.untilReady('silent', 'Unknown');
  const { reason, message } = readyOf(node)!;
  assert.deepEqual([reason, message], ['NodeStatusUnknown', 'Kubelet stopped posting node status.']);
  const pressure = conditionsOf(node).find(({ type }) => type === 'MemoryPressure')!;
  assert.deepEqual(
    [pressure.status, pressure.reason, pressure.message],
    ['Unknown', 'NodeStatusNeverUpdated', 'Kubelet never posted node status.'],
  );
  await nodes.untilTaints('silent', 'unreachable:NoSchedule', 'unreachable:NoExecute');
  await namespace.until('pods/p', (pod) => readyOf(pod)?.status === 'False');
  assert.deepEqual(await namespace.untilEvents('Pod', 1), ['Warning NodeNotReady Node is not ready']);
  assert.equal(readyOf(await nodes.get('alive'))?.status, 'True');
  const events = await until(
    () => nodeEvents('silent'),
    (found) => found.length === 2,
  );
  assert.deepEqual(events, [
    'node-controller Normal RegisteredNode Node silent event: Registered Node silent in Controller',
    'node-controller Normal NodeNotReady Node silent status is now: NodeNotReady',
  ]);
});

test('a node that reports again loses its taints at once', async () => {
  await nodes.add('alive');
  await nodes.add('silent');
  await silence(60, 'alive');
  await nodes.untilTaints('silent', 'unreachable:NoSchedule', 'unreachable:NoExecute');
  await nodes.setConditions('silent', { Ready: 'True' });
  await nodes.untilTaints('silent');
});

test('a renewed Lease alone keeps a node ready', async () => {
  await nodes.add('alive');
  for (let round = 0; round < 4; round++) await silence(40, 'alive');
  assert.equal(readyOf(await nodes.get('alive'))?.status, 'True');
});

test('a jump of the clock makes no node silent that reports right after it', async () => {
  await nodes.add('alive');
  await silence(3600, 'alive');
  await controllersIdle(api);
  assert.equal(readyOf(await nodes.get('alive'))?.status, 'True');
});

test('a node whose kubelet never reported becomes Unknown after the start-up grace period', async () => {
  await nodes.add('alive');
  await api.post('/api/v1/nodes', { metadata: { name: 'new' } });
  await silence(45, 'alive');
  assert.deepEqual(conditionsOf(await nodes.get('new')), []);
  await nodes.untilTaints('new');
  await silence(20, 'alive');
  const { reason } = readyOf(await nodes.untilReady('new', 'Unknown'))!;
  assert.equal(reason, 'NodeStatusNeverUpdated');
  await nodes.untilTaints('new', 'unreachable:NoSchedule', 'unreachable:NoExecute');
});

test('a node that reports that it is not ready is tainted; its taint changes with the condition', async () => {
  await nodes.add('alive');
  await nodes.add('broken');
  await nodes.setConditions('broken', { Ready: 'False' });
  await silence(5, 'alive', 'broken');
  await nodes.untilTaints('broken', 'not-ready:NoSchedule', 'not-ready:NoExecute');
  await nodes.setConditions('broken', { Ready: 'Unknown' });
  await nodes.untilTaints('broken', 'unreachable:NoSchedule', 'unreachable:NoExecute');
});

test('conditions and spec.unschedulable have taints, and taints of users stay', async () => {
  await nodes.add('node');
  await nodes.patch('node', { spec: { taints: [{ key: 'example.com/own', effect: 'NoSchedule' }] } });
  await nodes.setConditions('node', { MemoryPressure: 'True', DiskPressure: 'True', PIDPressure: 'True' });
  const pressures = ['memory-pressure:NoSchedule', 'disk-pressure:NoSchedule', 'pid-pressure:NoSchedule'];
  await nodes.untilTaints('node', 'own:NoSchedule', ...pressures);
  await nodes.setConditions('node', { MemoryPressure: 'False', DiskPressure: 'False', PIDPressure: 'False' });
  await nodes.patch('node', { spec: { unschedulable: true } });
  await nodes.setConditions('node', { NetworkUnavailable: 'True' });
  await nodes.untilTaints(
    'node',
    'own:NoSchedule',
    'unschedulable:NoSchedule',
    'network-unavailable:NoSchedule',
  );
  await nodes.patch('node', { spec: { unschedulable: null } });
  await nodes.setConditions('node', { NetworkUnavailable: 'False' });
  await nodes.untilTaints('node', 'own:NoSchedule');
});

test('the deprecated labels of operating system and architecture follow the current ones', async () => {
  await nodes.add('node', { 'orch.io/os': 'linux', 'orch.io/arch': 'arm64', 'beta.orch.io/arch': 'amd64' });
  const labels = ({ metadata }: Body) => metadata.labels;
  await nodes.until('node', (node) => labels(node)['beta.orch.io/arch'] === 'arm64');
  assert.equal(labels(await nodes.get('node'))['beta.orch.io/os'], 'linux');
});

test('a pod that is assigned to a node that is not ready is marked as not ready', async () => {
  await nodes.add('alive');
  await nodes.add('broken');
  await nodes.setConditions('broken', { Ready: 'False' });
  const namespace = await WorkloadNamespace.create(api);
  await until(
    () => api.get(namespace.path('serviceaccounts/default')),
    ({ code }) => code === 200,
  );
  await namespace.create('pods', {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  await namespace.setReady('p');
  await namespace.bind('p', 'broken');
  await namespace.until('pods/p', (pod) => readyOf(pod)?.status === 'False');
});

test('nodes of one zone are tainted one after the other', async () => {
  for (const name of ['alive-0', 'alive-1', 'silent-0', 'silent-1']) await nodes.add(name);
  await silence(60, 'alive-0', 'alive-1');
  const tainted = async () => {
    const all = await Promise.all(['silent-0', 'silent-1'].map((name) => nodes.get(name)));
    return all.filter((node) => JSON.stringify(node.spec.taints ?? []).includes('NoExecute')).length;
  };
  await until(tainted, (count) => count === 1);
  await nodes.untilReady('silent-0', 'Unknown');
  await nodes.untilReady('silent-1', 'Unknown');
  await controllersIdle(api);
  assert.equal(await tainted(), 1);
  await silence(10, 'alive-0', 'alive-1');
  await until(tainted, (count) => count === 2);
});

test('if no node is ready, no node is tainted with NoExecute, and tainting resumes when one is ready', async () => {
  await nodes.add('one', { 'topology.orch.io/zone': 'a' });
  await nodes.add('two', { 'topology.orch.io/zone': 'b' });
  await silence(60);
  await nodes.untilTaints('one', 'unreachable:NoSchedule');
  await nodes.untilTaints('two', 'unreachable:NoSchedule');
  await silence(30);
  await controllersIdle(api);
  await nodes.untilTaints('one', 'unreachable:NoSchedule');
  await nodes.setConditions('one', { Ready: 'True' });
  await silence(5, 'one');
  await silence(10, 'one');
  await nodes.untilTaints('one');
  await nodes.untilTaints('two', 'unreachable:NoSchedule', 'unreachable:NoExecute');
});

test('the removal of a node is reported', async () => {
  await nodes.add('short');
  await silence(5, 'short');
  await nodes.delete('short');
  await silence(5);
  const events = await until(
    () => nodeEvents('short'),
    (found) => found.length === 2,
  );
  assert.match(events[1]!, /Normal RemovingNode Node short event: Removing Node short from Controller$/);
});
