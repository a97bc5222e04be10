// Tests of topology spread constraints.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCluster } from '../cluster.fixture.ts';
import { podTopologySpread } from './pod-topology-spread.ts';
import { scoreTopologySpread } from './pod-topology-spread-score.ts';

const web = { labels: { app: 'web' } };
const spread = (more: object = {}, labels: Record<string, string> = web.labels) => ({
  labels,
  spec: {
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'zone',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: 'web' } },
        ...more,
      },
    ],
  },
});
const zones = { a: { labels: { zone: '1' } }, b: { labels: { zone: '2' } }, c: {} };
const mismatch = "node(s) didn't match pod topology spread constraints";
const missing = `${mismatch} (missing required label)`;
const checkAll = (cluster: TestCluster, pod: object) =>
  ['a', 'b', 'c'].map((name) => cluster.check(podTopologySpread, pod, name));

test('the skew between domains is at most maxSkew', () => {
  const cluster = new TestCluster(zones).run('1', 'a', web);
  assert.deepEqual(checkAll(cluster, spread()), [mismatch, 'feasible', missing]);
  assert.deepEqual(checkAll(cluster, spread({ maxSkew: 2 })), ['feasible', 'feasible', missing]);
});

test('terminating pods, and those of other namespaces or labels, do not count', () => {
  const cluster = new TestCluster(zones)
    .run('1', 'a', { ...web, metadata: { deletionTimestamp: 'now' } })
    .run('2', 'a', { ...web, namespace: 'other' })
    .run('3', 'a', { labels: { app: 'db' } });
  assert.equal(cluster.check(podTopologySpread, spread(), 'a'), 'feasible');
});

test('a pod that its own constraint does not select adds nothing to the skew', () => {
  const cluster = new TestCluster(zones).run('1', 'a', web);
  assert.equal(cluster.check(podTopologySpread, spread({}, {}), 'a'), 'feasible');
});

test('with fewer domains than minDomains the global minimum is 0', () => {
  const cluster = new TestCluster(zones).run('1', 'a', web).run('2', 'b', web);
  assert.equal(cluster.check(podTopologySpread, spread(), 'a'), 'feasible');
  assert.equal(cluster.check(podTopologySpread, spread({ minDomains: 3 }), 'a'), mismatch);
});

test('matchLabelKeys restrict the counted pods to those with the same values', () => {
  const cluster = new TestCluster(zones).run('1', 'a', { labels: { app: 'web', hash: 'old' } });
  const labels = { app: 'web', hash: 'new' };
  assert.equal(cluster.check(podTopologySpread, spread({}, labels), 'a'), mismatch);
  assert.equal(
    cluster.check(podTopologySpread, spread({ matchLabelKeys: ['hash'] }, labels), 'a'),
    'feasible',
  );
});

test('nodeAffinityPolicy and nodeTaintsPolicy decide which nodes count', () => {
  const taints = [{ key: 'x', effect: 'NoSchedule' }];
  const cluster = new TestCluster({
    a: { labels: { zone: '1', disk: 'ssd' } },
    b: { labels: { zone: '2' }, taints },
  }).run('1', 'a', web);
  const selecting = (more: object) => {
    const pod = spread(more);
    return { ...pod, spec: { ...pod.spec, nodeSelector: { disk: 'ssd' } } };
  };
  assert.equal(cluster.check(podTopologySpread, selecting({}), 'a'), 'feasible');
  assert.equal(cluster.check(podTopologySpread, selecting({ nodeAffinityPolicy: 'Ignore' }), 'a'), mismatch);
  assert.equal(cluster.check(podTopologySpread, spread(), 'a'), mismatch);
  assert.equal(cluster.check(podTopologySpread, spread({ nodeTaintsPolicy: 'Honor' }), 'a'), 'feasible');
});

test('ScheduleAnyway prefers domains with few matching pods', () => {
  const cluster = new TestCluster({ a: { labels: { zone: '1' } }, b: { labels: { zone: '2' } }, c: {} })
    .run('1', 'a', web)
    .run('2', 'a', web)
    .run('3', 'b', web);
  const scores = cluster.score(scoreTopologySpread, spread({ whenUnsatisfiable: 'ScheduleAnyway' }));
  // Raw scores: 2 and 1 pods times ln(4), rounded to 3 and 1; nodes without the label get 0.
  assert.deepEqual(scores, { a: 33, b: 100, c: 0 });
  assert.equal(cluster.score(scoreTopologySpread, {}), undefined);
});

test('pods of a workload without constraints spread over hosts and zones', () => {
  const cluster = new TestCluster({
    a: { labels: { zone: '1' } },
    b: { labels: { zone: '1' } },
    c: { labels: { zone: '2' } },
  });
  cluster.run('1', 'a', web).run('2', 'a', web);
  cluster.workload = [{ key: 'app', operator: 'in', values: ['web'] }];
  const { a, b, c } = cluster.score(scoreTopologySpread, web)!;
  assert.ok(a! < b! && b! < c!, JSON.stringify({ a, b, c }));
});
