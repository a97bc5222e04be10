import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeTolerations } from './merged-tolerations.ts';
import type { Toleration } from './toleration.ts';

const any: Toleration = { operator: 'Exists' };
const key = (name: string, more: Partial<Toleration> = {}): Toleration => ({
  key: name,
  operator: 'Exists',
  ...more,
});

test('a toleration that comes twice stays where it was first', () => {
  assert.deepEqual(mergeTolerations([key('a'), key('b')], [key('a'), key('c')]), [
    key('a'),
    key('b'),
    key('c'),
  ]);
});

test('what another one bears anyway is left out, whichever comes first', () => {
  assert.deepEqual(mergeTolerations([key('a', { effect: 'NoSchedule' }), any], [key('b')]), [any]);
  assert.deepEqual(mergeTolerations([key('a', { effect: 'NoSchedule' })], [key('a')]), [key('a')]);
});

test('of two that end, the longer one counts', () => {
  const short = key('a', { effect: 'NoExecute', tolerationSeconds: 5 });
  const long = key('a', { effect: 'NoExecute', tolerationSeconds: 60 });
  const forever = key('a', { effect: 'NoExecute' });
  assert.deepEqual(mergeTolerations([short], [long]), [long]);
  assert.deepEqual(mergeTolerations([long], [short]), [long]);
  assert.deepEqual(mergeTolerations([long], [forever]), [forever]);
});
