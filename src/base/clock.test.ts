// Tests of the clock and its timers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeadlineQueue, every, MovableClock } from './clock.ts';

test('MovableClock.advance fires due timers in order, each at its due time', () => {
  const clock = new MovableClock();
  const start = clock.now();
  const ran: [string, number][] = [];
  const elapsedSeconds = () => Math.round((clock.now() - start) / 1000);
  clock.after(60_000, () => ran.push(['second', elapsedSeconds()]));
  clock.after(10_000, () => {
    ran.push(['first', elapsedSeconds()]);
    clock.after(10_000, () => ran.push(['nested', elapsedSeconds()]));
  });
  const cancel = clock.after(30_000, () => ran.push(['never', elapsedSeconds()]));
  cancel();
  clock.advance(90_000);
  assert.deepEqual(ran, [
    ['first', 10],
    ['nested', 20],
    ['second', 60],
  ]);
  assert.equal(elapsedSeconds(), 90);
});

test('a periodic timer fires once for a step of many intervals, and then continues', async () => {
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

test('DeadlineQueue expires items in order of age and skips removed ones', () => {
  const clock = new MovableClock();
  const expired: string[] = [];
  const deadlines = new DeadlineQueue<{ receivedMonotonicMs: number; name: string }>(
    clock,
    100_000,
    ({ name }) => expired.push(name),
  );
  const start = (name: string) => {
    const item = { receivedMonotonicMs: clock.elapsed(), name };
    deadlines.add(item);
    return item;
  };
  start('a');
  clock.advance(40_000);
  const b = start('b');
  start('c');
  clock.advance(50_000);
  assert.deepEqual(expired, []);
  clock.advance(15_000);
  assert.deepEqual(expired, ['a']);
  deadlines.remove(b);
  clock.advance(40_000);
  assert.deepEqual(expired, ['a', 'c']);
  start('d');
  clock.advance(101_000);
  assert.deepEqual(expired, ['a', 'c', 'd']);
  start('e');
  deadlines.close();
  clock.advance(1_000_000);
  assert.deepEqual(expired, ['a', 'c', 'd']);
});

/** A base clock that stands still unless a test moves it. */
function manualBase() {
  const base = new MovableClock();
  base.freeze();
  return base;
}

test('a frozen MovableClock stands still, fires no timers, and resumes where it stood', () => {
  const base = manualBase();
  const clock = new MovableClock(base);
  const start = { now: clock.now(), elapsed: clock.elapsed() };
  let fired = 0;
  clock.after(10_000, () => fired++);
  clock.freeze();
  base.advance(60_000);
  clock.after(5_000, () => fired++);
  assert.deepEqual([clock.now() - start.now, clock.elapsed() - start.elapsed, fired], [0, 0, 0]);
  clock.advance(6_000);
  assert.deepEqual([clock.now() - start.now, fired], [6_000, 1]);
  clock.resume();
  assert.equal(clock.now() - start.now, 6_000);
  base.advance(3_999);
  assert.equal(fired, 1);
  base.advance(1);
  assert.equal(fired, 2);
});

test('MovableClock.set moves the wall clock: ahead it fires timers, back it does not delay them', () => {
  const base = manualBase();
  const clock = new MovableClock(base);
  clock.set('2030-01-01T00:00:00Z');
  assert.equal(new Date(clock.now()).toISOString(), '2030-01-01T00:00:00.000Z');
  const fired: string[] = [];
  clock.after(1_000, () => fired.push('second'));
  const elapsed = clock.elapsed();
  clock.set(new Date('2020-01-01T00:00:00Z'));
  assert.equal(new Date(clock.now()).toISOString(), '2020-01-01T00:00:00.000Z');
  assert.equal(clock.elapsed(), elapsed);
  base.advance(1_000);
  assert.deepEqual(fired, ['second']);
  clock.after(3_600_000, () => fired.push('hour'));
  clock.set('2020-01-01T02:00:00Z');
  assert.deepEqual(fired, ['second', 'hour']);
  assert.throws(() => clock.set('yesterday'), /"yesterday" is not a time/);
});
