// Tests of decoding quantities: JSON has them as text or as numbers, CBOR only as text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CborDecoding, DecodeError, Decoding } from './decoding.ts';
import { quantity } from './quantity-type.ts';

test('a number in JSON is a quantity', () => {
  assert.equal(quantity.read(1.5, new Decoding()), '1500m');
  assert.equal(quantity.read('2', new Decoding()), '2');
});

test('a number in CBOR is no quantity', () => {
  assert.equal(quantity.read('1.5', new CborDecoding()), '1500m');
  for (const value of [1, -1, 1.5, true]) {
    const decoding = new CborDecoding();
    quantity.read(value, decoding);
    assert.throws(() => decoding.throwFault(), DecodeError, `${value}`);
  }
});
