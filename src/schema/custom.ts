// Schema types of custom resources: pruning and defaulting by a structural schema.
import {
  isObject,
  type JsonObject,
  type JsonValue,
  nullPrototypeObject,
  RawNumber,
} from '../codec/json/json-value.ts';
import { tooManyDefaults } from '../errors/catalogue.ts';
import { formatValue } from '../errors/field-error.ts';
import { formatInvalidValue } from '../errors/format-invalid-value.ts';
import { DecodeError, type Decoding, jsonTypeOf } from './decoding.ts';
import { type Field, field, optional } from './struct.ts';
import type { Type, TypeCategory } from './type.ts';

/**
 * The part of a structural schema that pruning, defaulting and server-side apply need; validation is separate. An
 * absent property means that the schema does not declare it.
 */
export interface CustomForm {
  readonly properties?: Readonly<Record<string, CustomType>>;
  /** additionalProperties. */
  readonly additional?: CustomType;
  /** `additionalProperties: true`: other members are kept, but objects in them are pruned to `{}`. */
  readonly keepsMembers?: boolean;
  readonly items?: CustomType;
  /** preserve-unknown-fields: other members are kept as they are. */
  readonly keepsUnknown?: boolean;
  /** For embedded resources: the type of their metadata. */
  readonly metadata?: Type;
  readonly nullable?: boolean;
  readonly default?: JsonValue;
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listKeys?: readonly string[];
  /** The scalar type, for server-side apply. */
  readonly scalar?: TypeCategory;
  /** mapType atomic. */
  readonly isAtomic?: boolean;
}

/** A type of a custom resource. Its values are plain JSON; decoding only prunes unknown fields. */
export class CustomType implements Type<JsonValue> {
  readonly category = 'raw';
  readonly name = 'interface {}';
  readonly emptyJson = 'null';
  readonly keepsNull: boolean;
  readonly custom: CustomForm;
  #defaultSize: number | undefined;

  constructor(custom: CustomForm) {
    this.custom = custom;
    this.keepsNull = custom.nullable ?? false;
  }

  read(value: JsonValue, decoding: Decoding): JsonValue {
    const { items } = this.custom;
    decoding.assertNotTooDeep(this.name);
    if (Array.isArray(value)) {
      if (!items) return readAny(value, decoding);
      return value.map((item, index) => {
        decoding.enterElement(index);
        const element = items.read(item, decoding);
        decoding.leaveElement();
        return element;
      });
    }
    return isObject(value) ? this.#readObject(value, decoding) : copyWithGoNumbers(value);
  }

  #readObject(value: JsonObject, decoding: Decoding): JsonObject {
    const result = nullPrototypeObject();
    const repeated = decoding.repeatedKeys(value);
    for (const key in value) {
      this.readMember(result, key, value[key]!, decoding);
      if (repeated?.has(key)) decoding.reportDuplicateField(key);
    }
    return result;
  }

  /** Decodes one member of an object: by its own schema, by a rule for undeclared members, or not at all (pruning). */
  readMember(into: Record<string, unknown>, key: string, value: JsonValue, decoding: Decoding): void {
    const { properties, additional, keepsMembers, keepsUnknown, metadata } = this.custom;
    // apiVersion, kind and metadata of an embedded resource have their own rules, whatever the schema declares.
    const isEmbeddedMeta = metadata !== undefined && isTypeOrObjectMeta(key);
    if (isEmbeddedMeta && key === 'metadata' && (isObject(value) || value === null)) {
      into[key] = readEmbeddedMetadata(metadata, value, decoding);
      return;
    }
    const declared = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
    const type = isEmbeddedMeta ? undefined : (declared ?? additional);
    if (type) {
      // Null is dropped unless the schema is nullable.
      if (value === null && !type.keepsNull) return;
      decoding.enterElement(key);
      into[key] = type.read(value, decoding);
      decoding.leaveElement();
    } else if (keepsMembers && !isEmbeddedMeta) {
      decoding.enterElement(key);
      into[key] = readPruned(value, decoding);
      decoding.leaveElement();
    } else if (keepsUnknown || isEmbeddedMeta) {
      if (metadata) assertValidTypeMeta(key, value, decoding);
      decoding.enterElement(key);
      into[key] = readAny(value, decoding);
      decoding.leaveElement();
    } else decoding.reportUnknownField(key);
  }

  write(value: JsonValue): string {
    return writeSorted(value);
  }

  isEmpty(): boolean {
    return false;
  }

  zero(): JsonValue {
    return null;
  }

  /** Sets defaults in absent members. Throws if they exceed the budget. */
  setDefaults(value: JsonValue, budget = new DefaultBudget()): void {
    const { properties, additional, items } = this.custom;
    if (Array.isArray(value)) {
      if (items) setElementDefaults(value, items, budget);
    } else if (isObject(value)) {
      if (properties) setMemberDefaults(value, properties, budget);
      if (!additional) return;
      for (const key in value) {
        if (!properties || !Object.hasOwn(properties, key)) additional.setDefaults(value[key]!, budget);
      }
    }
  }

  /** A copy of the default; undefined if there is none. Its size counts against the budget. */
  copyDefault(budget: DefaultBudget): JsonValue | undefined {
    const { default: defaultValue } = this.custom;
    if (defaultValue === undefined) return undefined;
    this.#defaultSize ??= writeSorted(defaultValue).length;
    budget.charge(this.#defaultSize);
    return copyWithGoNumbers(defaultValue);
  }

  describe(): string {
    return JSON.stringify(this.custom, (key, value) => (key === 'metadata' ? true : value));
  }
}

export function customField(type: CustomType): Field {
  return {
    ...field<JsonValue>(0, optional(type)),
    ...(type.custom.default !== undefined && { default: type.custom.default, isDefaultPublished: true }),
  };
}

/** Metadata of an embedded resource; null stands for metadata without fields. */
function readEmbeddedMetadata(metadata: Type<unknown>, value: JsonValue, decoding: Decoding): unknown {
  const path = decoding.pathTo('metadata');
  const wrap = (message: string) =>
    `${path}: Invalid value: ${formatValue(formatInvalidValue(value))}: ${message}`;
  decoding.enterElement('metadata');
  const decoded = decoding.decodeSeparately(wrap, () =>
    metadata.read(value ?? nullPrototypeObject(), decoding),
  );
  decoding.leaveElement();
  return decoded;
}

/** In an embedded resource, apiVersion and kind are strings and metadata is an object. */
function assertValidTypeMeta(key: string, value: JsonValue, decoding: Decoding): void {
  if (!isTypeOrObjectMeta(key) || (key === 'metadata' ? value === null : typeof value === 'string')) return;
  const valueText = value === null ? '"null"' : formatValue(formatInvalidValue(value));
  const problem =
    key === 'metadata'
      ? `json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type v1.ObjectMeta`
      : 'must be a string';
  throw new DecodeError(`${decoding.pathTo(key)}: Invalid value: ${valueText}: ${problem}`);
}

/** A field of TypeMeta, or metadata. */
const isTypeOrObjectMeta = (key: string) => key === 'apiVersion' || key === 'kind' || key === 'metadata';

/** The size limit of a request body. Defaults of a CRD can expand a few bytes to much more. */
const maxDefaultBytes = 3 * 1024 * 1024;

/** Quotes, colon and comma of a JSON key. */
const keyOverhead = 4;

/** Limits the size of the defaults added to one object. Characters are counted, an approximation of bytes. */
class DefaultBudget {
  #usedCharacters = 0;

  /** Throws once the limit is exceeded. */
  charge(characters: number): void {
    this.#usedCharacters += characters;
    if (this.#usedCharacters > maxDefaultBytes) throw tooManyDefaults(maxDefaultBytes);
  }
}

function setMemberDefaults(
  value: JsonObject,
  properties: Readonly<Record<string, CustomType>>,
  budget: DefaultBudget,
): void {
  for (const name in properties) {
    const type = properties[name]!;
    if (!Object.hasOwn(value, name)) {
      const defaultValue = type.copyDefault(budget);
      if (defaultValue === undefined) continue;
      budget.charge(name.length + keyOverhead);
      value[name] = defaultValue;
    }
    type.setDefaults(value[name]!, budget);
  }
}

/** An element that is null, where the schema is not nullable, gets the default. */
function setElementDefaults(items: JsonValue[], type: CustomType, budget: DefaultBudget): void {
  items.forEach((item, index) => {
    if (item === null && !type.keepsNull) items[index] = type.copyDefault(budget) ?? null;
    type.setDefaults(items[index]!, budget);
  });
}

/** Keeps a value without schema as it is, and reports duplicate fields. */
function readAny(value: JsonValue, decoding: Decoding): JsonValue {
  decoding.assertNotTooDeep('interface {}');
  if (Array.isArray(value)) {
    return value.map((item, index) => {
      decoding.enterElement(index);
      const element = readAny(item, decoding);
      decoding.leaveElement();
      return element;
    });
  }
  if (!isObject(value)) return copyWithGoNumbers(value);
  const result = nullPrototypeObject();
  const repeated = decoding.repeatedKeys(value);
  for (const key in value) {
    decoding.enterElement(key);
    result[key] = readAny(value[key]!, decoding);
    decoding.leaveElement();
    if (repeated?.has(key)) decoding.reportDuplicateField(key);
  }
  return result;
}

/** Prunes objects to `{}` and keeps everything else. */
function readPruned(value: JsonValue, decoding: Decoding): JsonValue {
  decoding.assertNotTooDeep('interface {}');
  if (Array.isArray(value)) {
    return value.map((item, index) => {
      decoding.enterElement(index);
      const element = readPruned(item, decoding);
      decoding.leaveElement();
      return element;
    });
  }
  if (!isObject(value)) return copyWithGoNumbers(value);
  for (const key in value) decoding.reportUnknownField(key);
  return nullPrototypeObject();
}

/** A deep copy with numbers as Go holds them: int64 (a RawNumber, which keeps all digits) or float64. */
function copyWithGoNumbers(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof RawNumber) return toGoNumber(value);
  if (Array.isArray(value)) return value.map(copyWithGoNumbers);
  if (!isObject(value)) return value;
  const copy = nullPrototypeObject();
  for (const key in value) copy[key] = copyWithGoNumbers(value[key]!);
  return copy;
}

const int64Bound = 2n ** 63n;

function toGoNumber(number: RawNumber): JsonValue {
  if (/^-?\d+$/.test(number.text)) {
    const integer = BigInt(number.text);
    if (integer === 0n) return 0;
    if (integer < int64Bound && integer >= -int64Bound) return number;
  }
  const double = Number(number.text);
  if (Number.isFinite(double)) return double;
  throw new DecodeError(`json: cannot unmarshal number ${number.text} into Go value of type float64`);
}

/** JSON with sorted keys: equal values have equal texts. */
function writeSorted(value: JsonValue | undefined): string {
  if (value === undefined) return 'null';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(writeSorted).join(',')}]`;
  if (!isObject(value)) return value.toString();
  let text = '{';
  for (const key of Object.keys(value).sort()) {
    if (value[key] === undefined) continue;
    text += `${text.length === 1 ? '' : ','}${JSON.stringify(key)}:${writeSorted(value[key])}`;
  }
  return `${text}}`;
}
