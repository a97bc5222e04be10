// A node fails: its pods are evicted when their toleration ends, and replaced on the other nodes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, testServer } from '../support/client.ts';
import { controllersIdle, until } from '../support/controllers.ts';
import { PlayedNodes, readyOf } from '../support/nodes.ts';
import { WorkloadNamespace } from '../support/workloads.ts';

const api = testServer({ nodes: 3 });
const nodes = new PlayedNodes(api);
const failed = 'simulation.orch.io/failed';
const setFailed = (name: string, value: 'true' | null) =>
  nodes.patch(name, { metadata: { annotations: { [failed]: value } } });
const nodeOf = ({ spec }: Body) => spec.nodeName as string;

/** Moves the clock in steps in which kubelets renew their Leases. */
async function pass(seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= 10) {
    api.server.clock.advance(Math.min(left, 10) * 1000);
    await controllersIdle(api);
  }
}

async function deploy(replicas: number): Promise<WorkloadNamespace> {
  const namespace = await WorkloadNamespace.create(api);
  const labels = { app: 'web' };
  await namespace.create('apps/deployments', {
    metadata: { name: 'web' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  });
  await namespace.untilStatus('apps/deployments/web', { availableReplicas: replicas });
  return namespace;
}

test('the pods of a failed node move when their toleration has passed', async () => {
  const namespace = await deploy(6);
  const before = await namespace.pods();
  const moving = before.filter((pod) => nodeOf(pod) === 'node-1').map(({ metadata }) => metadata.uid);
  assert.equal(moving.length, 2);
  await setFailed('node-1', 'true');
  await pass(70);
  await nodes.untilReady('node-1', 'Unknown');
  await nodes.untilTaints('node-1', 'unreachable:NoSchedule', 'unreachable:NoExecute');
  await namespace.untilStatus('apps/deployments/web', { availableReplicas: 4 });
  assert.equal((await namespace.activePods()).length, 6);
  await pass(310);
  await namespace.untilStatus('apps/deployments/web', { availableReplicas: 6 });
  const active = await namespace.untilActivePods(6);
  assert.ok(active.every((pod) => nodeOf(pod) !== 'node-1'));
  const terminating = (await namespace.pods()).filter(({ metadata }) => metadata.deletionTimestamp);
  assert.deepEqual(terminating.map(({ metadata }) => metadata.uid).sort(), moving.sort());
  await setFailed('node-1', null);
  await nodes.untilTaints('node-1');
  await until(
    () => namespace.pods(),
    ({ length }) => length === 6,
  );
  await namespace.delete('apps/deployments/web');
  await namespace.untilActivePods(0);
});

test('nothing moves if the node recovers in time, and its pods are ready again', async () => {
  const namespace = await deploy(6);
  const uids = async () => (await namespace.pods()).map(({ metadata }) => metadata.uid).sort();
  const before = await uids();
  await setFailed('node-2', 'true');
  await pass(70);
  await namespace.untilStatus('apps/deployments/web', { availableReplicas: 4 });
  await pass(200);
  await setFailed('node-2', null);
  await nodes.untilReady('node-2', 'True');
  await namespace.untilStatus('apps/deployments/web', { availableReplicas: 6 });
  await pass(200);
  assert.deepEqual(await uids(), before);
  assert.ok((await namespace.pods()).every((pod) => readyOf(pod)?.status === 'True'));
  await namespace.delete('apps/deployments/web');
  await namespace.untilActivePods(0);
});

test('a jump of the clock changes no node', async () => {
  await controllersIdle(api);
  for (const hours of [1, 24]) {
    api.server.clock.advance(hours * 3_600_000);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await controllersIdle(api);
  }
  for (const name of ['node-0', 'node-1', 'node-2']) {
    assert.equal(readyOf(await nodes.get(name))?.status, 'True');
    await nodes.untilTaints(name);
  }
});

test('the pods of a deleted node are deleted and replaced', async () => {
  const namespace = await deploy(3);
  const { body: node } = await api.get('/api/v1/nodes/node-0');
  assert.equal((await api.delete('/api/v1/nodes/node-0')).code, 200);
  await pass(80);
  await namespace.untilStatus('apps/deployments/web', { availableReplicas: 3 });
  const active = await namespace.untilActivePods(3);
  assert.ok(active.every((pod) => nodeOf(pod) !== node.metadata.name));
});
