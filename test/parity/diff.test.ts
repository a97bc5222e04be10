import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineDiff } from './diff.ts';

test('a diff has the changes with two lines of context', () => {
  const expected = ['1', '2', '3', '4', 'old', '6', '7', '8', '9'];
  const actual = ['1', '2', '3', '4', 'new', '6', '7', '8', '9'];
  assert.deepEqual(lineDiff(expected, actual), ['  3', '  4', '- old', '+ new', '  6', '  7', '  …']);
});

test('a diff finds lines that were only added or only removed', () => {
  assert.deepEqual(lineDiff(['a', 'b'], ['a', 'x', 'b']), ['  a', '+ x', '  b']);
  assert.deepEqual(lineDiff(['a', 'x', 'b'], ['a', 'b']), ['  a', '- x', '  b']);
});

test('equal texts have no diff', () => {
  assert.deepEqual(lineDiff(['a', 'b'], ['a', 'b']), []);
});
