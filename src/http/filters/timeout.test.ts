import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovableClock } from '../../base/clock.ts';
import { Deadlines } from './timeout.ts';

test('Deadlines expires each item after its time, the oldest first, and no item that was taken out', () => {
  const clock = new MovableClock();
  const expired: string[] = [];
  const deadlines = new Deadlines<{ began: number; name: string }>(clock, 100_000, ({ name }) =>
    expired.push(name),
  );
  const start = (name: string) => {
    const item = { began: clock.elapsed(), name };
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
  deadlines.delete(b);
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
