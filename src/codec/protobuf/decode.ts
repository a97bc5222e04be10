import { ListType, MapType } from '../../schema/collections.ts';
import { type Fields, Struct } from '../../schema/struct.ts';
import type { Type } from '../../schema/type.ts';
import { UnionType } from '../../schema/union.ts';
import { type JsonObject, type JsonValue, RawNumber, userKeyed } from '../json/json-value.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { liesInEnvelope, wireTypeOf } from './wire-form.ts';
import { ProtobufError, WireReader, wireTypes } from './wire-reader.ts';

/** Messages may lie this deep in one another. */
const deepest = 100;

/** Reads a whole object's message as the JSON value it stands for, which the schema then reads like any other. */
export function decodeMessage(schema: Struct<unknown>, bytes: Buffer): JsonObject {
  const object: JsonObject = {};
  readStruct(schema, bytes, object, 0);
  return object;
}

/** What a number in a message stands for: a field, or a message whose fields lie in this object too. */
type Numbers = ReadonlyMap<
  number,
  { readonly name: string; readonly type: Type } | { readonly inner: Struct<unknown> }
>;

const known = new WeakMap<Fields, Numbers>();

function numbersOf(fields: Fields): Numbers {
  const before = known.get(fields);
  if (before) return before;
  const numbers: Map<number, NonNullable<ReturnType<Numbers['get']>>> = new Map();
  for (const [name, { number, type, inlined }] of Object.entries(fields)) {
    if (inlined) numbers.set(inlined.number, { inner: inlined.struct });
    else if (!liesInEnvelope(name, fields)) numbers.set(number, { name, type });
  }
  known.set(fields, numbers);
  return numbers;
}

/** Fields that come again are added to, as Protobuf has it: messages merge, lists grow, the last of others wins. */
function readStruct(schema: Struct<unknown>, bytes: Buffer, object: JsonObject, depth: number): void {
  if (depth > deepest) throw new ProtobufError('proto: messages are nested too deeply');
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
  before: JsonValue | undefined,
  depth: number,
): JsonValue {
  if (type instanceof ListType) {
    const list = Array.isArray(before) ? before : [];
    const packed = wireType === wireTypes.bytes && wireTypeOf(type.element) !== wireTypes.bytes;
    if (packed) readPacked(type.element, reader.bytes(), list, depth);
    else list.push(readValue(type.element, name, reader, wireType, undefined, depth));
    return list;
  }
  if (type instanceof MapType) {
    expect(wireType, wireTypes.bytes, name);
    const map = (before as JsonObject | undefined) ?? userKeyed();
    readEntry(type.element, reader.bytes(), map, depth + 1);
    return map;
  }
  return readValue(type, name, reader, wireType, before, depth);
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
  before: JsonValue | undefined,
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
      return readNumbered(reader.bytes()).text(1);
    case 'intOrString': {
      const parts = readNumbered(reader.bytes());
      return parts.integer(1) === 0n ? Number(BigInt.asIntN(32, parts.integer(2))) : parts.text(3);
    }
    case 'raw':
      return readJson(readNumbered(reader.bytes()).bytes(1));
    case 'list':
      // A list where only one value has room, as in a map, is a message of its own.
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
      const object = (before as JsonObject | undefined) ?? {};
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

/** What year 1 to 9999 is in seconds: other moments have no text. */
const firstSecond = -62_135_596_800n;
const lastSecond = 253_402_300_799n;

/** Seconds and nanoseconds since the epoch; an empty message is no moment. Times of the API have whole seconds. */
function readTime(bytes: Buffer, form: 'time' | 'microTime'): JsonValue {
  if (bytes.length === 0) return null;
  const parts = readNumbered(bytes);
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

/** The fields of a small message that has no schema of its own. */
function readNumbered(message: Buffer) {
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
