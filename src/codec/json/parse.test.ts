// Tests of the JSON parser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type JsonObject, RawNumber } from './json-value.ts';
import { JsonSyntaxError, maxNesting, parseJson } from './parse.ts';
import { stringifyJson } from './stringify.ts';

/** A lone surrogate is the only input that is parsed differently from JSON.parse. */
const wellFormed = fc.jsonValue({ stringUnit: 'grapheme' });

test('parseJson returns the value of JSON.parse, with any whitespace', () => {
  fc.assert(
    fc.property(wellFormed, fc.constantFrom(undefined, 1, '\t', ' \r\n'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      assert.equal(JSON.stringify(parseJson(text).value), JSON.stringify(JSON.parse(text)));
    }),
  );
});

test('parseJson rejects exactly what JSON.parse rejects', () => {
  const nearJson = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'{}[]",:\\u09e+-. tfn'.split('')), maxLength: 12 }),
    fc
      .tuple(wellFormed, fc.nat(), fc.constantFrom('', ',', '"', '}', '\\', '0', ' '))
      .map(([value, position, extra]) => {
        const text = JSON.stringify(value);
        const cut = position % (text.length + 1);
        return text.slice(0, cut) + extra + text.slice(cut + 1);
      }),
  );
  fc.assert(
    fc.property(nearJson, (text) => {
      const isRejected = (parse: () => unknown) => {
        try {
          parse();
          return false;
        } catch (error) {
          return error instanceof SyntaxError || error instanceof JsonSyntaxError;
        }
      };
      assert.equal(
        isRejected(() => parseJson(text)),
        isRejected(() => JSON.parse(text)),
        text,
      );
    }),
    { numRuns: 2000 },
  );
});

test('numbers that JavaScript cannot represent exactly become RawNumbers', () => {
  const text = '[9223372036854775807,1.0,1e400,-0,1E2,0.10,123456789012345678901234567890]';
  const { value } = parseJson(text);
  assert.ok(Array.isArray(value) && value.every((item) => item instanceof RawNumber));
  assert.equal(stringifyJson(value), text);
});

test('numbers that JavaScript represents exactly are numbers', () => {
  assert.deepEqual(
    parseJson('[0,-1,10,1.5,123456789012345,9007199254740991,1e+21]').value,
    [0, -1, 10, 1.5, 123456789012345, 9007199254740991, 1e21],
  );
});

test('__proto__ and constructor are ordinary keys', () => {
  const { value } = parseJson('{"__proto__":{"polluted":true},"constructor":1}');
  const object = value as JsonObject;
  assert.deepEqual(Object.keys(object), ['__proto__', 'constructor']);
  assert.equal((object as { polluted?: unknown }).polluted, undefined);
  assert.equal((parseJson('{}').value as JsonObject).toString, undefined);
});

test('duplicate keys are reported; objects under them are merged, otherwise the last value wins', () => {
  const { value, duplicates } = parseJson('{"a":{"x":1,"y":{"p":1}},"b":1,"a":{"y":{"q":2},"x":3},"b":2}');
  assert.equal(JSON.stringify(value), '{"a":{"x":3,"y":{"p":1,"q":2}},"b":2}');
  assert.deepEqual([...duplicates!.get(value as JsonObject)!], ['a', 'b']);
  assert.equal(parseJson('{"a":1}').duplicates, undefined);
});

test('many duplicate keys are parsed in linear time', () => {
  const pairs = Array.from({ length: 50_000 }, (_, i) => `"k${i}":1`).join(',');
  const { value, duplicates } = parseJson(`{${pairs},${pairs}}`);
  assert.equal(duplicates!.get(value as JsonObject)!.size, 50_000);
});

test('a lone surrogate becomes U+FFFD', () => {
  assert.equal(parseJson(String.raw`"\ud800x\udc00 \ud83d\ude00"`).value, '\ufffdx\ufffd 😀');
});

test('invalid UTF-8 becomes U+FFFD', () => {
  assert.equal(parseJson(Buffer.from([0x22, 0xff, 0x22])).value, '\ufffd');
});

test('nesting is limited, and the maximum does not overflow the stack', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  assert.equal(stringifyJson(parseJson(nested(maxNesting)).value), nested(maxNesting));
  assert.throws(() => parseJson(nested(maxNesting + 1)), {
    message: "invalid character '[' exceeded max depth",
  });
});
