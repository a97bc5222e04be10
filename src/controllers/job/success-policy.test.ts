import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IndexRanges } from './index-ranges.ts';
import { matchSuccessPolicy } from './success-policy.ts';

const completed = IndexRanges.of([0, 2, 3, 7]);
const match = (...rules: { succeededIndexes?: string; succeededCount?: number }[]) =>
  matchSuccessPolicy({ rules }, 10, completed);

test('all indexes of a rule must have succeeded, or as many as its count', () => {
  assert.equal(match({ succeededIndexes: '2-3' }), 'Matched rules at index 0');
  assert.equal(match({ succeededIndexes: '2-4' }), undefined);
  assert.equal(match({ succeededIndexes: '2-4', succeededCount: 2 }), 'Matched rules at index 0');
  assert.equal(match({ succeededIndexes: '4-9', succeededCount: 2 }), undefined);
  assert.equal(match({ succeededCount: 5 }, { succeededCount: 4 }), 'Matched rules at index 1');
});

test('no rule is met before an index has succeeded', () => {
  assert.equal(matchSuccessPolicy({ rules: [{ succeededCount: 0 }] }, 10, IndexRanges.none), undefined);
  assert.equal(matchSuccessPolicy(undefined, 10, completed), undefined);
});
