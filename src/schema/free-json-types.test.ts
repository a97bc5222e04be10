import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../codec/json/parse.ts';
import { json, rawExtension } from './collections.ts';
import { Decoding } from './decoding.ts';

const again = (text: string) => json.write(json.read(parseJson(Buffer.from(text)).value, new Decoding()));

test('raw JSON is normalized: sorted keys, canonical numbers', () => {
  assert.equal(again('{"b": 1.0, "a": [1e3, true, null, "x"]}'), '{"a":[1000,true,null,"x"],"b":1}');
  assert.equal(again('9223372036854775807'), '9223372036854775807');
  assert.equal(again('12345678901234567890'), '12345678901234567000');
});

test('numbers beyond a double and unlimited nesting are rejected', () => {
  assert.throws(() => again('1e400'), { message: /cannot unmarshal number 1e400/ });
  assert.throws(() => again('['.repeat(600) + ']'.repeat(600)), { message: /nested more than 500 deep/ });
});

test('an embedded object is kept as it is', () => {
  const value = parseJson(Buffer.from('{"b":1.0,"a":2}')).value;
  assert.equal(rawExtension.write(rawExtension.read(value, new Decoding())), '{"b":1.0,"a":2}');
});
