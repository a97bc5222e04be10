// Tests of the scheduling algorithm for one pod.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pendingPod, podInfo } from './cache/pod-info.ts';
import { TestCluster, type TestNode, testPod } from './cluster.fixture.ts';
import { defaultProfile } from './profile.ts';
import { feasibleNodesToFind, SchedulingAlgorithm } from './schedule-pod.ts';

test('in large clusters the search ends after a share of the nodes', () => {
  const counts = [1, 99, 100, 250, 1000, 5000, 6000, 10_000].map((count) => feasibleNodesToFind(count));
  assert.deepEqual(counts, [1, 99, 100, 120, 420, 500, 300, 500]);
});

test('each search starts where the last one ended', () => {
  const nodes = Array.from({ length: 200 }, (_, i): [string, TestNode] => [`n${i}`, {}]);
  const cluster = new TestCluster(Object.fromEntries(nodes));
  const algorithm = new SchedulingAlgorithm(cluster, cluster.nominated, () => 0.999);
  const pod = pendingPod(testPod('p'));
  const chosen = [1, 2, 3].map(() => {
    const result = algorithm.schedule(pod, defaultProfile);
    return 'node' in result ? result.node.name : '';
  });
  // 100 feasible nodes are found, and the first of equal ones is chosen.
  assert.deepEqual(chosen, ['n0', 'n100', 'n0']);
});

test('ties are broken at random', () => {
  const cluster = new TestCluster({ a: {}, b: {}, c: {} });
  assert.equal(
    cluster.place({}, () => 0.999),
    'a',
  );
  assert.equal(
    cluster.place({}, () => 0),
    'c',
  );
});

test('messages count the reasons in alphabetical order', () => {
  const taints = [{ key: 'gpu', effect: 'NoSchedule' }];
  const cluster = new TestCluster({
    a: { cpu: '1' },
    b: { taints },
    c: { taints },
    d: { unschedulable: true },
  });
  assert.equal(
    cluster.place({ cpu: '2' }),
    '0/4 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable, ' +
      '2 node(s) had untolerated taint {gpu: }.',
  );
  assert.equal(new TestCluster().place({}), 'no nodes available to schedule pods');
});

test('nodes are tried zone by zone in turn', () => {
  const zone = (name: string) => ({ labels: { zone: name } });
  const cluster = new TestCluster({ a: zone('1'), b: zone('1'), c: zone('2'), d: zone('3'), e: zone('2') });
  assert.deepEqual(
    cluster.cluster.nodes.map(({ name }) => name),
    ['a', 'c', 'd', 'b', 'e'],
  );
});

test('pods leave room for nominated pods of the same or higher priority', () => {
  const cluster = new TestCluster({ a: { cpu: '2' } });
  cluster.nominated.set(podInfo(testPod('nominated', { cpu: '2', spec: { priority: 10 } })), 'a');
  const place = (priority: number) => cluster.place({ cpu: '1', spec: { priority } });
  assert.equal(place(10), '0/1 nodes are available: 1 Insufficient cpu.');
  assert.equal(place(11), 'a');
});

test('a pod does not depend on nominated pods, which may go elsewhere', () => {
  const cluster = new TestCluster({ a: {} });
  const labels = { app: 'web' };
  cluster.nominated.set(podInfo(testPod('nominated', { labels, spec: { priority: 10 } })), 'a');
  const terms = [{ topologyKey: 'hostname', labelSelector: { matchLabels: labels } }];
  const podAffinity = { requiredDuringSchedulingIgnoredDuringExecution: terms };
  assert.equal(
    cluster.place({ spec: { affinity: { podAffinity } } }),
    "0/1 nodes are available: 1 node(s) didn't match pod affinity rules.",
  );
});

test('a nominated pod returns to its node if it fits', () => {
  const cluster = new TestCluster({ a: {}, b: { cpu: '64' } });
  assert.equal(cluster.place({ status: { nominatedNodeName: 'a' } }), 'a');
  cluster.run('x', 'a', { cpu: '4' });
  assert.equal(cluster.place({ cpu: '1', status: { nominatedNodeName: 'a' } }), 'b');
});
