import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PoolSlice, poolsOf } from './pools.ts';

const slice = (pool: string, generation: number, names: string[], count = 1): PoolSlice => ({
  driver: 'd',
  pool,
  generation,
  count,
  devices: names.map((name) => ({ driver: 'd', pool, name })),
});

test('ResourceSlices of an older pool generation are ignored', () => {
  const pools = poolsOf([slice('p', 1, ['a', 'b']), slice('p', 2, ['c']), slice('q', 1, ['e'])]);
  assert.deepEqual(
    pools.devices.map(({ name }) => name),
    ['c', 'e'],
  );
  assert.equal(pools.outdated, 2);
  assert.deepEqual(pools.incomplete, []);
});

test('a pool is incomplete until all its ResourceSlices exist', () => {
  assert.deepEqual(poolsOf([slice('p', 1, ['a'], 3), slice('p', 1, ['b'], 3)]).incomplete, ['d/p']);
});
