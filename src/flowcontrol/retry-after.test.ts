// Tests of Retry-After.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RetryAfter } from './retry-after.ts';

test('RetryAfter grows with many rejections, up to 32 seconds, and shrinks with few', () => {
  const retryAfter = new RetryAfter();
  let now = 1_000_000;
  const refuse = (times: number) => {
    let said = 0;
    for (let n = 0; n < times; n++) said = retryAfter.refuse(now);
    now += 1000;
    return said;
  };
  assert.equal(refuse(1), 1);
  let highest = 0;
  for (let second = 0; second < 100; second++) highest = Math.max(highest, refuse(50));
  assert.equal(highest, 32);
  // One now and then.
  let said = 32;
  for (let n = 0; n < 60; n++) {
    now += 40_000;
    said = refuse(1);
  }
  assert.equal(said, 1);
});
