// Tests of the Protobuf encoder against bytes of the reference.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { builtinKinds } from '../../apis/index.ts';
import { kubernetes } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
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
import { parseJson } from '../json/parse.ts';
import { decodeMessage } from './decode.ts';
import { encodeMessage } from './encode.ts';
import { readEnvelope, writeEnvelope } from './envelope.ts';
import { bytes, number } from './wire-writer.fixture.ts';

const Inner = struct('test/v1.Inner', { a: field(1, string), b: field(2, int32) });
const Outer = struct('test/v1.Outer', {
  text: field(3, string),
  flag: field(1, optional(bool)),
  inner: field(2, Inner),
  names: field(4, list(string)),
  sets: field(5, mapOf(list(string))),
  at: field(6, optional(time)),
  exactly: field(7, optional(microTime)),
  raw: field(8, optional(rawExtension)),
  big: field(9, optional(int64)),
  blob: field(10, bytesType),
  real: field(11, optional(double)),
  ...inline(12, struct('test/v1.Beside', { beside: field(1, string) })),
});

const zeroFields = {
  inner: bytes(2, bytes(1, ''), number(2, 0)),
  text: bytes(3, ''),
  beside: bytes(12, bytes(1, '')),
};
const encode = (object: object) => encodeMessage(Outer, object);

test('encodeMessage encodes zero values, in the order of field numbers', () => {
  assert.deepEqual(encode({}), Buffer.concat([zeroFields.inner, zeroFields.text, zeroFields.beside]));
  assert.deepEqual(
    encode({ flag: false, text: 'é', inner: { a: 'x', b: -1 }, beside: 'y' }),
    Buffer.concat([
      number(1, 0),
      bytes(2, bytes(1, 'x'), number(2, -1)),
      bytes(3, 'é'),
      bytes(12, bytes(1, 'y')),
    ]),
  );
});

test('encodeMessage encodes maps in key order, and a list in a map as a message', () => {
  assert.deepEqual(
    encode({ names: ['b', 'a'], sets: { y: [], x: ['1', '2'] } }),
    Buffer.concat([
      zeroFields.inner,
      zeroFields.text,
      bytes(4, 'b'),
      bytes(4, 'a'),
      bytes(5, bytes(1, 'x'), bytes(2, bytes(1, '1'), bytes(1, '2'))),
      bytes(5, bytes(1, 'y'), bytes(2)),
      zeroFields.beside,
    ]),
  );
});

test('encodeMessage encodes times, raw JSON, bytes and integers beyond the safe integers', () => {
  const real = Buffer.alloc(9);
  real[0] = (11 << 3) | 1;
  real.writeDoubleLE(-0.5, 1);
  assert.deepEqual(
    encode({
      at: '1969-12-31T23:59:59Z',
      exactly: '2023-11-14T22:13:20.123456Z',
      raw: { a: new RawNumber('1.0') },
      big: new RawNumber('9223372036854775807'),
      blob: 'AP8=',
      real: -0.5,
    }),
    Buffer.concat([
      zeroFields.inner,
      zeroFields.text,
      bytes(6, number(1, -1), number(2, 0)),
      bytes(7, number(1, 1_700_000_000), number(2, 123_456_000)),
      bytes(8, bytes(1, '{"a":1.0}')),
      number(9, 2n ** 63n - 1n),
      bytes(10, Buffer.from([0, 255])),
      real,
      zeroFields.beside,
    ]),
  );
});

test('encodeMessage encodes more bytes than the initial capacity', () => {
  const names = Array.from({ length: 5000 }, (_, index) => `name-${index}`);
  assert.deepEqual(decodeMessage(Outer, encode({ names })).names, names);
});

const kinds = new Map(
  builtinKinds({ dialect: kubernetes, features: everyFeature }).map((definition) => [
    `${kubernetes.apiVersion(definition.group, definition.version)} ${definition.kind}`,
    definition.schema,
  ]),
);
const referenceObjects: { kind: string; json: string; protobuf: string }[] = JSON.parse(
  readFileSync(new URL('./testdata/reference-objects.json', import.meta.url), 'utf8'),
);

/** Protobuf omits the kind of a nested object; defaulting fills it in again. */
const kindOfClaim = '"kind":"PersistentVolumeClaim","apiVersion":"v1",';

for (const { kind, json, protobuf } of referenceObjects) {
  const schema = kinds.get(kind);
  test(`objects of the reference are decoded, and encoded with the same bytes: ${kind}`, {
    skip: !schema && 'the kind is not implemented',
  }, () => {
    const body = Buffer.from(protobuf, 'base64');
    const envelope = readEnvelope(body, kubernetes.protobufMagic);
    const { object } = schema!.decode(decodeMessage(schema!, envelope.message));
    const fromJson = schema!.decode(parseJson(json).value).object;
    object.apiVersion = fromJson.apiVersion;
    object.kind = fromJson.kind;
    const written = schema!.write(fromJson);
    assert.equal(
      schema!.write(object),
      kind.endsWith('Claim') ? written : written.replaceAll(kindOfClaim, ''),
    );
    const message = encodeMessage(schema!, fromJson);
    assert.equal(
      writeEnvelope({ ...envelope, message }, kubernetes.protobufMagic).toString('latin1'),
      body.toString('latin1'),
    );
  });
}

test('encodeMessage and decodeMessage keep the kind of a reference', () => {
  const Reference = struct('test/v1.Reference', { kind: field(1, string), apiVersion: field(2, string) });
  const reference = { kind: 'Secret', apiVersion: 'v1' };
  assert.deepEqual({ ...decodeMessage(Reference, encodeMessage(Reference, reference)) }, reference);
});
