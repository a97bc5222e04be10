import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from './options.ts';
import { scaleOf } from './scale.ts';

test('options are parsed, and contradictory options are rejected', () => {
  const options = readOptions([
    '--quick',
    '--only',
    'get',
    '--only',
    'create',
    '--rounds',
    '2',
    '--orch-only',
  ]);
  const expected = {
    quick: true,
    full: false,
    only: ['get', 'create'],
    rounds: 2,
    sides: 'orch',
    help: false,
  };
  assert.deepEqual(options, { ...expected, storage: 'lmdb', orchFlags: [] });
  assert.equal(scaleOf(options).rounds, 2);
  assert.throws(() => readOptions(['--rounds', '0']), /--rounds/);
  assert.throws(() => readOptions(['--orch-only', '--reference-only']), /mutually exclusive/);
  assert.throws(() => readOptions(['--wat']));
  assert.equal(readOptions(['--storage', 'etcd']).storage, 'etcd');
  assert.deepEqual(readOptions(['--orch-flag=--serving-threads=2']).orchFlags, ['--serving-threads=2']);
  assert.throws(() => readOptions(['--storage', 'disk']), /--storage takes lmdb or etcd/);
});
