import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldMatcher } from './field-matcher.ts';
import { parseAnyFieldSelector } from './field-selector.ts';

test('all requirements on a field must match', () => {
  const object: Readonly<Record<string, string>> = { a: 'x', b: 'y' };
  for (const [selector, expected] of [
    ['a=x', true],
    ['a=x,a=x,b!=x', true],
    ['a=x,a=y', false],
    ['a=x,a!=x', false],
    ['a!=y,a!=z', true],
    ['a!=y,a!=x', false],
    ['c=', true],
    ['c!=', false],
  ] as const) {
    const matches = fieldMatcher(parseAnyFieldSelector(selector));
    assert.equal(
      matches((field) => object[field] ?? ''),
      expected,
      selector,
    );
  }
});
