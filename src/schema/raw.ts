import { isObject, JsonText, type JsonValue, RawNumber, userKeyed } from '../codec/json/json-value.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { DecodeError } from './decoding.ts';
import { readInteger } from './scalars.ts';
import type { Type } from './type.ts';

/** Any JSON, kept as it came: nothing inside is read, ordered or dropped. */
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
/** A set of fields. There is one in every object, often larger than the rest, that is seldom looked into: it stays text. */
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

/** A set of fields, as managedFields record it. */
export const fieldsV1: Type<JsonValue> = new FieldsV1Type('v1.FieldsV1');

/** Any JSON by what it says, not how it was written: keys in order, numbers as they are written by the server. */
class JsonType extends RawType {
  override read(value: JsonValue): JsonValue {
    return canonical(value, 0);
  }

  /** The reference writes it anew, and its writer keeps clear of what HTML would read as markup. */
  override asBytes(value: JsonValue): string {
    return clearOfMarkup(stringifyJson(value));
  }
}

/** JSON as the reference writes it: nothing in it is read as markup by HTML. */
export const clearOfMarkup = (text: string) => text.replace(/[<>&\u2028\u2029]/g, escaped);

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Values in a schema lie no deeper in one another than this. */
const deepest = 500;

function canonical(value: JsonValue, depth: number): JsonValue {
  if (depth > deepest) throw new DecodeError(`a value is nested more than ${deepest} deep`);
  if (value instanceof RawNumber) return canonicalNumber(value);
  if (Array.isArray(value)) return value.map((item) => canonical(item, depth + 1));
  if (!isObject(value)) return value;
  const sorted = userKeyed();
  for (const key of Object.keys(value).sort()) sorted[key] = canonical(value[key]!, depth + 1);
  return sorted;
}

/** Whole numbers of 64 bits keep all their digits; others are what a double holds. */
function canonicalNumber(value: RawNumber): JsonValue {
  const integer = readInteger(value, 64);
  if (integer !== undefined) return integer;
  const number = Number(value.text);
  if (Number.isFinite(number)) return number;
  throw new DecodeError(`json: cannot unmarshal number ${value.text} into Go value of type float64`);
}

export const json: Type<JsonValue> = new JsonType('v1.JSON');
