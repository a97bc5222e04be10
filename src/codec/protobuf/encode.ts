// Protobuf encoder: encodes a value of a schema type with the same bytes as kube-apiserver. WireWriter writes from the end
// to the start, so every function writes the last part first.

import { parseDuration } from '../../base/duration.ts';
import type { RawType } from '../../schema/collections.ts';
import { ListType, MapType } from '../../schema/collections.ts';
import type { Fields, Struct } from '../../schema/struct.ts';
import type { Type } from '../../schema/type.ts';
import type { UnionType } from '../../schema/union.ts';
import { type JsonValue, RawNumber } from '../json/json-value.ts';
import { wireTypes } from './wire-reader.ts';
import { isEnvelopeField, wireTypeOf } from './wire-type.ts';
import { WireWriter } from './wire-writer.ts';

/**
 * Fields are in the order of their numbers, and map entries in the order of their keys. Zero numbers, empty strings and
 * structs are encoded unless the field is optional.
 */
export function encodeMessage(schema: Struct<unknown>, object: unknown): Buffer {
  const writer = new WireWriter();
  writeMessage(writer, schema, object);
  return writer.finish();
}

/** Prepends the message of an object to the bytes in the writer. */
export function writeMessage(writer: WireWriter, schema: Struct<unknown>, object: unknown): void {
  for (const entry of encodingPlan(schema.fields)) {
    if ('embedded' in entry) {
      const lengthBefore = writer.length;
      writeMessage(writer, entry.embedded, object);
      writer.delimit(entry.number, lengthBefore);
    } else {
      writeField(writer, entry, (object as Readonly<Record<string, unknown>>)[entry.name]);
    }
  }
}

type PlannedEntry = PlannedField | { readonly number: number; readonly embedded: Struct<unknown> };

interface PlannedField {
  readonly number: number;
  readonly name: string;
  readonly type: Type;
  readonly optional: boolean;
}

const plans = new WeakMap<Fields, readonly PlannedEntry[]>();

/** The fields of a message in the order in which they are written: the highest number first. Cached by type. */
function encodingPlan(fields: Fields): readonly PlannedEntry[] {
  const cached = plans.get(fields);
  if (cached) return cached;
  const entries = new Map<number, PlannedEntry>();
  for (const [name, definition] of Object.entries(fields)) {
    const { number, type, optional, inlined } = definition;
    if (inlined) entries.set(inlined.number, { number: inlined.number, embedded: inlined.struct });
    else if (!isEnvelopeField(name, fields)) entries.set(number, { number, name, type, optional });
  }
  const plan = [...entries.values()].sort((a, b) => b.number - a.number);
  plans.set(fields, plan);
  return plan;
}

function writeField(writer: WireWriter, { number, type, optional }: PlannedField, value: unknown): void {
  if (type instanceof ListType) {
    if (value !== undefined && value !== null)
      writeElements(writer, number, type.element, value as unknown[]);
  } else if (type instanceof MapType) {
    if (value !== undefined && value !== null) writeEntries(writer, number, type.element, value as object);
  } else if (value !== undefined && value !== null) {
    writeValue(writer, number, type, value);
  } else if (!optional && type.category !== 'bytes') {
    writeValue(writer, number, type, type.zero());
  }
}

function writeElements(writer: WireWriter, number: number, element: Type, values: readonly unknown[]): void {
  for (let i = values.length - 1; i >= 0; i--) writeValue(writer, number, element, values[i]);
}

/** A map is a repeated message with the key in field 1 and the value in field 2. */
function writeEntries(writer: WireWriter, number: number, element: Type, values: object): void {
  const keys = Object.keys(values).sort();
  for (let i = keys.length - 1; i >= 0; i--) {
    const lengthBefore = writer.length;
    writeValue(writer, 2, element, (values as Readonly<Record<string, unknown>>)[keys[i]!]);
    writeText(writer, 1, keys[i]!);
    writer.delimit(number, lengthBefore);
  }
}

function writeText(writer: WireWriter, number: number, text: string): void {
  const lengthBefore = writer.length;
  writer.text(text);
  writer.delimit(number, lengthBefore);
}

function writeValue(writer: WireWriter, number: number, type: Type, value: unknown): void {
  const lengthBefore = writer.length;
  const wireType = wireTypeOf(type);
  writeContent(writer, type, value);
  if (wireType === wireTypes.bytes) writer.delimit(number, lengthBefore);
  else writer.tag(number, wireType);
}

function writeContent(writer: WireWriter, type: Type, value: unknown): void {
  switch (type.category) {
    case 'string':
      writer.text(value as string);
      break;
    case 'bool':
      writer.varint(value ? 1 : 0);
      break;
    case 'int32':
    case 'int64':
      writeInteger(writer, value as number | RawNumber);
      break;
    case 'double':
      writer.double(Number(value));
      break;
    case 'bytes':
      writer.bytes(Buffer.from(value as string, 'base64'));
      break;
    case 'time':
    case 'microTime':
      writeTime(writer, value as string);
      break;
    case 'duration':
      // metav1.Duration is a message with nanoseconds in field 1.
      writeInteger(writer, parseDuration(value as string) * 1_000_000);
      writer.tag(1, wireTypes.varint);
      break;
    case 'quantity':
      // resource.Quantity is a message with the text in field 1.
      writeText(writer, 1, value as string);
      break;
    case 'intOrString':
      writeIntOrString(writer, value as number | string);
      break;
    case 'raw':
      if (value !== null) writeText(writer, 1, (type as RawType).asBytes(value as JsonValue));
      break;
    case 'list':
      // A list as the value of a map entry is a message with the repeated field 1.
      writeElements(writer, 1, (type as ListType<unknown>).element, value as unknown[]);
      break;
    case 'union': {
      const union = type as UnionType;
      writeMessage(writer, union.message, union.toMessage(value));
      break;
    }
    case 'struct':
      writeMessage(writer, type as Struct<unknown>, value);
      break;
    default:
      throw new Error(`${type.name} has no Protobuf encoding`);
  }
}

function writeInteger(writer: WireWriter, value: number | RawNumber): void {
  if (typeof value === 'number' && value >= 0) writer.varint(value);
  else writer.bigVarint(BigInt(value instanceof RawNumber ? value.text : value));
}

/** Writes seconds and nanoseconds since the epoch; an empty time is an empty message. */
function writeTime(writer: WireWriter, text: string): void {
  if (text === '') return;
  // The text ends with `.123456Z` or `Z`.
  const pointIndex = text.indexOf('.');
  const withoutFraction = pointIndex < 0 ? text : `${text.slice(0, pointIndex)}Z`;
  const fraction = pointIndex < 0 ? '' : text.slice(pointIndex + 1, -1);
  writer.varint(Number(fraction.padEnd(9, '0')));
  writer.tag(2, wireTypes.varint);
  writeInteger(writer, Date.parse(withoutFraction) / 1000);
  writer.tag(1, wireTypes.varint);
}

/** intstr.IntOrString: field 1 is its type (0 int, 1 string), 2 the number, 3 the text; all are always written. */
function writeIntOrString(writer: WireWriter, value: number | string): void {
  const isText = typeof value === 'string';
  writeText(writer, 3, isText ? value : '');
  writeInteger(writer, isText ? 0 : value);
  writer.tag(2, wireTypes.varint);
  writer.varint(isText ? 1 : 0);
  writer.tag(1, wireTypes.varint);
}
