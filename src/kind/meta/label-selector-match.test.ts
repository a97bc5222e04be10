import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LabelSelector } from './label-selector.ts';
import { selects, selectsAll } from './label-selector-match.ts';

const labels = { a: 'x', b: 'y' };
const one = (operator: string, values?: string[], key = 'a') =>
  ({ matchExpressions: [{ key, operator, ...(values && { values }) }] }) as LabelSelector;

test('a selector selects by all of its conditions', () => {
  assert.ok(selects({}, labels) && selects({}) && selectsAll({}) && selectsAll({ matchLabels: {} }));
  assert.ok(selects({ matchLabels: { a: 'x', b: 'y' } }, labels));
  assert.ok(!selects({ matchLabels: { a: 'x', b: 'z' } }, labels));
  assert.ok(selects(one('In', ['x', 'z']), labels) && !selects(one('In', ['z']), labels));
  assert.ok(selects(one('NotIn', ['z']), labels) && selects(one('NotIn', ['x'], 'c'), labels));
  assert.ok(!selects(one('NotIn', ['x']), labels));
  assert.ok(selects(one('Exists'), labels) && !selects(one('Exists', [], 'c'), labels));
  assert.ok(selects(one('DoesNotExist', [], 'c'), labels) && !selects(one('DoesNotExist'), labels));
  assert.ok(!selects(one('?'), labels) && !selectsAll(one('Exists')));
});

test('names that all objects inherit are no labels', () => {
  assert.ok(!selects(one('Exists', [], 'constructor'), {}));
});
