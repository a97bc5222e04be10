import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median, percentile } from './statistics.ts';

test('median is the middle value, or the mean of the two middle ones', () => {
  assert.equal(median([10, 9, 100]), 10);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.throws(() => median([]), RangeError);
});

test('percentile is the smallest value that the share of the values does not exceed', () => {
  const hundred = Array.from({ length: 100 }, (_, i) => i + 1);
  assert.equal(percentile(hundred, 0.99), 99);
  assert.equal(percentile(hundred, 0.5), 50);
  assert.equal(percentile([7], 0.99), 7);
  assert.throws(() => percentile([], 0.5), RangeError);
});
