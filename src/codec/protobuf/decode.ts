// Protobuf decoder: decodes the message of a schema type to a JSON value, which the schema then decodes like a JSON body.
import { formatDuration } from '../../base/duration.ts';
import { ListType, MapType } from '../../schema/collections.ts';
import { type Fields, Struct } from '../../schema/struct.ts';
import type { Type } from '../../schema/type.ts';
import { UnionType } from '../../schema/union.ts';
import { type JsonObject, type JsonValue, nullPrototypeObject, RawNumber } from '../json/json-value.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { ProtobufError, WireReader, wireTypes } from './wire-reader.ts';
import { isEnvelopeField, wireTypeOf } from './wire-type.ts';

/** Maximum nesting of messages. */
const maxDepth = 100;

/** Throws ProtobufError. */
export function decodeMessage(schema: Struct<unknown>, bytes: Buffer): JsonObject {
  const object: JsonObject = {};
  readStruct(schema, bytes, object, 0);
  return object;
}

/** A field, or an embedded message whose fields are inlined into the JSON object. */
type FieldsByNumber = ReadonlyMap<
  number,
  { readonly name: string; readonly type: Type } | { readonly embedded: Struct<unknown> }
>;

const fieldsByNumberCache = new WeakMap<Fields, FieldsByNumber>();

function fieldsByNumber(fields: Fields): FieldsByNumber {
  const cached = fieldsByNumberCache.get(fields);
  if (cached) return cached;
  const byNumber: Map<number, NonNullable<ReturnType<FieldsByNumber['get']>>> = new Map();
  for (const [name, { number, type, inlined }] of Object.entries(fields)) {
    if (inlined) byNumber.set(inlined.number, { embedded: inlined.struct });
    else if (!isEnvelopeField(name, fields)) byNumber.set(number, { name, type });
  }
  fieldsByNumberCache.set(fields, byNumber);
  return byNumber;
}

/** If a field occurs repeatedly, messages are merged, lists grow, and otherwise the last value wins, as Protobuf specifies. */
function readStruct(schema: Struct<unknown>, bytes: Buffer, object: JsonObject, depth: number): void {
  if (depth > maxDepth) throw new ProtobufError('proto: messages are nested too deeply');
  const byNumber = fieldsByNumber(schema.fields);
  const reader = new WireReader(bytes, schema.name.slice(schema.name.indexOf('.') + 1));
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    const field = byNumber.get(number);
    if (field === undefined) {
      reader.skip(wireType);
    } else if ('embedded' in field) {
      assertWireType(wireType, wireTypes.bytes, field.embedded.name);
      readStruct(field.embedded, reader.bytes(), object, depth + 1);
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
    const isPacked = wireType === wireTypes.bytes && wireTypeOf(type.element) !== wireTypes.bytes;
    if (isPacked) readPacked(type.element, reader.bytes(), list, depth);
    else list.push(readValue(type.element, name, reader, wireType, undefined, depth));
    return list;
  }
  if (type instanceof MapType) {
    assertWireType(wireType, wireTypes.bytes, name);
    const map = (previous as JsonObject | undefined) ?? nullPrototypeObject();
    readEntry(type.element, reader.bytes(), map, depth + 1);
    return map;
  }
  return readValue(type, name, reader, wireType, previous, depth);
}

/** Packed encoding: the elements follow each other without tags. */
function readPacked(element: Type, bytes: Buffer, list: JsonValue[], depth: number): void {
  const reader = new WireReader(bytes);
  while (!reader.atEnd) list.push(readValue(element, '', reader, wireTypeOf(element), undefined, depth));
}

/** Reads an entry of a map: the key is field 1, the value field 2. */
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
  assertWireType(wireType, wireTypeOf(type), name);
  switch (type.category) {
    case 'string':
      return reader.string();
    case 'bool':
      return reader.varint() !== 0n;
    case 'int32':
      return Number(BigInt.asIntN(32, reader.varint()));
    case 'int64':
      return toJsonInteger(BigInt.asIntN(64, reader.varint()));
    case 'double':
      return reader.double();
    case 'bytes':
      return reader.bytes().toString('base64');
    case 'time':
    case 'microTime':
      return readTime(reader.bytes(), type.category);
    case 'duration':
      return formatDuration(
        Number(BigInt.asIntN(64, readFieldsByNumber(reader.bytes()).integer(1))) / 1_000_000,
      );
    case 'quantity':
      return readFieldsByNumber(reader.bytes()).text(1);
    case 'intOrString': {
      // Field 1 is the type (0 int, 1 string), 2 the number, 3 the text.
      const fields = readFieldsByNumber(reader.bytes());
      return fields.integer(1) === 0n ? Number(BigInt.asIntN(32, fields.integer(2))) : fields.text(3);
    }
    case 'raw':
      return readJson(readFieldsByNumber(reader.bytes()).bytes(1));
    case 'list':
      // A list as the value of a map entry is a message with the repeated field 1.
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

function assertWireType(wireType: number, expected: number, fieldName: string): void {
  if (wireType === expected) return;
  throw new ProtobufError(`proto: wrong wireType = ${wireType} for field ${goFieldName(fieldName)}`);
}

/** The name of a field in upstream's Go struct, as Go's messages have it. */
function goFieldName(name: string): string {
  return name === 'metadata' ? 'ObjectMeta' : `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

const toJsonInteger = (value: bigint): JsonValue =>
  Number.isSafeInteger(Number(value)) ? Number(value) : new RawNumber(String(value));

/** Unix times of the years 1 to 9999: RFC 3339 cannot express others. */
const firstSecond = -62_135_596_800n;
const lastSecond = 253_402_300_799n;

/** The message has seconds and nanoseconds since the epoch; an empty message is null. metav1.Time has whole seconds. */
function readTime(bytes: Buffer, category: 'time' | 'microTime'): JsonValue {
  if (bytes.length === 0) return null;
  const fields = readFieldsByNumber(bytes);
  const seconds = BigInt.asIntN(64, fields.integer(1));
  if (seconds < firstSecond || seconds > lastSecond) throw new ProtobufError('proto: a time is out of range');
  const dateTime = new Date(Number(seconds) * 1_000).toISOString().slice(0, -5);
  if (category === 'time') return `${dateTime}Z`;
  const microseconds = Math.trunc(Number(BigInt.asIntN(32, fields.integer(2))) / 1_000);
  if (microseconds < 0 || microseconds > 999_999) throw new ProtobufError('proto: a time is out of range');
  return `${dateTime}.${String(microseconds).padStart(6, '0')}Z`;
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

/** The varint and length-delimited fields of a message without a schema, by field number. */
function readFieldsByNumber(message: Buffer) {
  const varintFields = new Map<number, bigint>();
  const byteFields = new Map<number, Buffer>();
  const reader = new WireReader(message);
  while (!reader.atEnd) {
    const { number, wireType } = reader.tag();
    if (wireType === wireTypes.varint) varintFields.set(number, reader.varint());
    else if (wireType === wireTypes.bytes) byteFields.set(number, reader.bytes());
    else reader.skip(wireType);
  }
  const bytes = (number: number) => byteFields.get(number) ?? Buffer.alloc(0);
  return {
    integer: (number: number) => varintFields.get(number) ?? 0n,
    bytes,
    text: (number: number) => bytes(number).toString(),
  };
}
