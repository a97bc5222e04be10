// Tests of durations.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { describeInvalidDuration, formatDuration, parseDuration } from './duration.ts';

test("parseDuration accepts Go's notation", () => {
  const cases: [string, number][] = [
    ['0', 0],
    ['0s', 0],
    ['60s', 60_000],
    ['1m0s', 60_000],
    ['1h30m', 5_400_000],
    ['1.5h', 5_400_000],
    ['.5s', 500],
    ['1.s', 1_000],
    ['500ms', 500],
    ['+2s', 2_000],
    ['2s1h', 3_602_000],
    ['1500us', 1.5],
    ['1500µs', 1.5],
  ];
  for (const [text, expected] of cases) assert.equal(parseDuration(text), expected, text);
});

test('parseDuration rejects invalid and negative durations', () => {
  for (const text of [
    '',
    '+',
    '5',
    's',
    '1',
    '1x',
    '1s ',
    ' 1s',
    '1d',
    '1,5s',
    '-1s',
    '1s-',
    '..5s',
    '9999999h',
  ]) {
    assert.throws(() => parseDuration(text), /is not a duration/, text);
  }
});

test('parseDuration inverts formatDuration', () => {
  fc.assert(
    fc.property(fc.nat(10 ** 9), (duration) => {
      assert.equal(parseDuration(formatDuration(duration)), duration);
    }),
  );
});

test('formatDuration prints durations as Go does', () => {
  assert.deepEqual([0, 500, 60_000, 90_000, 1_800_000, 3_600_000, 1_500].map(formatDuration), [
    '0s',
    '500ms',
    '1m0s',
    '1m30s',
    '30m0s',
    '1h0m0s',
    '1.5s',
  ]);
});

test("describeInvalidDuration returns Go's error text", () => {
  const messages = ['', 'x', '5', '5m3', '.', '1y', '1h2x3', '1.2.3s'].map(describeInvalidDuration);
  assert.deepEqual(messages, [
    'invalid duration',
    'invalid duration',
    'missing unit in duration',
    'missing unit in duration',
    'invalid duration',
    'unknown unit "y" in duration',
    'unknown unit "x" in duration',
    'missing unit in duration',
  ]);
});
