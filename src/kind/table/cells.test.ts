import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ageFormatterAt } from './age-formatter.ts';
import { humanDuration, joinAtMost, labelText, since } from './cells.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

test('shorter durations are printed with finer units', () => {
  const cases: [number, string][] = [
    [-5 * second, '<invalid>'],
    [-1 * second, '0s'],
    [0, '0s'],
    [119 * second, '119s'],
    [2 * minute, '2m'],
    [3 * minute + 20 * second, '3m20s'],
    [179 * minute, '179m'],
    [5 * hour, '5h'],
    [7 * hour + 5 * minute, '7h5m'],
    [47 * hour, '47h'],
    [3 * day + 4 * hour, '3d4h'],
    [500 * day, '500d'],
    [3 * 365 * day + 10 * day, '3y10d'],
    [9 * 365 * day, '9y'],
  ];
  for (const [ms, text] of cases) assert.equal(humanDuration(ms), text);
});

test('an object without a timestamp has an unknown age', () => {
  assert.equal(since(undefined, ageFormatterAt(0)), '<unknown>');
  assert.equal(since('1970-01-01T00:00:00Z', ageFormatterAt(60_000)), '60s');
  const now = ageFormatterAt(Date.parse('2024-02-29T12:34:56Z'));
  assert.equal(since('2024-02-29T12:34:26Z', now), '30s');
  assert.equal(since('2024-02-29T12:34:26.000000Z', now), '30s');
});

test('labels are sorted, and no labels are printed as <none>', () => {
  assert.equal(labelText({ b: '1', a: '2' }), 'a=2,b=1');
  assert.equal(labelText({}), '<none>');
});

test('a long list is truncated to its first items', () => {
  assert.equal(joinAtMost(['a', 'b', 'c', 'd'], 3, ','), 'a,b,c + 1 more...');
});
