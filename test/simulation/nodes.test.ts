// Simulated nodes: registration, Leases, heartbeats, failures and restarts.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer } from '../../src/index.ts';
import { type Body, testServer } from '../support/client.ts';
import { until } from '../support/controllers.ts';

const api = testServer({ nodes: 3 });
const nodes = '/api/v1/nodes';
const leases = '/apis/coordination.orch.io/v1/namespaces/orch-node-lease/leases';

interface NodeStatus {
  capacity: Record<string, string>;
  allocatable: Record<string, string>;
  addresses: { type: string; address: string }[];
  conditions: { type: string; status: string; lastHeartbeatTime: string; lastTransitionTime: string }[];
  nodeInfo: Record<string, string>;
}
const statusOf = ({ status }: Body) => status as NodeStatus;
const conditionsOf = (node: Body) =>
  Object.fromEntries((statusOf(node).conditions ?? []).map(({ type, status }) => [type, status]));
const readyOf = (node: Body) => statusOf(node).conditions.find(({ type }) => type === 'Ready')!;
const renewTimeOf = async (name: string) =>
  (await api.get(`${leases}/${name}`)).body.spec?.renewTime as string | undefined;
const patch = (path: string, body: object) =>
  api.request('PATCH', path, body, { 'content-type': 'application/merge-patch+json' });

const healthy = {
  Ready: 'True',
  MemoryPressure: 'False',
  DiskPressure: 'False',
  PIDPressure: 'False',
  NetworkUnavailable: 'False',
};

test('the nodes exist when the server is ready, with labels, resources, addresses and conditions', async () => {
  const { body } = await api.get(nodes);
  assert.deepEqual(
    body.items.map(({ metadata }) => metadata.name),
    ['node-0', 'node-1', 'node-2'],
  );
  const [first, second] = body.items as [Body, Body];
  assert.deepEqual(first.metadata.labels, {
    'orch.io/hostname': 'node-0',
    'orch.io/os': 'linux',
    'orch.io/arch': 'amd64',
    'beta.orch.io/os': 'linux',
    'beta.orch.io/arch': 'amd64',
    'topology.orch.io/zone': 'zone-a',
    'topology.orch.io/region': 'region-1',
    'simulation.orch.io/node': 'true',
  });
  const { capacity, allocatable, addresses, nodeInfo } = statusOf(first);
  assert.deepEqual(capacity, { cpu: '32', memory: '256Gi', 'ephemeral-storage': '1Ti', pods: '110' });
  assert.deepEqual(allocatable, capacity);
  assert.deepEqual(addresses, [
    { type: 'InternalIP', address: '172.16.0.1' },
    { type: 'Hostname', address: 'node-0' },
  ]);
  assert.equal(statusOf(second).addresses[0]!.address, '172.16.0.2');
  assert.equal(nodeInfo.kubeletVersion, 'v1.33.0-simulated');
  assert.deepEqual(conditionsOf(first), healthy);
  assert.equal(first.spec.taints, undefined);
});

test('the Lease of a node belongs to it and is renewed every ten seconds', async () => {
  const { body: lease } = await until(
    () => api.get(`${leases}/node-1`),
    ({ code }) => code === 200,
  );
  const { body: node } = await api.get(`${nodes}/node-1`);
  const { ownerReferences } = lease.metadata as unknown as { ownerReferences: { uid: string }[] };
  assert.equal(ownerReferences[0]!.uid, node.metadata.uid);
  assert.deepEqual([lease.spec.holderIdentity, lease.spec.leaseDurationSeconds], ['node-1', 40]);
  const first = await renewTimeOf('node-1');
  api.server.clock.advance(10_000);
  const second = await until(
    () => renewTimeOf('node-1'),
    (time) => time !== first,
  );
  assert.ok(Date.parse(second!) - Date.parse(first!) >= 9_000);
});

test('the heartbeat of the conditions comes every five minutes, and keeps what a test has set', async () => {
  const { body: before } = await api.get(`${nodes}/node-1`);
  const conditions = [{ type: 'MemoryPressure', status: 'True', reason: 'Test' }];
  const { code } = await api.request(
    'PATCH',
    `${nodes}/node-1/status`,
    { status: { conditions } },
    {
      'content-type': 'application/strategic-merge-patch+json',
    },
  );
  assert.equal(code, 200);
  const { body: after } = await until(
    async () => {
      // Without a new Lease the conditions would become Unknown.
      const renewed = await renewTimeOf('node-1');
      api.server.clock.advance(10_000);
      await until(
        () => renewTimeOf('node-1'),
        (time) => time !== renewed,
      );
      return api.get(`${nodes}/node-1`);
    },
    ({ body }) => readyOf(body).lastHeartbeatTime > readyOf(before).lastHeartbeatTime,
  );
  assert.deepEqual(conditionsOf(after), { ...healthy, MemoryPressure: 'True' });
  assert.equal(readyOf(after).lastTransitionTime, readyOf(before).lastTransitionTime);
});

test('a failed node renews nothing; after it recovers it is ready at once', async () => {
  const annotate = (failed: string | null) =>
    patch(`${nodes}/node-2`, { metadata: { annotations: { 'simulation.orch.io/failed': failed } } });
  await annotate('true');
  const last = await renewTimeOf('node-2');
  api.server.clock.advance(60_000);
  // The others are renewed meanwhile.
  const other = await renewTimeOf('node-0');
  await until(
    () => {
      api.server.clock.advance(10_000);
      return renewTimeOf('node-0');
    },
    (time) => time !== other,
  );
  assert.equal(await renewTimeOf('node-2'), last);
  // As the node lifecycle controller does.
  const conditions = [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }];
  await patch(`${nodes}/node-2/status`, { status: { conditions } });
  await annotate(null);
  await until(
    () => api.get(`${nodes}/node-2`),
    ({ body }) => conditionsOf(body).Ready === 'True',
  );
  await until(
    () => renewTimeOf('node-2'),
    (time) => time !== last,
  );
});

test('a node that a client creates with the label is simulated, and one without it is not', async () => {
  const labels = { 'simulation.orch.io/node': 'true' };
  await api.post(nodes, { metadata: { name: 'extra', labels } });
  await api.post(nodes, { metadata: { name: 'real' } });
  const { body } = await until(
    () => api.get(`${nodes}/extra`),
    ({ body }) => conditionsOf(body).Ready === 'True',
  );
  assert.equal(statusOf(body).addresses[0]!.address, '172.16.0.4');
  await until(
    () => api.get(`${leases}/extra`),
    ({ code }) => code === 200,
  );
  assert.equal((await api.get(`${leases}/real`)).code, 404);
  assert.equal(statusOf((await api.get(`${nodes}/real`)).body).conditions, undefined);
});

test('a restart takes over the nodes, also with a smaller number', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'orch-nodes-'));
  try {
    const first = await startServer({ dataDir, nodes: 2 });
    const node = await first.client.get({ apiVersion: 'v1', kind: 'Node', name: 'node-1' });
    await first.stop();
    const second = await startServer({ dataDir, nodes: 1 });
    const { items } = await second.client.list({ apiVersion: 'v1', kind: 'Node' });
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['node-0', 'node-1'],
    );
    assert.equal(items[1]!.metadata.uid, node.metadata.uid);
    const lease = {
      apiVersion: 'coordination.orch.io/v1',
      kind: 'Lease',
      name: 'node-1',
      namespace: 'orch-node-lease',
    };
    const renewTime = async () =>
      ((await second.client.get(lease)) as { spec?: { renewTime?: string } }).spec?.renewTime;
    const before = await renewTime();
    await until(
      () => {
        second.clock.advance(10_000);
        return renewTime();
      },
      (time) => time !== before,
    );
    await second.stop();
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

test('reset restores the nodes', async () => {
  await api.delete(`${nodes}/node-0`);
  api.server.reset();
  await until(
    () => api.get(`${nodes}/node-0`),
    ({ code }) => code === 200,
  );
});
