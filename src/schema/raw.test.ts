import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../codec/json/parse.ts';
import { Decoding } from './decoding.ts';
import { json, rawExtension } from './raw.ts';

const again = (text: string) => json.write(json.read(parseJson(Buffer.from(text)).value, new Decoding()));

test('any JSON is kept by what it says: keys in order, numbers in one way', () => {
  assert.equal(again('{"b": 1.0, "a": [1e3, true, null, "x"]}'), '{"a":[1000,true,null,"x"],"b":1}');
  assert.equal(again('9223372036854775807'), '9223372036854775807');
  assert.equal(again('12345678901234567890'), '12345678901234567000');
});

test('numbers that no double holds, and nesting without end, are refused', () => {
  assert.throws(() => again('1e400'), { message: /cannot unmarshal number 1e400/ });
  assert.throws(() => again('['.repeat(600) + ']'.repeat(600)), { message: /nested more than 500 deep/ });
});

test('an object of another kind stays as it came', () => {
  const value = parseJson(Buffer.from('{"b":1.0,"a":2}')).value;
  assert.equal(rawExtension.write(rawExtension.read(value, new Decoding())), '{"b":1.0,"a":2}');
});
