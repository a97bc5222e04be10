// Tests of exact JSON serialization.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RawNumber } from './json-value.ts';
import { stringifyJson } from './stringify.ts';

test('stringifyJson returns the text of JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => assert.equal(stringifyJson(value), JSON.stringify(value))),
  );
});

test('stringifyJson keeps the text of a RawNumber', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (first, last) => {
      const value = { first, list: [new RawNumber('1.0'), last, undefined], nothing: undefined };
      const expected = `{"first":${JSON.stringify(first)},"list":[1.0,${JSON.stringify(last)},null]}`;
      assert.equal(stringifyJson(value), expected);
    }),
  );
});
