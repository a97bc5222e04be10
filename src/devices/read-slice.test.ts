import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSlice } from './read-slice.ts';

const like = { attributes: { model: { string: 'a' } }, capacity: { memory: { value: '1Gi' } } };
const of = (device: object) =>
  readSlice({
    spec: {
      driver: 'd',
      pool: { name: 'p', generation: 2, resourceSliceCount: 1 },
      devices: [{ name: 'x', ...device }] as never,
    },
  });

test('a ResourceSlice is read alike in every version', () => {
  const expected = {
    driver: 'd',
    pool: 'p',
    generation: 2,
    sliceCount: 1,
    devices: [{ driver: 'd', pool: 'p', name: 'x', ...like }],
  };
  assert.deepEqual(of(like), expected);
  assert.deepEqual(of({ basic: like }), expected);
  assert.deepEqual(of({ basic: { ...like, capacity: { memory: '1Gi' } } }), expected);
});

test('an invalid ResourceSlice has no devices', () => {
  assert.deepEqual(readSlice({}).devices, []);
});
