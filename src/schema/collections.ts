// Schema types of lists, maps and free-form JSON (RawExtension, FieldsV1, JSON), with the merge strategies of lists and
// maps.
import {
  isObject,
  JsonText,
  type JsonValue,
  nullPrototypeObject,
  RawNumber,
} from '../codec/json/json-value.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import type { FieldError } from '../errors/field-error.ts';
import { DecodeError, type Decoding } from './decoding.ts';
import { quote, readInteger, shortName } from './scalars.ts';
import type { Type } from './type.ts';

/** The merge strategy of a list (listType, patchStrategy). */
export interface ListMerge {
  /** Server-side apply: the listType. Absent: atomic, and not published in OpenAPI. */
  readonly type?: 'atomic' | 'set' | 'map';
  /** The listMapKeys of listType map. */
  readonly keys?: readonly string[];
  /** For strategic merge patch. */
  readonly patch?: 'merge' | 'replace' | 'retainKeys' | 'merge,retainKeys';
  /** The patchMergeKey. */
  readonly patchKey?: string;
}

export interface ListTypeOptions extends ListMerge {
  /** The name of a named list type (`authentication/v1.ExtraValue`), which Protobuf encodes as a message. */
  readonly name?: string;
}

export class ListType<T> implements Type<T[]> {
  readonly category = 'list';
  readonly name: string;
  readonly emptyJson = 'null';
  readonly element: Type<T>;
  readonly merge: ListMerge;
  readonly fullName?: string;
  applyDefaults?(values: T[]): void;
  validate?(values: T[], path: string, errors: FieldError[]): void;

  constructor(element: Type<T>, { name, ...merge }: ListTypeOptions) {
    this.name = name === undefined ? `[]${element.name}` : shortName(name);
    if (name !== undefined) this.fullName = name;
    this.element = element;
    this.merge = merge;
    if (element.applyDefaults) {
      this.applyDefaults = (values) => {
        for (const value of values) element.applyDefaults!(value);
      };
    }
    if (element.validate) {
      this.validate = (values, path, errors) => {
        values.forEach((value, i) => {
          element.validate!(value, `${path}[${i}]`, errors);
        });
      };
    }
  }

  read(value: JsonValue, decoding: Decoding): T[] {
    if (!Array.isArray(value)) {
      decoding.reportMismatch(value, this);
      return [];
    }
    return value.map((item, i) => {
      if (item === null) return this.element.zero();
      decoding.enterElement(i);
      const element = this.element.read(item, decoding);
      decoding.leaveElement();
      return element;
    });
  }

  write(values: T[]): string {
    let text = '[';
    for (let i = 0; i < values.length; i++) {
      if (i > 0) text += ',';
      text += this.element.write(values[i]!);
    }
    return `${text}]`;
  }

  isEmpty(values: T[]): boolean {
    return values.length === 0;
  }

  zero(): T[] {
    return [];
  }

  describe(seen: Set<string>): string {
    return `[]${this.element.describe(seen)}`;
  }
}

export interface MapOptions {
  /** Server-side apply: mapType atomic. */
  readonly atomic?: boolean;
  /** The name of a named map type. */
  readonly name?: string;
  /** The name of the keys' type; `string` if absent. */
  readonly keyName?: string;
}

export class MapType<T> implements Type<Record<string, T>> {
  readonly category = 'map';
  readonly name: string;
  readonly emptyJson = 'null';
  readonly element: Type<T>;
  /** Server-side apply: replaced as a whole instead of key by key. */
  readonly atomic: boolean;
  readonly options: MapOptions;
  applyDefaults?(values: Record<string, T>): void;
  validate?(values: Record<string, T>, path: string, errors: FieldError[]): void;

  constructor(element: Type<T>, options: MapOptions) {
    this.options = options;
    this.name = options.name ?? `map[${options.keyName ?? 'string'}]${element.name}`;
    this.element = element;
    this.atomic = options.atomic ?? false;
    if (element.applyDefaults) {
      this.applyDefaults = (values) => {
        for (const key in values) element.applyDefaults!(values[key]!);
      };
    }
    if (element.validate) {
      this.validate = (values, path, errors) => {
        for (const key of Object.keys(values).sort())
          element.validate!(values[key]!, `${path}[${key}]`, errors);
      };
    }
  }

  read(value: JsonValue, decoding: Decoding): Record<string, T> {
    const result = nullPrototypeObject<T>();
    if (!isObject(value)) {
      decoding.reportMismatch(value, this);
      return result;
    }
    const repeated = decoding.repeatedKeys(value);
    for (const key in value) {
      const member = value[key]!;
      if (member === null) {
        result[key] = this.element.zero();
      } else if (typeof member === 'string' && this.element.category === 'string') {
        result[key] = member as T;
      } else {
        decoding.enterElement(key);
        result[key] = this.element.read(member, decoding);
        decoding.leaveElement();
      }
      if (repeated?.has(key)) decoding.reportDuplicateField(key);
    }
    return result;
  }

  /** Keys are sorted, so that equal maps have equal bytes. */
  write(values: Record<string, T>): string {
    const keys = Object.keys(values);
    if (!isInOrder(keys)) keys.sort();
    // Fast path: most clients send sorted maps, and string values are encoded as they are.
    else if (this.element.category === 'string' || this.element.category === 'bytes')
      return JSON.stringify(values);
    let text = '{';
    for (const key of keys) {
      if (text.length > 1) text += ',';
      text += `${quote(key)}:${this.element.write(values[key]!)}`;
    }
    return `${text}}`;
  }

  isEmpty(values: Record<string, T>): boolean {
    for (const _ in values) return false;
    return true;
  }

  zero(): Record<string, T> {
    return nullPrototypeObject();
  }

  describe(seen: Set<string>): string {
    return `{}${this.element.describe(seen)}`;
  }
}

function isInOrder(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) {
    if (keys[i]! < keys[i - 1]!) return false;
  }
  return true;
}

export function list<T>(element: Type<T>, options: ListTypeOptions = {}): ListType<T> {
  return new ListType(element, options);
}

export function mapOf<T>(element: Type<T>, options: MapOptions = {}): MapType<T> {
  return new MapType(element, options);
}

/** Any JSON, kept as the client sent it: no decoding, sorting or pruning. */
export class RawType implements Type<JsonValue> {
  readonly category = 'raw';
  readonly name: string;
  readonly emptyJson = 'null';
  readonly ignoresOmitEmpty = true;

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
    return this.category;
  }
}

/** An embedded object of any kind, or any other JSON. */
export const rawExtension: Type<JsonValue> = new RawType('runtime.RawExtension');

/** The field set of a managedFields entry. It stays text: it is often larger than the rest, and rarely decoded. */
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

/** Any JSON in canonical form: sorted keys; numbers are 64-bit integers or doubles. */
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
