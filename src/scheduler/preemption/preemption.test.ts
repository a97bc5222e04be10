// Tests of preemption: victims, the choice of a node, and messages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pendingPod } from '../cache/pod-info.ts';
import { TestCluster, type TestPod, testPod } from '../cluster.fixture.ts';
import { defaultProfile } from '../profile.ts';
import { SchedulingAlgorithm } from '../schedule-pod.ts';
import type { Budget } from './disruption-budgets.ts';
import { pickCandidate } from './pick-candidate.ts';
import { preempt } from './preempt.ts';

const running = (priority: number, cpu: string, more: TestPod = {}): TestPod => ({
  ...more,
  cpu,
  spec: { priority, ...more.spec },
});

/** The node and the victims, or the message. */
function tryPreempt(cluster: TestCluster, pod: TestPod, budgets: Budget[] = []): string {
  const incoming = pendingPod(testPod('incoming', pod));
  const result = new SchedulingAlgorithm(cluster, cluster.nominated, () => 0).schedule(
    incoming,
    defaultProfile,
  );
  if ('node' in result) return `fits on ${result.node.name}`;
  const preemption = preempt({
    pod: incoming,
    nominatedNodeName: incoming.nominatedNodeName,
    fitError: result.fitError,
    filters: result.filters,
    cluster: cluster.cluster,
    budgets: () => budgets,
    random: () => 0,
  });
  if (!('candidate' in preemption)) return preemption.message;
  const { nodeName, victims } = preemption.candidate;
  return `${nodeName}: ${victims.map(({ name }) => name).join(' ')}`;
}

test('as few and as unimportant pods as possible are victims', () => {
  const cluster = new TestCluster({ a: { cpu: '4' } })
    .run('high', 'a', running(100, '1'))
    .run('low', 'a', running(1, '1'))
    .run('lower', 'a', running(0, '1'))
    .run('lowest', 'a', running(-1, '1'));
  assert.equal(tryPreempt(cluster, running(50, '1')), 'a: lowest');
  assert.equal(tryPreempt(cluster, running(50, '2')), 'a: lower lowest');
  assert.equal(
    tryPreempt(cluster, running(50, '4')),
    'preemption: 0/1 nodes are available: 1 Insufficient cpu.',
  );
});

test('of equal priority, the pod that started last is the victim', () => {
  const started = (time: string) => running(0, '1', { status: { startTime: time } });
  const cluster = new TestCluster({ a: { cpu: '2' } })
    .run('new', 'a', started('2026-01-02T00:00:00Z'))
    .run('old', 'a', started('2026-01-01T00:00:00Z'));
  assert.equal(tryPreempt(cluster, running(1, '1')), 'a: new');
});

test('messages name nodes without victims and nodes that preemption does not help', () => {
  const cluster = new TestCluster({ a: { cpu: '1' }, b: { unschedulable: true }, c: { cpu: '8' } })
    .run('x', 'a', running(0, '1'))
    .run('y', 'c', running(0, '8'));
  assert.equal(
    tryPreempt(cluster, running(0, '1')),
    'preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling, ' +
      '2 No preemption victims found for incoming pod.',
  );
});

test('preemptionPolicy Never, and victims that still terminate, prevent preemption', () => {
  const cluster = new TestCluster({ a: { cpu: '1' } }).run('x', 'a', running(0, '1'));
  assert.equal(
    tryPreempt(cluster, running(1, '1', { spec: { preemptionPolicy: 'Never' } })),
    'preemption: not eligible due to preemptionPolicy=Never.',
  );
  const conditions = [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' }];
  cluster.run('x', 'a', running(0, '1', { metadata: { deletionTimestamp: 'now' }, status: { conditions } }));
  assert.equal(
    tryPreempt(cluster, running(1, '1', { status: { nominatedNodeName: 'a' } })),
    'preemption: not eligible due to a terminating pod on the nominated node.',
  );
});

test('PodDisruptionBudgets are violated only if there is no other way', () => {
  const cluster = new TestCluster({ a: { cpu: '1' }, b: { cpu: '1' } })
    .run('guarded', 'a', running(0, '1', { labels: { app: 'web' } }))
    .run('other', 'b', running(5, '1'));
  const budget = (disruptionsAllowed: number): Budget => ({
    namespace: 'ns',
    disruptionsAllowed,
    disruptedPods: new Set(),
    selects: (labels) => labels.get('app') === 'web',
  });
  const pod = running(10, '1');
  assert.equal(tryPreempt(cluster, pod, [budget(1)]), 'a: guarded');
  assert.equal(tryPreempt(cluster, pod, [budget(0)]), 'b: other');
  cluster.cluster.removeNode('b');
  assert.equal(tryPreempt(cluster, pod, [budget(0)]), 'a: guarded');
});

test('preemption resolves anti-affinity', () => {
  const podAntiAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey: 'hostname', labelSelector: { matchLabels: { app: 'web' } } },
    ],
  };
  const cluster = new TestCluster({ a: {} })
    .run('web', 'a', running(0, '1', { labels: { app: 'web' } }))
    .run('db', 'a', running(0, '1', { labels: { app: 'db' } }));
  assert.equal(tryPreempt(cluster, running(1, '1', { spec: { affinity: { podAntiAffinity } } })), 'a: web');
});

test('the best node has the fewest violations, then the least important, fewest and youngest victims', () => {
  const victim = (priority: number, startedAtMs = 0) =>
    ({ ...pendingPod(testPod('v', { spec: { priority } })), startedAtMs }) as const;
  const candidate = (nodeName: string, violations: number, ...victims: ReturnType<typeof victim>[]) => ({
    nodeName,
    violations,
    victims,
  });
  const pick = (...candidates: ReturnType<typeof candidate>[]) => pickCandidate(candidates).nodeName;
  assert.equal(pick(candidate('a', 1, victim(0)), candidate('b', 0, victim(9))), 'b');
  assert.equal(pick(candidate('a', 0, victim(5)), candidate('b', 0, victim(4), victim(4))), 'b');
  assert.equal(pick(candidate('a', 0, victim(4), victim(3)), candidate('b', 0, victim(4), victim(2))), 'b');
  assert.equal(pick(candidate('a', 0, victim(-4), victim(-4)), candidate('b', 0, victim(-4))), 'b');
  assert.equal(pick(candidate('a', 0, victim(4, 10)), candidate('b', 0, victim(4, 20))), 'b');
  assert.equal(pick(candidate('a', 0, victim(4)), candidate('b', 0, victim(4))), 'a');
});
