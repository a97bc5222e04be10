// Writes the Protobuf messages of gnostic's OpenAPI schemas.
import type { JsonValue } from '../../../codec/json/json-value.ts';
import { WireWriter } from '../../../codec/protobuf/wire-writer.ts';
import { encodeYaml } from '../../../codec/yaml/encode.ts';

/** Encodes a value as a Protobuf message. WireWriter writes from the end to the start, so fields are written in reverse. */
export type Message = (writer: WireWriter, value: MessageValue) => void;

/** Writes a field with its number; an absent value writes nothing. */
type FieldWriter = (writer: WireWriter, value: unknown, parent: MessageValue) => void;

export type MessageValue = Readonly<Record<string, unknown>>;

/** A message whose fields are those of an object; `fields` are in the order in which they are written. */
export function message(fields: Readonly<Record<string, FieldWriter>>): Message {
  const reversed = Object.entries(fields).reverse();
  return (writer, values) => {
    for (const [name, write] of reversed) write(writer, values[name], values);
  };
}

/** A message with a single field (a oneof); its number depends on the value. */
export function oneOfMessage(
  choose: (value: MessageValue) => readonly [number: number, message: Message],
): Message {
  return (writer, value) => {
    const [number, chosen] = choose(value);
    delimited(writer, number, () => chosen(writer, value));
  };
}

export function encodeMessage(type: Message, value: object): Buffer {
  const writer = new WireWriter(1 << 14);
  type(writer, value as MessageValue);
  return writer.finish();
}

/** The tag and length prefix of a message field. */
export function fieldHeader(number: number, length: number): Buffer {
  const writer = new WireWriter(16);
  writer.varint(length);
  writer.tag(number, 2);
  return writer.finish();
}

function delimited(writer: WireWriter, number: number, body: () => void): void {
  const end = writer.length;
  body();
  writer.delimit(number, end);
}

function writeText(writer: WireWriter, number: number, text: string): void {
  delimited(writer, number, () => writer.text(text));
}

export function stringField(number: number): FieldWriter {
  return (writer, value) => {
    if (typeof value === 'string' && value !== '') writeText(writer, number, value);
  };
}

export function repeatedStringField(number: number): FieldWriter {
  return (writer, value) => {
    if (!Array.isArray(value)) return;
    for (const item of value.toReversed()) writeText(writer, number, String(item));
  };
}

export function boolField(number: number): FieldWriter {
  return (writer, value) => {
    if (value !== true) return;
    writer.varint(1);
    writer.tag(number, 0);
  };
}

export function intField(number: number): FieldWriter {
  return (writer, value) => {
    if (typeof value !== 'number' || value === 0) return;
    writer.bigVarint(BigInt(value));
    writer.tag(number, 0);
  };
}

export function doubleField(number: number): FieldWriter {
  return (writer, value) => {
    if (typeof value !== 'number' || value === 0) return;
    writer.double(value);
    writer.tag(number, 1);
  };
}

/** additionalProperties: a schema or a boolean. */
export function additionalPropertiesField(number: number, schema: Message): FieldWriter {
  const either = (writer: WireWriter, value: unknown) => {
    if (typeof value === 'object') delimited(writer, 1, () => schema(writer, value as MessageValue));
    else boolField(2)(writer, value, {});
  };
  return (writer, value) => {
    if (value !== undefined) delimited(writer, number, () => either(writer, value));
  };
}

export function messageField(number: number, type: Message): FieldWriter {
  return (writer, value) => {
    if (value !== undefined) delimited(writer, number, () => type(writer, value as MessageValue));
  };
}

export function repeatedMessageField(number: number, type: Message): FieldWriter {
  return (writer, value) => {
    if (!Array.isArray(value)) return;
    for (const item of value.toReversed())
      delimited(writer, number, () => type(writer, item as MessageValue));
  };
}

/** A map, as repeated messages of name and value. */
export function mapField(number: number, type: Message): FieldWriter {
  return (writer, value) => {
    if (value === undefined) return;
    for (const [name, item] of Object.entries(value as MessageValue).reverse()) {
      delimited(writer, number, () => {
        delimited(writer, 2, () => type(writer, item as MessageValue));
        writeText(writer, 1, name);
      });
    }
  };
}

/** gnostic's Any: the value as YAML. */
const anyValue: Message = (writer, value) => writeText(writer, 2, encodeYaml(value as JsonValue));

export const repeatedAnyField = (number: number): FieldWriter => repeatedMessageField(number, anyValue);

/** The properties whose name begins with `x-`. */
export function extensionsField(number: number): FieldWriter {
  const write = mapField(number, anyValue);
  return (writer, _, parent) => {
    const extensions = Object.entries(parent).filter(([name]) => name.startsWith('x-'));
    write(writer, Object.fromEntries(extensions), parent);
  };
}

/** gnostic's DefaultType: a number, boolean or string; an empty message for an object. */
export function defaultField(number: number): FieldWriter {
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
