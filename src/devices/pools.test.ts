import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupIntoPools, type PoolSlice } from './pools.ts';

const slice = (pool: string, generation: number, names: string[], count = 1): PoolSlice => ({
  driver: 'd',
  pool,
  generation,
  sliceCount: count,
  devices: names.map((name) => ({ driver: 'd', pool, name })),
});

test('ResourceSlices of an older pool generation are ignored', () => {
  const pools = groupIntoPools([slice('p', 1, ['a', 'b']), slice('p', 2, ['c']), slice('q', 1, ['e'])]);
  assert.deepEqual(
    pools.devices.map(({ name }) => name),
    ['c', 'e'],
  );
  assert.equal(pools.outdatedDeviceCount, 2);
  assert.deepEqual(pools.incompletePools, []);
});

test('a pool is incomplete until all its ResourceSlices exist', () => {
  assert.deepEqual(groupIntoPools([slice('p', 1, ['a'], 3), slice('p', 1, ['b'], 3)]).incompletePools, [
    'd/p',
  ]);
});
