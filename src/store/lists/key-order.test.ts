// Test of the key order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareKeys } from './key-order.ts';

test('keys compare as their UTF-8 bytes do', () => {
  const characters = ['a', 'b', '/', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}'];
  const key = fc.string({ unit: fc.constantFrom(...characters) });
  fc.assert(
    fc.property(key, key, (a, b) => {
      assert.equal(Math.sign(compareKeys(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});
