// Tests of the scheduler's cache.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCluster, testNode, testPod } from '../cluster.fixture.ts';
import { podInfo } from './pod-info.ts';

const requestedMilliCpu = (cluster: TestCluster, node: string) => cluster.node(node).requested.milliCpu;

test('an assumed pod uses resources until it is forgotten or reported', () => {
  const cluster = new TestCluster({ a: {} });
  const { cluster: cache } = cluster;
  const pod = podInfo(testPod('p', { cpu: '1' }));
  cache.assume(pod, 'a');
  assert.equal(requestedMilliCpu(cluster, 'a'), 1000);
  cache.forget(pod);
  assert.equal(requestedMilliCpu(cluster, 'a'), 0);
  cache.assume(pod, 'a');
  cluster.run('p', 'a', { cpu: '1' });
  cache.forget(pod);
  assert.equal(requestedMilliCpu(cluster, 'a'), 1000);
});

test('a pod that is reported again, elsewhere or with other requests, counts once', () => {
  const cluster = new TestCluster({ a: {}, b: {} });
  cluster.run('p', 'a', { cpu: '1' }).run('p', 'a', { cpu: '2' });
  assert.equal(requestedMilliCpu(cluster, 'a'), 2000);
  cluster.run('p', 'b', { cpu: '2' });
  assert.deepEqual([requestedMilliCpu(cluster, 'a'), requestedMilliCpu(cluster, 'b')], [0, 2000]);
  cluster.cluster.removePod('ns/p');
  assert.equal(requestedMilliCpu(cluster, 'b'), 0);
});

test('pods are counted on a node that is added after them, or again', () => {
  const cluster = new TestCluster();
  cluster.run('p', 'a', { cpu: '1' });
  assert.deepEqual(cluster.cluster.nodes, []);
  cluster.cluster.setNode(testNode('a'));
  assert.equal(requestedMilliCpu(cluster, 'a'), 1000);
  cluster.cluster.removeNode('a');
  assert.equal(cluster.cluster.node('a'), undefined);
  cluster.cluster.setNode(testNode('a'));
  assert.equal(requestedMilliCpu(cluster, 'a'), 1000);
});

test('images are counted by node', () => {
  const image = { names: ['app:1'], sizeBytes: 1 };
  const cluster = new TestCluster({ a: { images: [image] }, b: { images: [image] } });
  const { cluster: cache } = cluster;
  assert.equal(cache.image('app:1')?.nodes, 2);
  cache.setNode(testNode('a'));
  assert.equal(cache.image('app:1')?.nodes, 1);
  cache.removeNode('b');
  assert.equal(cache.image('app:1'), undefined);
});

test('a simulation on a clone leaves the node as it is', () => {
  const cluster = new TestCluster({ a: {} }).run('p', 'a', { cpu: '1', ports: [{ hostPort: 80 }] });
  const node = cluster.node('a');
  const clone = node.clone();
  const [pod] = node.pods.values();
  clone.removePod(pod!);
  assert.equal(clone.requested.milliCpu, 0);
  assert.equal(node.requested.milliCpu, 1000);
  assert.ok(node.ports.conflictsWith(pod!.hostPorts[0]!));
  assert.ok(!clone.ports.conflictsWith(pod!.hostPorts[0]!));
});
