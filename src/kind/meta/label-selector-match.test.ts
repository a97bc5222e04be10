import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LabelSelector } from './label-selector.ts';
import { isEmptyLabelSelector, labelSelectorMatches } from './label-selector-match.ts';

const labels = { a: 'x', b: 'y' };
const one = (operator: string, values?: string[], key = 'a') =>
  ({ matchExpressions: [{ key, operator, ...(values && { values }) }] }) as LabelSelector;

test('a selector selects by all of its conditions', () => {
  assert.ok(
    labelSelectorMatches({}, labels) &&
      labelSelectorMatches({}) &&
      isEmptyLabelSelector({}) &&
      isEmptyLabelSelector({ matchLabels: {} }),
  );
  assert.ok(labelSelectorMatches({ matchLabels: { a: 'x', b: 'y' } }, labels));
  assert.ok(!labelSelectorMatches({ matchLabels: { a: 'x', b: 'z' } }, labels));
  assert.ok(
    labelSelectorMatches(one('In', ['x', 'z']), labels) && !labelSelectorMatches(one('In', ['z']), labels),
  );
  assert.ok(
    labelSelectorMatches(one('NotIn', ['z']), labels) &&
      labelSelectorMatches(one('NotIn', ['x'], 'c'), labels),
  );
  assert.ok(!labelSelectorMatches(one('NotIn', ['x']), labels));
  assert.ok(
    labelSelectorMatches(one('Exists'), labels) && !labelSelectorMatches(one('Exists', [], 'c'), labels),
  );
  assert.ok(
    labelSelectorMatches(one('DoesNotExist', [], 'c'), labels) &&
      !labelSelectorMatches(one('DoesNotExist'), labels),
  );
  assert.ok(!labelSelectorMatches(one('?'), labels) && !isEmptyLabelSelector(one('Exists')));
});

test('properties of Object.prototype are not labels', () => {
  assert.ok(!labelSelectorMatches(one('Exists', [], 'constructor'), {}));
});
