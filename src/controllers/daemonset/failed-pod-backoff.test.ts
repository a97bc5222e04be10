// Tests of the backoff of failed daemon pods.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovableClock } from '../../base/clock.ts';
import { FailedPodBackoff } from './failed-pod-backoff.ts';

/** In whole seconds, because real time passes on the clock too. */
const wait = (backoff: FailedPodBackoff) => Math.ceil(backoff.take('a') / 1000) * 1000;

test('the delay doubles from one second to fifteen minutes, for each key', () => {
  const clock = new MovableClock();
  const backoff = new FailedPodBackoff(clock);
  for (const delayMs of [1_000, 2_000, 4_000]) {
    assert.equal(backoff.take('a'), 0);
    assert.equal(wait(backoff), delayMs);
    clock.advance(delayMs);
  }
  assert.equal(backoff.take('b'), 0);
  for (let round = 0; round < 12; round++) {
    backoff.take('a');
    clock.advance(15 * 60_000);
  }
  assert.equal(backoff.take('a'), 0);
  assert.equal(wait(backoff), 15 * 60_000);
});

test('a delay that was not used for twice the maximum is forgotten', () => {
  const clock = new MovableClock();
  const backoff = new FailedPodBackoff(clock);
  backoff.take('a');
  clock.advance(31 * 60_000);
  assert.equal(backoff.take('a'), 0);
  assert.equal(wait(backoff), 1_000);
});
