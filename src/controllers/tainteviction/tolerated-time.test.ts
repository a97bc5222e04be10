// Tests of the time for which a pod tolerates taints.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Taint } from '../../apis/core/taint.ts';
import type { Toleration } from '../../apis/core/toleration.ts';
import { toleratedMs } from './tolerated-time.ts';

const taint = (key: string): Taint => ({ key, effect: 'NoExecute' });
const toleration = (key: string, tolerationSeconds?: number) =>
  ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds }) as unknown as Toleration;

test('no taint is tolerated forever, and a taint without toleration not at all', () => {
  assert.equal(toleratedMs([], []), Number.POSITIVE_INFINITY);
  assert.equal(toleratedMs([taint('a')], []), 0);
  assert.equal(toleratedMs([taint('a'), taint('b')], [toleration('a')]), 0);
});

test('the shortest toleration counts', () => {
  assert.equal(toleratedMs([taint('a')], [toleration('a')]), Number.POSITIVE_INFINITY);
  const both = [toleration('a', 300), toleration('b', 20)];
  assert.equal(toleratedMs([taint('a'), taint('b')], both), 20_000);
  assert.equal(toleratedMs([taint('a')], both), 300_000);
  assert.equal(toleratedMs([taint('a')], [toleration('a', -5)]), 0);
});

test('of several tolerations of a taint the first counts', () => {
  assert.equal(toleratedMs([taint('a')], [toleration('a', 300), toleration('a', 1)]), 300_000);
});
