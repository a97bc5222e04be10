// Tests of conversion errors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../codec/json/parse.ts';
import { list, mapOf } from '../schema/collections.ts';
import { intOrString } from '../schema/int-or-string.ts';
import { bool, bytes, int32, int64, named, string } from '../schema/scalars.ts';
import { field, optional, struct } from '../schema/struct.ts';
import { UnstructuredDecoding } from './unstructured-decoding.ts';

const Inner = struct('test/v1.Inner', { size: field(1, int64) });
const Thing = struct('test/v1.Thing', {
  count: field(1, int32),
  on: field(2, bool),
  policy: field(3, named('test/v1.Policy', string)),
  words: field(4, list(string)),
  labels: field(5, mapOf(string)),
  inner: field(6, optional(Inner)),
  blob: field(7, bytes),
  limit: field(8, optional(intOrString)),
});

function convert(json: string) {
  return Thing.read(parseJson(Buffer.from(json)).value, new UnstructuredDecoding());
}

const refused = [
  ['{"count":"x"}', 'unrecognized type: int32'],
  ['{"count":true}', 'unrecognized type: int32'],
  ['{"count":1.5}', 'cannot convert float64 to int32'],
  ['{"on":1}', 'unrecognized type: bool'],
  ['{"policy":5}', 'cannot convert int64 to v1.Policy'],
  ['{"policy":1.5}', 'unrecognized type: string'],
  ['{"policy":[]}', 'unrecognized type: string'],
  ['{"words":"x"}', 'cannot restore slice from string'],
  ['{"words":[5]}', 'cannot convert int64 to string'],
  ['{"labels":"x"}', 'cannot restore map from string'],
  ['{"labels":["x"]}', 'cannot restore map from slice'],
  ['{"inner":5}', 'cannot restore struct from: int64'],
  ['{"inner":{"size":{}}}', 'unrecognized type: int64'],
  ['{"blob":5}', 'cannot restore slice from int64'],
  ['{"blob":"***"}', 'error decoding from json: illegal base64 data at input byte 0'],
  ['{"limit":true}', 'json: cannot unmarshal bool into Go value of type int32'],
] as const;

for (const [json, message] of refused) {
  test(`${json} is rejected with the message of unstructured conversion`, () => {
    assert.throws(() => convert(json), { message });
  });
}

test('a whole number may be written with a fraction or an exponent', () => {
  assert.equal(convert('{"count":2.0}').count, 2);
  assert.equal(convert('{"inner":{"size":1e3}}').inner?.size, 1000);
});
