// Schema types of free JSON: RawExtension, JSON and FieldsV1.
import {
  isObject,
  JsonText,
  type JsonValue,
  nullPrototypeObject,
  RawNumber,
} from '../codec/json/json-value.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { DecodeError } from './decoding.ts';
import { readInteger } from './scalars.ts';
import type { Type } from './type.ts';

/** Any JSON, kept as the client sent it: no decoding, sorting or pruning. */
export class RawType implements Type<JsonValue> {
  readonly form = 'raw';
  readonly name: string;
  readonly emptyJson = 'null';
  readonly alwaysWritten = true;

  constructor(name: string) {
    this.name = name;
  }

  read(value: JsonValue): JsonValue {
    return value;
  }

  write(value: JsonValue): string {
    return stringifyJson(value);
  }

  /** The JSON as a Protobuf message carries it. */
  asBytes(value: JsonValue): string {
    return stringifyJson(value);
  }

  isEmpty(value: JsonValue): boolean {
    return value === null;
  }

  zero(): JsonValue {
    return null;
  }

  describe(): string {
    return this.form;
  }
}

/** An object of another kind, or any other JSON. */
export const rawExtension: Type<JsonValue> = new RawType('runtime.RawExtension');
/** A field set. Every object has some, often larger than the rest and rarely decoded, so it stays text. */
class FieldsV1Type extends RawType {
  override read(value: JsonValue): JsonValue {
    return value instanceof JsonText ? value : new JsonText(stringifyJson(value));
  }

  override write(value: JsonValue): string {
    return value instanceof JsonText ? value.text : stringifyJson(value);
  }

  override asBytes(value: JsonValue): string {
    return this.write(value);
  }
}

export const fieldsV1: Type<JsonValue> = new FieldsV1Type('v1.FieldsV1');

/** Any JSON in canonical form: sorted keys, and numbers as the server prints them. */
class JsonType extends RawType {
  override read(value: JsonValue): JsonValue {
    return canonical(value, 0);
  }

  /** Upstream re-encodes it with Go's encoding/json, which escapes HTML. */
  override asBytes(value: JsonValue): string {
    return escapeHtml(stringifyJson(value));
  }
}

/** JSON with HTML characters escaped, as Go's encoding/json does. */
export const escapeHtml = (text: string) => text.replace(/[<>&\u2028\u2029]/g, escaped);

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const maxDepth = 500;

function canonical(value: JsonValue, depth: number): JsonValue {
  if (depth > maxDepth) throw new DecodeError(`a value is nested more than ${maxDepth} deep`);
  if (value instanceof RawNumber) return canonicalNumber(value);
  if (Array.isArray(value)) return value.map((item) => canonical(item, depth + 1));
  if (!isObject(value)) return value;
  const sorted = nullPrototypeObject();
  for (const key of Object.keys(value).sort()) sorted[key] = canonical(value[key]!, depth + 1);
  return sorted;
}

/** 64-bit integers keep all digits; other numbers become doubles. */
function canonicalNumber(value: RawNumber): JsonValue {
  const integer = readInteger(value, 64);
  if (integer !== undefined) return integer;
  const number = Number(value.text);
  if (Number.isFinite(number)) return number;
  throw new DecodeError(`json: cannot unmarshal number ${value.text} into Go value of type float64`);
}

export const json: Type<JsonValue> = new JsonType('v1.JSON');
