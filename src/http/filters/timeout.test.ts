// Request deadlines expire in order of age.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovableClock } from '../../base/clock.ts';
import { DeadlineQueue } from './timeout.ts';

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
