// Tests of exact JSON serialization.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RawNumber } from './json-value.ts';
import { stringifyJson } from './stringify.ts';

test('stringifyJson writes what JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => assert.equal(stringifyJson(value), JSON.stringify(value))),
  );
});

test('RawNumbers are written as they were read', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
      const value = { before, list: [new RawNumber('1.0'), after, undefined], nothing: undefined };
      const expected = `{"before":${JSON.stringify(before)},"list":[1.0,${JSON.stringify(after)},null]}`;
      assert.equal(stringifyJson(value), expected);
    }),
  );
});
