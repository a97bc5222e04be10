import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldErrorBody } from '../../errors/field-error.ts';
import { formatLabelSelector, validateLabelSelector } from './label-selector-rules.ts';

const problems = (selector: Parameters<typeof validateLabelSelector>[0]) =>
  validateLabelSelector(selector, 'spec.selector').map((error) => `${error.field}: ${fieldErrorBody(error)}`);

test('In and NotIn require values, Exists and DoesNotExist forbid them', () => {
  assert.deepEqual(
    problems({
      matchExpressions: [
        { key: 'a', operator: 'In' },
        { key: 'a', operator: 'Exists', values: ['b'] },
        { key: 'a', operator: 'Like', values: ['b'] },
      ],
    }),
    [
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "spec.selector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      'spec.selector.matchExpressions[2].operator: Invalid value: "Like": not a valid selector operator',
    ],
  );
});

test('keys and values of a selector must be valid labels', () => {
  const [label, key, value, ...rest] = problems({
    matchLabels: { a: 'b b' },
    matchExpressions: [{ key: 'c c', operator: 'In', values: ['d', 'e e'] }],
  });
  assert.match(label!, /^spec\.selector\.matchLabels: Invalid value: "b b": a valid label must be/);
  assert.match(key!, /^spec\.selector\.matchExpressions\[0\]\.key: Invalid value: "c c": name part must/);
  assert.match(value!, /^spec\.selector\.matchExpressions\[0\]\.values\[1\]: Invalid value: "e e": a valid/);
  assert.deepEqual(rest, []);
  assert.deepEqual(problems(undefined), []);
});

test('a formatted selector is sorted by key', () => {
  assert.equal(
    formatLabelSelector({
      matchLabels: { z: '1', a: '' },
      matchExpressions: [
        { key: 'm', operator: 'In', values: ['y', 'x', 'y'] },
        { key: 'b', operator: 'NotIn', values: ['x'] },
        { key: 'c', operator: 'Exists' },
        { key: 'n', operator: 'DoesNotExist' },
      ],
    }),
    'a=,b notin (x),c,m in (x,y),!n,z=1',
  );
});
