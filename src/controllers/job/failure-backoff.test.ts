import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../../apis/core/pod.ts';
import { nextBackoff, noBackoff, remainingBackoffMs } from './failure-backoff.ts';
import type { JobPod } from './job-pods.ts';

const finishedAt = (second: number) =>
  ({
    pod: {
      metadata: { creationTimestamp: new Date(second * 1000).toISOString() },
      spec: {},
      status: {},
    } as Pod,
  }) as JobPod;

test('the delay doubles with each failure, from 10 seconds to 10 minutes', () => {
  const delays = [0, 1, 2, 3, 6, 7, 8, 2000].map((failures) =>
    remainingBackoffMs({ failures, lastFailureMs: 5_000 }, 5_000),
  );
  assert.deepEqual(delays, [0, 10_000, 20_000, 40_000, 320_000, 600_000, 600_000, 600_000]);
  assert.equal(remainingBackoffMs({ failures: 1, lastFailureMs: 5_000 }, 14_000), 1_000);
  assert.equal(remainingBackoffMs({ failures: 1, lastFailureMs: 5_000 }, 20_000), 0);
});

test('a success ends the backoff, except for failures after it', () => {
  const failing = nextBackoff(noBackoff, [], [finishedAt(3), finishedAt(1)]);
  assert.deepEqual(failing, { failures: 2, lastFailureMs: 3_000 });
  assert.deepEqual(nextBackoff(failing, [], []), failing);
  assert.deepEqual(nextBackoff(failing, [], [finishedAt(4)]), { failures: 3, lastFailureMs: 4_000 });
  assert.deepEqual(nextBackoff(failing, [finishedAt(9)], []), noBackoff);
  assert.deepEqual(nextBackoff(failing, [finishedAt(9)], [finishedAt(8), finishedAt(9), finishedAt(11)]), {
    failures: 1,
    lastFailureMs: 11_000,
  });
});
