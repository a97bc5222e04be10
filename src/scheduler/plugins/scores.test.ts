// Tests of the score plugins.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCluster } from '../cluster.fixture.ts';
import { scoreImages } from './image-locality.ts';
import { scoreNodeAffinity } from './node-affinity.ts';
import { scoreBalancedAllocation, scoreLeastAllocated } from './node-resources.ts';
import { normalizeScores } from './plugin.ts';
import { scoreTaints } from './taint-toleration.ts';

test('scores are scaled to 100, or reversed', () => {
  assert.deepEqual(normalizeScores([1, 2, 3]), [33, 66, 100]);
  assert.deepEqual(normalizeScores([0, 1, 3], true), [100, 67, 0]);
  assert.deepEqual(normalizeScores([0, 0]), [0, 0]);
  assert.deepEqual(normalizeScores([0, 0], true), [100, 100]);
});

test('TaintToleration prefers nodes with few untolerated PreferNoSchedule taints', () => {
  const soft = (key: string) => ({ key, effect: 'PreferNoSchedule' });
  const cluster = new TestCluster({
    a: {},
    b: { taints: [soft('x')] },
    c: { taints: [soft('x'), soft('y')] },
  });
  assert.deepEqual(cluster.score(scoreTaints, {}), { a: 100, b: 50, c: 0 });
  const tolerations = [{ key: 'x', operator: 'Exists' }];
  assert.deepEqual(cluster.score(scoreTaints, { spec: { tolerations } }), { a: 100, b: 100, c: 0 });
});

test('NodeAffinity adds the weights of matching preferences', () => {
  const cluster = new TestCluster({ a: { labels: { x: '1', y: '1' } }, b: { labels: { x: '1' } }, c: {} });
  const preference = (key: string, weight: number) => ({
    weight,
    preference: { matchExpressions: [{ key, operator: 'Exists' }] },
  });
  const nodeAffinity = {
    preferredDuringSchedulingIgnoredDuringExecution: [preference('x', 10), preference('y', 30)],
  };
  assert.deepEqual(cluster.score(scoreNodeAffinity, { spec: { affinity: { nodeAffinity } } }), {
    a: 100,
    b: 25,
    c: 0,
  });
  assert.equal(cluster.score(scoreNodeAffinity, {}), undefined);
});

test('LeastAllocated prefers free nodes, and counts defaults for pods without requests', () => {
  const cluster = new TestCluster({ a: { cpu: '4', memory: '8Gi' }, b: { cpu: '4', memory: '8Gi' } });
  cluster.run('x', 'a', { cpu: '2', memory: '4Gi' });
  assert.deepEqual(cluster.score(scoreLeastAllocated, { cpu: '1', memory: '2Gi' }), { a: 25, b: 75 });
  // (4000 - 100) / 4000 is 97.5 %, (8192 - 200) / 8192 is 97.6 %.
  assert.equal(cluster.score(scoreLeastAllocated, {})!.b, 97);
});

test('BalancedAllocation prefers equal shares of CPU and memory', () => {
  const cluster = new TestCluster({ a: { cpu: '4', memory: '8Gi' }, b: { cpu: '4', memory: '8Gi' } });
  cluster.run('x', 'a', { cpu: '2' });
  assert.deepEqual(cluster.score(scoreBalancedAllocation, { cpu: '1', memory: '2Gi' }), { a: 75, b: 100 });
  assert.equal(cluster.score(scoreBalancedAllocation, {}), undefined);
});

test('ImageLocality prefers nodes with large images that many nodes have', () => {
  const image = (name: string, sizeMiB: number) => ({ names: [name], sizeBytes: sizeMiB * 1024 * 1024 });
  const cluster = new TestCluster({
    a: { images: [image('app:latest', 1000)] },
    b: { images: [image('app:latest', 1000)] },
    c: { images: [image('other:1', 1000)] },
  });
  // 1000 MiB on two of three nodes count as 666.6 MiB of 1000, less the minimum of 23 MiB.
  assert.deepEqual(cluster.score(scoreImages, {}), { a: 65, b: 65, c: 0 });
});
