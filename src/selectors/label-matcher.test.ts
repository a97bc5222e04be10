import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { labelMatcher } from './label-matcher.ts';
import { matchesLabels, parseLabelSelector } from './label-selector.ts';

const key = fc.constantFrom('a', 'b', 'c');
const value = fc.constantFrom('x', 'y', '1', '5', '');
const term = fc.oneof(
  key,
  key.map((name) => `!${name}`),
  fc.tuple(key, fc.constantFrom('=', '!='), value).map((parts) => parts.join('')),
  fc.tuple(key, fc.constantFrom('>', '<'), fc.constantFrom('0', '1', '5')).map((parts) => parts.join('')),
  fc
    .tuple(key, fc.constantFrom('in', 'notin'), fc.array(value, { minLength: 1 }))
    .map(([name, operator, values]) => `${name} ${operator} (${values.join(',')})`),
);

test('an indexed selector matches like its requirements one by one', () => {
  const labels = fc.dictionary(key, value, { noNullPrototype: true });
  fc.assert(
    fc.property(fc.array(term, { minLength: 1, maxLength: 20 }), labels, (terms, object) => {
      const requirements = parseLabelSelector(terms.join(','));
      // Said over and over, so that it is long.
      const long = Array.from({ length: 20 }, () => requirements).flat();
      const pairs = new Map(Object.entries(object));
      assert.equal(labelMatcher(long)(pairs), matchesLabels(requirements, pairs));
    }),
    { numRuns: 2_000 },
  );
});
