// Writes the Protobuf messages of gnostic's OpenAPI schemas.
import type { JsonValue } from '../../../codec/json/json-value.ts';
import { WireWriter } from '../../../codec/protobuf/wire-writer.ts';
import { encodeYaml } from '../../../codec/yaml/encode.ts';

/**
 * How a part of a document is written as a Protobuf message. The writer goes from the end to the start, so fields are
 * written in reverse.
 */
export type Message = (writer: WireWriter, value: Values) => void;

/** Writes a field, number and all. Nothing is written for what is not there. */
type FieldWriter = (writer: WireWriter, value: unknown, all: Values) => void;

/** A part of a document: any object. */
export type Values = Readonly<Record<string, unknown>>;

/** A message whose fields are those of an object; `fields` are in the order in which they are written. */
export function message(fields: Readonly<Record<string, FieldWriter>>): Message {
  const reversed = Object.entries(fields).reverse();
  return (writer, values) => {
    for (const [name, write] of reversed) write(writer, values[name], values);
  };
}

/** A message with one field, the number of which says what it holds. */
export function either(choose: (value: Values) => readonly [number: number, message: Message]): Message {
  return (writer, value) => {
    const [number, chosen] = choose(value);
    delimited(writer, number, () => chosen(writer, value));
  };
}

/** A value as a message of its own. */
export function written(type: Message, value: object): Buffer {
  const writer = new WireWriter(1 << 14);
  type(writer, value as Values);
  return writer.finish();
}

/** What stands before a message of this length that is a field. */
export function opening(number: number, length: number): Buffer {
  const writer = new WireWriter(16);
  writer.varint(length);
  writer.tag(number, 2);
  return writer.finish();
}

function delimited(writer: WireWriter, number: number, body: () => void): void {
  const before = writer.length;
  body();
  writer.delimit(number, before);
}

function writeText(writer: WireWriter, number: number, text: string): void {
  delimited(writer, number, () => writer.text(text));
}

export function text(number: number): FieldWriter {
  return (writer, value) => {
    if (typeof value === 'string' && value !== '') writeText(writer, number, value);
  };
}

export function texts(number: number): FieldWriter {
  return (writer, value) => {
    if (!Array.isArray(value)) return;
    for (const one of value.toReversed()) writeText(writer, number, String(one));
  };
}

export function flag(number: number): FieldWriter {
  return (writer, value) => {
    if (value !== true) return;
    writer.varint(1);
    writer.tag(number, 0);
  };
}

export function int(number: number): FieldWriter {
  return (writer, value) => {
    if (typeof value !== 'number' || value === 0) return;
    writer.bigVarint(BigInt(value));
    writer.tag(number, 0);
  };
}

export function double(number: number): FieldWriter {
  return (writer, value) => {
    if (typeof value !== 'number' || value === 0) return;
    writer.double(value);
    writer.tag(number, 1);
  };
}

/** The schema of a map's values, or whether there may be any. */
export function additionalSchema(number: number, schema: Message): FieldWriter {
  const either = (writer: WireWriter, value: unknown) => {
    if (typeof value === 'object') delimited(writer, 1, () => schema(writer, value as Values));
    else flag(2)(writer, value, {});
  };
  return (writer, value) => {
    if (value !== undefined) delimited(writer, number, () => either(writer, value));
  };
}

export function part(number: number, type: Message): FieldWriter {
  return (writer, value) => {
    if (value !== undefined) delimited(writer, number, () => type(writer, value as Values));
  };
}

export function parts(number: number, type: Message): FieldWriter {
  return (writer, value) => {
    if (!Array.isArray(value)) return;
    for (const one of value.toReversed()) delimited(writer, number, () => type(writer, one as Values));
  };
}

/** An object with names of its own, as messages of a name and a value each. */
export function entries(number: number, type: Message): FieldWriter {
  return (writer, value) => {
    if (value === undefined) return;
    for (const [name, one] of Object.entries(value as Values).reverse()) {
      delimited(writer, number, () => {
        delimited(writer, 2, () => type(writer, one as Values));
        writeText(writer, 1, name);
      });
    }
  };
}

/** Any value, as YAML. */
const anything: Message = (writer, value) => writeText(writer, 2, encodeYaml(value as JsonValue));

export const anyValues = (number: number): FieldWriter => parts(number, anything);

/** Whatever has a name that begins with `x-`. */
export function extensions(number: number): FieldWriter {
  const write = entries(number, anything);
  return (writer, _, all) => {
    const own = Object.entries(all).filter(([name]) => name.startsWith('x-'));
    write(writer, Object.fromEntries(own), all);
  };
}

/** A default: a number, a truth value or a text; for an object an empty message. */
export function defaultValue(number: number): FieldWriter {
  return (writer, value) => {
    if (value === undefined) return;
    delimited(writer, number, () => {
      if (typeof value === 'string') {
        writeText(writer, 3, value);
      } else if (typeof value === 'boolean') {
        writer.varint(value ? 1 : 0);
        writer.tag(2, 0);
      } else if (typeof value === 'number') {
        writer.double(value);
        writer.tag(1, 1);
      }
    });
  };
}
