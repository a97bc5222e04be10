// Tests of Retry-After.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RetryAfter } from './retry-after.ts';

test('RetryAfter grows with many rejections, up to 32 seconds, and shrinks with few', () => {
  const retryAfter = new RetryAfter();
  let now = 1_000_000;
  const rejectTimes = (times: number) => {
    let seconds = 0;
    for (let n = 0; n < times; n++) seconds = retryAfter.recordRejection(now);
    now += 1000;
    return seconds;
  };
  assert.equal(rejectTimes(1), 1);
  let highest = 0;
  for (let second = 0; second < 100; second++) highest = Math.max(highest, rejectTimes(50));
  assert.equal(highest, 32);
  // Occasional rejections.
  let seconds = 32;
  for (let n = 0; n < 60; n++) {
    now += 40_000;
    seconds = rejectTimes(1);
  }
  assert.equal(seconds, 1);
});
