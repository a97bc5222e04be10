// Protobuf encoder, guided by the schema.
import { ListType, MapType } from '../../schema/collections.ts';
import type { RawType } from '../../schema/raw.ts';
import type { Fields, Struct } from '../../schema/struct.ts';
import type { Type } from '../../schema/type.ts';
import type { UnionType } from '../../schema/union.ts';
import { type JsonValue, RawNumber } from '../json/json-value.ts';
import { isEnvelopeField, wireTypeOf } from './wire-form.ts';
import { wireTypes } from './wire-reader.ts';
import { WireWriter } from './wire-writer.ts';

/**
 * Encodes an object to the same bytes as kube-apiserver: fields in order of their numbers; empty numbers, strings and
 * structs are written unless the field is optional; maps in key order.
 */
export function encodeMessage(schema: Struct<unknown>, object: unknown): Buffer {
  const writer = new WireWriter();
  writeMessage(writer, schema, object);
  return writer.finish();
}

/** Prepends the message of an object to the bytes in the writer. */
export function writeMessage(writer: WireWriter, schema: Struct<unknown>, object: unknown): void {
  for (const part of planOf(schema.fields)) {
    if ('inner' in part) {
      const before = writer.length;
      writeMessage(writer, part.inner, object);
      writer.delimit(part.number, before);
    } else {
      writeField(writer, part, (object as Readonly<Record<string, unknown>>)[part.name]);
    }
  }
}

type PlannedPart = PlannedField | { readonly number: number; readonly inner: Struct<unknown> };

interface PlannedField {
  readonly number: number;
  readonly name: string;
  readonly type: Type;
  readonly optional: boolean;
}

const plans = new WeakMap<Fields, readonly PlannedPart[]>();

/** The fields of a message in reverse order, because WireWriter writes backwards. */
function planOf(fields: Fields): readonly PlannedPart[] {
  const cached = plans.get(fields);
  if (cached) return cached;
  const parts = new Map<number, PlannedPart>();
  for (const [name, definition] of Object.entries(fields)) {
    const { number, type, optional, inlined } = definition;
    if (inlined) parts.set(inlined.number, { number: inlined.number, inner: inlined.struct });
    else if (!isEnvelopeField(name, fields)) parts.set(number, { number, name, type, optional });
  }
  const plan = [...parts.values()].sort((a, b) => b.number - a.number);
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
  } else if (!optional && type.form !== 'bytes') {
    writeValue(writer, number, type, type.zero());
  }
}

function writeElements(writer: WireWriter, number: number, element: Type, values: readonly unknown[]): void {
  for (let i = values.length - 1; i >= 0; i--) writeValue(writer, number, element, values[i]);
}

function writeEntries(writer: WireWriter, number: number, element: Type, values: object): void {
  const keys = Object.keys(values).sort();
  for (let i = keys.length - 1; i >= 0; i--) {
    const before = writer.length;
    writeValue(writer, 2, element, (values as Readonly<Record<string, unknown>>)[keys[i]!]);
    writeText(writer, 1, keys[i]!);
    writer.delimit(number, before);
  }
}

function writeText(writer: WireWriter, number: number, text: string): void {
  const before = writer.length;
  writer.text(text);
  writer.delimit(number, before);
}

function writeValue(writer: WireWriter, number: number, type: Type, value: unknown): void {
  const before = writer.length;
  const wireType = wireTypeOf(type);
  writeContent(writer, type, value);
  if (wireType === wireTypes.bytes) writer.delimit(number, before);
  else writer.tag(number, wireType);
}

function writeContent(writer: WireWriter, type: Type, value: unknown): void {
  switch (type.form) {
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
    case 'quantity':
      writeText(writer, 1, value as string);
      break;
    case 'intOrString':
      writeIntOrString(writer, value as number | string);
      break;
    case 'raw':
      if (value !== null) writeText(writer, 1, (type as RawType).asBytes(value as JsonValue));
      break;
    case 'list':
      // A list as a single value, as in a map, is a message of its own.
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
      throw new Error(`${type.name} has no form in Protobuf`);
  }
}

function writeInteger(writer: WireWriter, value: number | RawNumber): void {
  if (typeof value === 'number' && value >= 0) writer.varint(value);
  else writer.bigVarint(BigInt(value instanceof RawNumber ? value.text : value));
}

/** Seconds and nanoseconds since the epoch; an empty time is an empty message. */
function writeTime(writer: WireWriter, text: string): void {
  if (text === '') return;
  // Times end in `.123456Z` or in `Z`.
  const point = text.indexOf('.');
  const whole = point < 0 ? text : `${text.slice(0, point)}Z`;
  const fraction = point < 0 ? '' : text.slice(point + 1, -1);
  writer.varint(Number(fraction.padEnd(9, '0')));
  writer.tag(2, wireTypes.varint);
  writeInteger(writer, Date.parse(whole) / 1000);
  writer.tag(1, wireTypes.varint);
}

function writeIntOrString(writer: WireWriter, value: number | string): void {
  const isText = typeof value === 'string';
  writeText(writer, 3, isText ? value : '');
  writeInteger(writer, isText ? 0 : value);
  writer.tag(2, wireTypes.varint);
  writer.varint(isText ? 1 : 0);
  writer.tag(1, wireTypes.varint);
}
