import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareVersions } from './version-priority.ts';

test('compareVersions sorts stable before beta before alpha, newer first, other names last', () => {
  const sorted = [
    'v10',
    'v2',
    'v1',
    'v11beta2',
    'v10beta3',
    'v3beta1',
    'v12alpha1',
    'v11alpha2',
    'foo1',
    'foo10',
  ];
  assert.deepEqual([...sorted].reverse().sort(compareVersions), sorted);
});
