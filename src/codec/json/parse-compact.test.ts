// Tests of the compact JSON fast path.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from './parse.ts';
import { parseCompactJson } from './parse-compact.ts';
import { stringifyJson } from './stringify.ts';

const parseFast = (text: string) => {
  const { value, duplicates } = parseCompactJson(Buffer.from(text));
  return [stringifyJson(value), duplicates?.size ?? 0];
};
const parseExactly = (text: string) => {
  const { value, duplicates } = parseJson(text);
  return [stringifyJson(value), duplicates?.size ?? 0];
};

test('parseCompactJson returns the result of parseJson', () => {
  for (const text of [
    '{"a":1}',
    '{"a":1,"a":2}',
    '{"a":{"b":[1,"x",null,true]},"c":""}',
    '{"a":9007199254740993}',
    '{"a":1.0}',
    '{"a":-0}',
    '{"a":1e3}',
    '{"__proto__":{"x":1}}',
    '{"a":"\\u00e9"}',
    '{"a":"\\ud800"}',
    '{"2":1,"1":2}',
    '{ "a": 1 }',
    '{"constructor":{"prototype":1}}',
  ]) {
    assert.deepEqual(parseFast(text), parseExactly(text), text);
  }
});

test('parseCompactJson returns the result of parseJson for random JSON', () => {
  fc.assert(fc.property(fc.json(), (text) => assert.deepEqual(parseFast(text), parseExactly(text))));
});

test('parseCompactJson throws the error of parseJson', () => {
  for (const text of ['{"a":', '{"a" 1}', '{"a":tru}', '', '{"a":1}}']) {
    assert.throws(
      () => parseFast(text),
      (error: Error) => {
        assert.throws(() => parseExactly(text), { message: error.message });
        return true;
      },
    );
  }
});
