// Protobuf decoder: a message to a JSON value, guided by the schema.
import { ListType, MapType } from '../../schema/collections.ts';
import { type Fields, Struct } from '../../schema/struct.ts';
import type { Type } from '../../schema/type.ts';
import { UnionType } from '../../schema/union.ts';
import { type JsonObject, type JsonValue, nullPrototypeObject, RawNumber } from '../json/json-value.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { isEnvelopeField, wireTypeOf } from './wire-form.ts';
import { ProtobufError, WireReader, wireTypes } from './wire-reader.ts';

/** Maximum nesting of messages. */
const maxDepth = 100;

/** Decodes an object's message to the JSON value that the schema then reads. */
export function decodeMessage(schema: Struct<unknown>, bytes: Buffer): JsonObject {
  const object: JsonObject = {};
  readStruct(schema, bytes, object, 0);
  return object;
}

/** The meaning of a field number: a field, or an embedded message whose fields are inlined into this object. */
type Numbers = ReadonlyMap<
  number,
  { readonly name: string; readonly type: Type } | { readonly inner: Struct<unknown> }
>;

const cache = new WeakMap<Fields, Numbers>();

function numbersOf(fields: Fields): Numbers {
  const previous = cache.get(fields);
  if (previous) return previous;
  const numbers: Map<number, NonNullable<ReturnType<Numbers['get']>>> = new Map();
  for (const [name, { number, type, inlined }] of Object.entries(fields)) {
    if (inlined) numbers.set(inlined.number, { inner: inlined.struct });
    else if (!isEnvelopeField(name, fields)) numbers.set(number, { name, type });
  }
  cache.set(fields, numbers);
  return numbers;
}

/**
 * Repeated fields accumulate, as Protobuf specifies: messages merge, lists grow, and otherwise the last value wins.
 */
function readStruct(schema: Struct<unknown>, bytes: Buffer, object: JsonObject, depth: number): void {
  if (depth > maxDepth) throw new ProtobufError('proto: messages are nested too deeply');
  const numbers = numbersOf(schema.fields);
  const reader = new WireReader(bytes, schema.name.slice(schema.name.indexOf('.') + 1));
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    const field = numbers.get(number);
    if (field === undefined) {
      reader.skip(wireType);
    } else if ('inner' in field) {
      expect(wireType, wireTypes.bytes, field.inner.name);
      readStruct(field.inner, reader.bytes(), object, depth + 1);
    } else {
      object[field.name] = readField(field.type, field.name, reader, wireType, object[field.name], depth);
    }
  }
}

function readField(
  type: Type,
  name: string,
  reader: WireReader,
  wireType: number,
  previous: JsonValue | undefined,
  depth: number,
): JsonValue {
  if (type instanceof ListType) {
    const list = Array.isArray(previous) ? previous : [];
    const packed = wireType === wireTypes.bytes && wireTypeOf(type.element) !== wireTypes.bytes;
    if (packed) readPacked(type.element, reader.bytes(), list, depth);
    else list.push(readValue(type.element, name, reader, wireType, undefined, depth));
    return list;
  }
  if (type instanceof MapType) {
    expect(wireType, wireTypes.bytes, name);
    const map = (previous as JsonObject | undefined) ?? nullPrototypeObject();
    readEntry(type.element, reader.bytes(), map, depth + 1);
    return map;
  }
  return readValue(type, name, reader, wireType, previous, depth);
}

function readPacked(element: Type, bytes: Buffer, list: JsonValue[], depth: number): void {
  const reader = new WireReader(bytes);
  while (!reader.atEnd) list.push(readValue(element, '', reader, wireTypeOf(element), undefined, depth));
}

function readEntry(element: Type, bytes: Buffer, map: JsonObject, depth: number): void {
  let key = '';
  let value: JsonValue = null;
  const reader = new WireReader(bytes);
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    if (number === 1 && wireType === wireTypes.bytes) key = reader.string();
    else if (number === 2) value = readValue(element, key, reader, wireType, undefined, depth);
    else reader.skip(wireType);
  }
  map[key] = value;
}

function readValue(
  type: Type,
  name: string,
  reader: WireReader,
  wireType: number,
  previous: JsonValue | undefined,
  depth: number,
): JsonValue {
  expect(wireType, wireTypeOf(type), name);
  switch (type.form) {
    case 'string':
      return reader.string();
    case 'bool':
      return reader.varint() !== 0n;
    case 'int32':
      return Number(BigInt.asIntN(32, reader.varint()));
    case 'int64':
      return integer(BigInt.asIntN(64, reader.varint()));
    case 'double':
      return reader.double();
    case 'bytes':
      return reader.bytes().toString('base64');
    case 'time':
    case 'microTime':
      return readTime(reader.bytes(), type.form);
    case 'quantity':
      return readFieldsByNumber(reader.bytes()).text(1);
    case 'intOrString': {
      const parts = readFieldsByNumber(reader.bytes());
      return parts.integer(1) === 0n ? Number(BigInt.asIntN(32, parts.integer(2))) : parts.text(3);
    }
    case 'raw':
      return readJson(readFieldsByNumber(reader.bytes()).bytes(1));
    case 'list':
      // A list as a single value, as in a map, is a message of its own.
      if (!(type instanceof ListType)) break;
      return readItems(type.element, reader.bytes(), depth + 1);
    case 'union': {
      if (!(type instanceof UnionType)) break;
      const message: JsonObject = {};
      readStruct(type.message, reader.bytes(), message, depth + 1);
      return type.fromMessage(message);
    }
    case 'struct': {
      if (!(type instanceof Struct)) break;
      const object = (previous as JsonObject | undefined) ?? {};
      readStruct(type, reader.bytes(), object, depth + 1);
      return object;
    }
  }
  throw new ProtobufError(`proto: ${name} cannot be read from this form`);
}

function readItems(element: Type, bytes: Buffer, depth: number): JsonValue[] {
  const items: JsonValue[] = [];
  const reader = new WireReader(bytes);
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    if (number === 1) items.push(readValue(element, 'items', reader, wireType, undefined, depth));
    else reader.skip(wireType);
  }
  return items;
}

function expect(wireType: number, expected: number, name: string): void {
  if (wireType === expected) return;
  throw new ProtobufError(
    `proto: wrong wireType = ${wireType} for field ${name === 'metadata' ? 'ObjectMeta' : `${name.charAt(0).toUpperCase()}${name.slice(1)}`}`,
  );
}

const integer = (value: bigint): JsonValue =>
  Number.isSafeInteger(Number(value)) ? Number(value) : new RawNumber(String(value));

/** Years 1 to 9999 in seconds: other times have no RFC 3339 text. */
const firstSecond = -62_135_596_800n;
const lastSecond = 253_402_300_799n;

/** Seconds and nanoseconds since the epoch; an empty message is null. metav1.Time has whole seconds. */
function readTime(bytes: Buffer, form: 'time' | 'microTime'): JsonValue {
  if (bytes.length === 0) return null;
  const parts = readFieldsByNumber(bytes);
  const seconds = BigInt.asIntN(64, parts.integer(1));
  if (seconds < firstSecond || seconds > lastSecond) throw new ProtobufError('proto: a time is out of range');
  const whole = new Date(Number(seconds) * 1_000).toISOString().slice(0, -5);
  if (form === 'time') return `${whole}Z`;
  const microseconds = Math.trunc(Number(BigInt.asIntN(32, parts.integer(2))) / 1_000);
  if (microseconds < 0 || microseconds > 999_999) throw new ProtobufError('proto: a time is out of range');
  return `${whole}.${String(microseconds).padStart(6, '0')}Z`;
}

function readJson(bytes: Buffer): JsonValue {
  if (bytes.length === 0) return null;
  try {
    return parseJson(bytes).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new ProtobufError(error.message);
    throw error;
  }
}

/** The fields of a small message without a schema. */
function readFieldsByNumber(message: Buffer) {
  const integers = new Map<number, bigint>();
  const parts = new Map<number, Buffer>();
  const reader = new WireReader(message);
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    if (wireType === wireTypes.varint) integers.set(number, reader.varint());
    else if (wireType === wireTypes.bytes) parts.set(number, reader.bytes());
    else reader.skip(wireType);
  }
  const bytes = (number: number) => parts.get(number) ?? Buffer.alloc(0);
  return {
    integer: (number: number) => integers.get(number) ?? 0n,
    bytes,
    text: (number: number) => bytes(number).toString(),
  };
}
