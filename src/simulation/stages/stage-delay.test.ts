// When the next state of a stage is due.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../../apis/core/pod.ts';
import type { StageDelay } from './stage.ts';
import { dueTime } from './stage-delay.ts';

const pod = (restartCount = 0, annotations: Record<string, string> = {}) =>
  ({
    metadata: { annotations, deletionTimestamp: '1970-01-01T00:01:00Z' },
    spec: {},
    status: { containerStatuses: [{ restartCount }] },
  }) as unknown as Pod;
const due = (delay: Partial<StageDelay>, of = pod(), random = 0) =>
  dueTime({ durationMs: 0, jitterMs: 0, ...delay }, of, 5_000, random);

test('a delay counts from now, with a random part', () => {
  assert.equal(due({ durationMs: 1_000 }), 6_000);
  assert.equal(due({ durationMs: 1_000, jitterMs: 4_000 }, pod(), 0.5), 8_000);
});

test('a delay counts from a field of the pod, if the pod has it', () => {
  assert.equal(due({ durationMs: 1_000, from: ['metadata', 'deletionTimestamp'] }), 61_000);
  assert.equal(due({ durationMs: 1_000, from: ['status', 'startTime'] }), 6_000);
});

test('an annotation replaces the duration, unless it is no duration', () => {
  const delay = { durationMs: 1_000, annotation: 'a' };
  assert.equal(due(delay, pod(0, { a: '2s' })), 7_000);
  assert.equal(due(delay, pod(0, { a: 'soon' })), 6_000);
});

test('a delay grows with each restart, up to its maximum', () => {
  const delay = { durationMs: 10_000, growth: 2, maxMs: 60_000 };
  assert.deepEqual(
    [0, 1, 2, 3].map((restarts) => due(delay, pod(restarts)) - 5_000),
    [10_000, 20_000, 40_000, 60_000],
  );
});
