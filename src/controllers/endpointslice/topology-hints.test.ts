// Tests of the assignment of endpoints to zones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoint } from '../../apis/discovery/endpointslice.ts';
import { allocateHints } from './topology-hints.ts';

const endpoints = (...zones: string[]) =>
  zones.map((zone, index) => ({ addresses: [`10.0.0.${index}`], zone }) as unknown as Endpoint);
const even = new Map(['a', 'b', 'c'].map((zone) => [zone, 1 / 3]));

test('endpoints that are spread as the processors serve their own zone', () => {
  assert.deepEqual(allocateHints(endpoints('a', 'b', 'c'), even), { zones: ['a', 'b', 'c'] });
  const all = ['a', 'a', 'b', 'b', 'c', 'c'];
  assert.deepEqual(allocateHints(endpoints(...all), even), { zones: all });
});

test('zones with too many endpoints give some to zones with too few', () => {
  const { zones } = allocateHints(endpoints('a', 'a', 'a', 'a', 'b', 'c'), even) as { zones: string[] };
  for (const zone of even.keys()) assert.equal(zones.filter((each) => each === zone).length, 2);
});

test('without enough endpoints, zones or processors there are no hints', () => {
  const problem = (...args: Parameters<typeof allocateHints>) =>
    (allocateHints(...args) as { problem: string }).problem;
  assert.match(problem(endpoints('a'), undefined), /^Insufficient Node information/);
  assert.equal(problem(endpoints('a', 'b'), even), 'Insufficient number of endpoints (2 endpoints, 3 zones)');
  const uneven = new Map([
    ['a', 0.5],
    ['b', 0.25],
    ['c', 0.25],
  ]);
  assert.match(
    problem(endpoints('a', 'b', 'c'), uneven),
    /^Unable to allocate minimum .* \(3 endpoints, 3 zones\)$/,
  );
  assert.match(problem(endpoints('a', 'b', ''), even), /do not have a zone specified$/);
});
