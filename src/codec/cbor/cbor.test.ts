// Tests of CBOR against bytes and messages of the reference.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decode as decodeWithCborg } from 'cborg';
import fc from 'fast-check';
import { mapOf } from '../../schema/collections.ts';
import { bytes, string } from '../../schema/scalars.ts';
import { field, struct } from '../../schema/struct.ts';
import { type JsonValue, RawNumber } from '../json/json-value.ts';
import { stringifyJson } from '../json/stringify.ts';
import { decodeCbor } from './decode.ts';
import { encodeCbor } from './encode.ts';
import { CborError } from './wire.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** Encodings by the reference. */
const encodings: [JsonValue, string][] = [
  ['é', '42c3a9'],
  [0, '00'],
  [404, '190194'],
  [-1, '20'],
  [1.5, 'f93e00'],
  [1e300, 'fb7e37e43c8800759c'],
  [new RawNumber('9007199254740993'), '1b0020000000000001'],
  [new RawNumber('-9223372036854775808'), '3b7fffffffffffffff'],
  [2.5e10 + 0.5, 'fb42174876e8020000'],
  [null, 'f6'],
  [true, 'f5'],
  [{}, 'a0'],
  [{ kind: ['a'] }, 'a1446b696e6481 4161'],
];

for (const [value, expected] of encodings) {
  test(`encodeCbor encodes ${stringifyJson(value)} as ${expected}, and decodeCbor decodes it`, () => {
    assert.equal(encodeCbor(value).toString('hex'), expected.replaceAll(' ', ''));
    assert.equal(stringifyJson(decodeCbor(hex(expected))), stringifyJson(value));
  });
}

const Data = struct('test/v1.Data', { text: field(1, mapOf(string)), binary: field(2, mapOf(bytes)) });

test('encodeCbor tags fields of type bytes', () => {
  const value = { text: { a: 'AP8=' }, binary: { a: 'AP8=' } };
  assert.equal(
    encodeCbor(value, Data).toString('hex'),
    'a24474657874a1416144415038 3d4662696e617279a14161d64200ff'.replaceAll(' ', ''),
  );
  assert.equal(stringifyJson(decodeCbor(encodeCbor(value, Data))), stringifyJson(value));
});

const decodings: [string, string, unknown][] = [
  ['the self-described CBOR tag', 'd9d9f7 05', 5],
  ['a text string', '626162', 'ab'],
  ['a byte string with the tag expected base64', 'd6420001', 'AAE='],
  ['a byte string with the tag expected base64url', 'd5420001', 'AAE'],
  ['a byte string with the tag expected base16', 'd7420001', '0001'],
  ['an epoch time', 'c11a514b67b0', '2013-03-21T20:04:00Z'],
  ['an epoch time with a fraction', 'c1fb3ffc000000000000', '1970-01-01T00:00:01.75Z'],
  ['an epoch time before 1970', 'c1fbbff4000000000000', '1969-12-31T23:59:58.75Z'],
  ['the last epoch time', 'c11b0000003afff4417f', '9999-12-31T23:59:59Z'],
  ['an unknown tag', 'd9040001', 1],
  ['items of indefinite length', '9f 7f6161 6162ff 5f4161 4162ff ff', ['ab', 'ab']],
  ['a byte string that is not UTF-8', '41ff', '\ufffd'],
];
for (const [item, source, expected] of decodings) {
  test(`decodeCbor decodes ${item}`, () => assert.deepEqual(decodeCbor(hex(source)), expected));
}

/** Messages of the reference. */
const rejections: [string, string, string][] = [
  ['an empty document', '', 'EOF'],
  ['a truncated map', 'a2616b', 'unexpected EOF'],
  ['a text string longer than the document', '7b00000000ffffffff61', 'unexpected EOF'],
  [
    'a text string length beyond int64',
    '7bffffffffffffffff',
    'cbor: UTF-8 text string length 18446744073709551615 is too large, causing integer overflow',
  ],
  [
    'an array length beyond int64',
    '9bffffffffffffffff',
    'cbor: array length 18446744073709551615 is too large, it would cause integer overflow',
  ],
  [
    'an array with too many elements',
    '9b0000000000ffffff',
    'cbor: exceeded max number of elements 1024 for CBOR array',
  ],
  [
    'a map with too many entries',
    'bb00000000ffffffff',
    'cbor: exceeded max number of key-value pairs 1024 for CBOR map',
  ],
  [
    'an epoch time beyond the year 9999',
    'c1fb4300000000000000',
    'cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: Time.MarshalText: year outside of range [0,9999]',
  ],
  [
    'an epoch time that is a text',
    'c16178',
    'cbor: tag number 1 must be followed by integer or floating-point number, got UTF-8 text string',
  ],
  ['extraneous data', '0000', 'cbor: 1 bytes of extraneous data starting at index 1'],
  ['arrays that are nested too deeply', `${'81'.repeat(65)}00`, 'cbor: exceeded max nested level 64'],
  [
    'reserved additional information',
    '1c',
    'cbor: invalid additional information 28 for type positive integer',
  ],
  [
    'a simple value that is not in its shortest encoding',
    'f818',
    'cbor: invalid simple value 24 for type primitives',
  ],
  ['a break outside of an item of indefinite length', 'ff', 'cbor: unexpected "break" code'],
  [
    'undefined',
    '81f7',
    'cbor: data item of cbor type primitives is not accepted by protocol: simple value 23 is not recognized',
  ],
  [
    'NaN',
    'f97e00',
    'cbor: data item of cbor type primitives is not accepted by protocol: floating-point NaN',
  ],
  [
    'infinity',
    'f97c00',
    'cbor: data item of cbor type primitives is not accepted by protocol: floating-point infinity',
  ],
  [
    'a bignum',
    'c249010000000000000000',
    'cbor: data item of cbor type tag is not accepted by protocol: bignum',
  ],
  [
    'an unsigned integer beyond int64',
    '1bffffffffffffffff',
    "cbor: cannot unmarshal positive integer into Go value of type int64 (18446744073709551615 overflows Go's int64)",
  ],
  [
    'a negative integer beyond int64',
    '3bffffffffffffffff',
    "cbor: cannot unmarshal negative integer into Go value of type int64 (-18446744073709551616 overflows Go's int64)",
  ],
  ['a text string that is not UTF-8', '61ff', 'cbor: invalid UTF-8 string'],
  ['a duplicate map key', 'a2616101616102', 'cbor: found duplicate map key "a" at map element index 1'],
  [
    'an integer as a map key',
    'a10102',
    'cbor: cannot unmarshal positive integer into Go value of type string',
  ],
];
for (const [item, source, message] of rejections) {
  test(`decodeCbor rejects ${item}`, () => {
    assert.throws(() => decodeCbor(hex(source)), { constructor: CborError, message });
  });
}

test('decodeCbor inverts encodeCbor, and cborg decodes the result too', () => {
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: 'medium' }), (value) => {
      const encoded = encodeCbor(value as JsonValue);
      assert.equal(
        stringifyJson(decodeCbor(encoded)),
        stringifyJson(JSON.parse(JSON.stringify(value))).replaceAll('-0,', '0,'),
      );
      decodeWithCborg(encoded, { useMaps: true });
    }),
  );
});

test('decodeCbor returns a value or throws a CborError for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (garbage) => {
      try {
        decodeCbor(Buffer.from(garbage));
      } catch (error) {
        assert.ok(error instanceof CborError, String(error));
      }
    }),
    { numRuns: 2000 },
  );
});

test('decodeCbor decodes __proto__ as an ordinary key', () => {
  const value = decodeCbor(encodeCbor(JSON.parse('{"__proto__":{"polluted":1}}')));
  assert.deepEqual(Object.keys(value as object), ['__proto__']);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});
