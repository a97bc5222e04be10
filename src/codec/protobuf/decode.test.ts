// Tests of the Protobuf decoder.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ObjectMeta } from '../../kind/meta/object-meta.ts';
import { list, mapOf, rawExtension } from '../../schema/collections.ts';
import {
  bool,
  bytes as bytesType,
  double,
  int32,
  int64,
  microTime,
  string,
  time,
} from '../../schema/scalars.ts';
import { field, inline, optional, struct } from '../../schema/struct.ts';
import { RawNumber } from '../json/json-value.ts';
import { decodeMessage } from './decode.ts';
import { bytes, number, varint } from './wire-writer.fixture.ts';

const Inner = struct('test/v1.Inner', { a: field(1, string), b: field(2, int32) });
const Outer = struct('test/v1.Outer', {
  text: field(1, string),
  flag: field(2, optional(bool)),
  small: field(3, int32),
  big: field(4, int64),
  real: field(5, double),
  blob: field(6, bytesType),
  names: field(7, list(string)),
  numbers: field(8, list(int64)),
  labels: field(9, mapOf(string)),
  inner: field(10, Inner),
  at: field(11, time),
  exactly: field(12, microTime),
  raw: field(13, rawExtension),
  ...inline(14, struct('test/v1.Beside', { beside: field(1, string) })),
});

const decode = (...parts: Buffer[]) => decodeMessage(Outer, Buffer.concat(parts));

test('decodeMessage decodes every field type', () => {
  const real = Buffer.alloc(9);
  real[0] = (5 << 3) | 1;
  real.writeDoubleLE(1.5, 1);
  assert.deepEqual(
    decode(
      bytes(1, 'héllo'),
      number(2, 1),
      number(3, -7),
      number(4, 2n ** 40n),
      real,
      bytes(6, Buffer.from([0, 255])),
      bytes(13, bytes(1, '[1]')),
      bytes(14, bytes(1, 'x')),
    ),
    {
      text: 'héllo',
      flag: true,
      small: -7,
      big: 2 ** 40,
      real: 1.5,
      blob: 'AP8=',
      raw: [1],
      beside: 'x',
    },
  );
});

test('decodeMessage keeps integers beyond the safe integers exact', () => {
  const { big } = decode(number(4, 2n ** 63n - 1n));
  assert.ok(big instanceof RawNumber);
  assert.equal(big.text, '9223372036854775807');
});

test('decodeMessage decodes repeated fields, packed or not, and map entries', () => {
  assert.deepEqual(decode(bytes(7, 'a'), bytes(7, 'b')), { names: ['a', 'b'] });
  assert.deepEqual(decode(number(8, 1), bytes(8, varint(2), varint(3))), { numbers: [1, 2, 3] });
  const entry = (key: string, value: string) => bytes(9, bytes(1, key), bytes(2, value));
  const { labels } = decode(entry('a', '1'), entry('__proto__', '2'), entry('a', '3'));
  assert.deepEqual(Object.entries(labels as object), [
    ['a', '3'],
    ['__proto__', '2'],
  ]);
});

test('decodeMessage merges the occurrences of an embedded message', () => {
  assert.deepEqual(decode(bytes(10, bytes(1, 'x')), bytes(10, number(2, 5))), { inner: { a: 'x', b: 5 } });
});

test('decodeMessage decodes Time, MicroTime and an empty time', () => {
  const moment = [number(1, 1_700_000_000), number(2, 123_456_789)];
  assert.deepEqual(decode(bytes(11, ...moment), bytes(12, ...moment)), {
    at: '2023-11-14T22:13:20Z',
    exactly: '2023-11-14T22:13:20.123456Z',
  });
  assert.deepEqual(decode(bytes(11)), { at: null });
  assert.throws(() => decode(bytes(11, number(1, 2n ** 62n))), /out of range/);
});

test('decodeMessage skips unknown fields', () => {
  assert.deepEqual(decode(number(99, 1), bytes(98, 'x'), bytes(1, 'y')), { text: 'y' });
});

test('decodeMessage rejects a field of the wrong wire type', () => {
  assert.throws(() => decode(number(1, 5)), { message: 'proto: wrong wireType = 0 for field Text' });
});

test('decodeMessage rejects wrong lengths, invalid UTF-8 and endless varints', () => {
  assert.throws(() => decode(Buffer.from([0x0a, 0x7f, 0x61])), { message: 'unexpected EOF' });
  assert.throws(() => decode(Buffer.concat([Buffer.from([0x0a]), varint(2n ** 63n)])), {
    message: 'proto: negative length found during unmarshaling',
  });
  assert.throws(() => decode(bytes(1, Buffer.from([0xff]))), /not UTF-8/);
  assert.throws(() => decode(Buffer.from([0x18, ...Array(11).fill(0xff)])), {
    message: 'proto: integer overflow',
  });
  assert.throws(() => decode(Buffer.from([0x00])), /illegal tag 0/);
  assert.throws(() => decode(Buffer.from([0x9b, 0x06])), /illegal wireType 3/);
});

test('decodeMessage returns an object or throws a ProtobufError for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (garbage) => {
      try {
        decodeMessage(ObjectMeta, Buffer.from(garbage));
      } catch (error) {
        assert.equal((error as Error).constructor.name, 'ProtobufError');
      }
    }),
  );
});
