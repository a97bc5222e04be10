// Tests of the choice of finished pods to delete.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pod } from '../../apis/core/pod.ts';
import { surplusPods } from './surplus-pods.ts';

const pod = (name: string, minute: number, status: object = { phase: 'Succeeded' }) =>
  ({ metadata: { name, creationTimestamp: `2024-01-01T00:0${minute}:00Z` }, spec: {}, status }) as Pod;
const names = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.name);

test('up to the threshold no pod is deleted', () => {
  assert.deepEqual(surplusPods([pod('a', 1), pod('b', 2)], 2), []);
});

test('evicted pods are deleted first, then the oldest, and by name if they are of the same age', () => {
  const evicted = pod('evicted', 9, { phase: 'Failed', reason: 'Evicted' });
  const finished = [pod('new', 5), pod('b', 1), pod('a', 1), evicted];
  assert.deepEqual(names(surplusPods(finished, 1)), ['evicted', 'a', 'b']);
  assert.deepEqual(names(surplusPods(finished, 3)), ['evicted']);
});
