// Tests of the replica calculator.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MetricError, type PodSample } from './pod-samples.ts';
import {
  replicasForAverageValue,
  replicasForUtilization,
  replicasForValue,
  replicasForValuePerReplica,
} from './replica-calculator.ts';

interface Pods {
  /** The usage of ready pods, in percent of a request of 1000m. */
  readonly ready: readonly number[];
  readonly unready?: number;
  readonly missing?: number;
  readonly ignored?: number;
}

const tolerances = { scaleUp: 0.1, scaleDown: 0.1 };
const request = 1_000;

/** Pods that are unready or ignored have a sample, too. */
function inputOf({ ready, unready = 0, missing = 0, ignored = 0 }: Pods) {
  const names = (kind: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${kind}-${index}`);
  const sample = (milliValue: number): PodSample => ({ milliValue, timestampMs: 0, windowMs: 0 });
  const samples = new Map(ready.map((percent, index) => [`ready-${index}`, sample(percent * 10)]));
  const groups = {
    readyCount: ready.length,
    unready: new Set(names('unready', unready)),
    missing: new Set(names('missing', missing)),
    ignored: new Set(names('ignored', ignored)),
  };
  for (const pod of [...groups.unready, ...groups.ignored]) samples.set(pod, sample(5_000));
  const all = [...samples.keys(), ...groups.missing];
  const currentReplicas = ready.length + unready + missing;
  return {
    currentReplicas,
    tolerances,
    samples,
    groups,
    requests: new Map(all.map((pod) => [pod, request])),
  };
}

const utilizationCases: readonly [string, Pods, number, { replicas: number; utilization: number }][] = [
  ['usage above the target', { ready: [60, 60] }, 30, { replicas: 4, utilization: 60 }],
  ['usage below the target', { ready: [10, 10, 10, 10] }, 40, { replicas: 1, utilization: 10 }],
  ['a result is rounded up', { ready: [50, 50, 50] }, 40, { replicas: 4, utilization: 50 }],
  ['within the tolerance', { ready: [54, 54] }, 50, { replicas: 2, utilization: 54 }],
  ['just outside of it', { ready: [56, 56] }, 50, { replicas: 3, utilization: 56 }],
  ['the average counts', { ready: [100, 0] }, 50, { replicas: 2, utilization: 50 }],
  [
    'unready pods use nothing when scaling up',
    { ready: [100, 100], unready: 2 },
    40,
    { replicas: 5, utilization: 100 },
  ],
  ['unready pods prevent scaling up', { ready: [60], unready: 1 }, 50, { replicas: 2, utilization: 60 }],
  [
    'unready pods do not count when scaling down',
    { ready: [10, 10], unready: 2 },
    40,
    { replicas: 1, utilization: 10 },
  ],
  [
    'missing pods use nothing when scaling up',
    { ready: [100, 100], missing: 1 },
    40,
    { replicas: 5, utilization: 100 },
  ],
  [
    'missing pods use all when scaling down',
    { ready: [10, 10], missing: 2 },
    80,
    { replicas: 3, utilization: 10 },
  ],
  ['missing pods prevent scaling down', { ready: [10], missing: 3 }, 80, { replicas: 4, utilization: 10 }],
  [
    'missing pods use a target above all',
    { ready: [10, 10], missing: 2 },
    200,
    { replicas: 3, utilization: 10 },
  ],
  ['ignored pods do not count', { ready: [100], ignored: 3 }, 50, { replicas: 2, utilization: 100 }],
];

test('replicas follow from the utilization', () => {
  for (const [name, pods, target, expected] of utilizationCases) {
    const { requests, ...input } = inputOf(pods);
    const { replicas, utilization } = replicasForUtilization(input, requests, target);
    assert.deepEqual({ replicas, utilization }, expected, name);
  }
});

test('each direction has its own tolerance', () => {
  const replicasWith = (percent: number, scaleUp: number, scaleDown: number) => {
    const { requests, ...input } = inputOf({ ready: Array.from({ length: 10 }, () => percent) });
    return replicasForUtilization({ ...input, tolerances: { scaleUp, scaleDown } }, requests, 50).replicas;
  };
  assert.equal(replicasWith(52, 0, 0.5), 11);
  assert.equal(replicasWith(52, 0.05, 0), 10);
  assert.equal(replicasWith(30, 0, 0.5), 10);
  assert.equal(replicasWith(30, 0, 0.3), 6);
});

test('utilization is exact for large amounts of memory', () => {
  const sample = { milliValue: 2 ** 48, timestampMs: 0, windowMs: 0 };
  const groups = {
    readyCount: 1,
    unready: new Set<string>(),
    missing: new Set<string>(),
    ignored: new Set<string>(),
  };
  const input = { currentReplicas: 1, tolerances, samples: new Map([['a', sample]]), groups };
  assert.equal(replicasForUtilization(input, new Map([['a', 2 ** 49]]), 50).utilization, 50);
});

test('without usable samples nothing is proposed', () => {
  const { requests, ...input } = inputOf({ ready: [], unready: 2 });
  assert.throws(() => replicasForUtilization(input, requests, 50), MetricError);
  assert.throws(() => replicasForAverageValue(input, 50), /pods might be unready/);
  const { requests: _requests, ...foreign } = inputOf({ ready: [50] });
  assert.throws(
    () => replicasForUtilization(foreign, new Map(), 50),
    /no metrics returned matched known pods/,
  );
});

test('replicas follow from an average value', () => {
  const cases: readonly [string, Pods, number, { replicas: number; averageMilliValue: number }][] = [
    ['above', { ready: [20, 30] }, 100, { replicas: 5, averageMilliValue: 250 }],
    ['within the tolerance', { ready: [20, 20] }, 190, { replicas: 2, averageMilliValue: 200 }],
    ['below', { ready: [5, 5, 5] }, 100, { replicas: 2, averageMilliValue: 50 }],
    [
      'missing pods have the target when scaling down',
      { ready: [5, 5], missing: 1 },
      100,
      { replicas: 2, averageMilliValue: 50 },
    ],
    [
      'unready pods have nothing when scaling up',
      { ready: [30], unready: 1 },
      100,
      { replicas: 3, averageMilliValue: 300 },
    ],
  ];
  for (const [name, pods, target, expected] of cases) {
    const { requests: _requests, ...input } = inputOf(pods);
    assert.deepEqual(replicasForAverageValue(input, target), expected, name);
  }
});

test('replicas follow from a value of the whole', () => {
  const replicas = (current: number, value: number, target: number, ready: number) =>
    replicasForValue(current, tolerances, value, target, () => ready);
  assert.equal(replicas(2, 300, 100, 2), 6);
  assert.equal(replicas(2, 105, 100, 2), 2);
  assert.equal(replicas(4, 50, 100, 3), 2);
  assert.equal(replicas(0, 250, 100, 0), 3);
  assert.equal(replicas(0, 0, 100, 0), 0);
  assert.equal(replicas(1, 2 ** 50, 1, 1), 2 ** 31 - 1);
});

test('replicas follow from a value per replica', () => {
  const result = (status: number, value: number, target: number) =>
    replicasForValuePerReplica(status, tolerances, value, target);
  assert.deepEqual(result(2, 1_000, 100), { replicas: 10, averageMilliValue: 500 });
  assert.deepEqual(result(3, 310, 100), { replicas: 3, averageMilliValue: 104 });
  assert.deepEqual(result(0, 250, 100), { replicas: 3, averageMilliValue: 0 });
});
