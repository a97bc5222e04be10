// Tests of the clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { every, MovableClock } from './clock.ts';

test('MovableClock runs what falls due while it is moved, in order and at its time', () => {
  const clock = new MovableClock();
  const start = clock.now();
  const ran: [string, number][] = [];
  const at = () => Math.round((clock.now() - start) / 1000);
  clock.after(60_000, () => ran.push(['second', at()]));
  clock.after(10_000, () => {
    ran.push(['first', at()]);
    clock.after(10_000, () => ran.push(['nested', at()]));
  });
  const cancel = clock.after(30_000, () => ran.push(['never', at()]));
  cancel();
  clock.advance(90_000);
  assert.deepEqual(ran, [
    ['first', 10],
    ['nested', 20],
    ['second', 60],
  ]);
  assert.equal(at(), 90);
});

test('what is done again and again is done once for a jump over many times, and goes on after it', async () => {
  const clock = new MovableClock();
  let count = 0;
  const stop = every(clock, 10_000, () => count++);
  clock.advance(365 * 24 * 3600 * 1000);
  assert.equal(count, 1);
  await Promise.resolve();
  clock.advance(10_000);
  assert.equal(count, 2);
  stop();
  await Promise.resolve();
  clock.advance(10_000);
  assert.equal(count, 2);
});
