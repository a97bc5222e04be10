import { isObject, type JsonObject, type JsonValue, RawNumber, userKeyed } from '../codec/json/json-value.ts';
import { tooManyDefaults } from '../errors/catalogue.ts';
import { showValue } from '../errors/field-error.ts';
import { shownValue } from '../errors/shown-value.ts';
import { DecodeError, type Decoding, jsonTypeOf } from './decoding.ts';
import { type Field, field, optional } from './struct.ts';
import type { Form, Type } from './type.ts';

/** What the schema of a custom kind says of the form of a value; what values it allows is checked apart. */
export interface CustomForm {
  /** The members of an object that have a schema of their own. */
  readonly properties?: Readonly<Record<string, CustomType>>;
  /** What all other members are. */
  readonly additional?: CustomType;
  /** `additionalProperties` is a boolean: all other members are kept, without the fields of the objects in them. */
  readonly keepsMembers?: boolean;
  readonly items?: CustomType;
  /** Members that no schema speaks of are kept. */
  readonly keepsUnknown?: boolean;
  /** It is an object of the API in itself: reads the metadata, which has no other schema. */
  readonly metadata?: Type;
  readonly nullable?: boolean;
  readonly default?: JsonValue;
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listKeys?: readonly string[];
  /** What a value that is neither object nor list is to be, for who applies it. */
  readonly scalar?: Form;
  /** An object that is owned only as a whole. */
  readonly isAtomic?: boolean;
}

/**
 * A type that was learnt while the server runs. Its values are plain JSON of whatever type was sent: reading only takes
 * out what the schema does not speak of.
 */
export class CustomType implements Type<JsonValue> {
  readonly form = 'raw';
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
    decoding.refuseTooDeep(this.name);
    if (Array.isArray(value)) {
      if (!items) return readAny(value, decoding);
      return value.map((item, index) => {
        decoding.enterElement(index);
        const read = items.read(item, decoding);
        decoding.leaveElement();
        return read;
      });
    }
    return isObject(value) ? this.#readObject(value, decoding) : plain(value);
  }

  #readObject(value: JsonObject, decoding: Decoding): JsonObject {
    const result = userKeyed();
    const repeated = decoding.repeatedKeys(value);
    for (const key in value) {
      this.readMember(result, key, value[key]!, decoding);
      if (repeated?.has(key)) decoding.duplicateField(key);
    }
    return result;
  }

  /** Reads what an object has under a key. */
  readMember(into: Record<string, unknown>, key: string, value: JsonValue, decoding: Decoding): void {
    const { properties, additional, keepsMembers, keepsUnknown, metadata } = this.custom;
    const type =
      metadata && isOfEveryObject(key)
        ? key === 'metadata' && (isObject(value) || value === null)
          ? metadata
          : undefined
        : ((properties && Object.hasOwn(properties, key) ? properties[key] : undefined) ?? additional);
    // Null stands for nothing where it is not a value.
    if (type && type !== metadata && value === null && !type.keepsNull) return;
    if (type && type === metadata) {
      into[key] = readEmbeddedMetadata(metadata, value, decoding);
    } else if (type) {
      decoding.enterElement(key);
      into[key] = type.read(value, decoding);
      decoding.leaveElement();
    } else if (keepsMembers && !(metadata && isOfEveryObject(key))) {
      decoding.enterElement(key);
      into[key] = readBare(value, decoding);
      decoding.leaveElement();
    } else if (keepsUnknown || (metadata && isOfEveryObject(key))) {
      if (metadata) refuseOtherType(key, value, decoding);
      decoding.enterElement(key);
      into[key] = readAny(value, decoding);
      decoding.leaveElement();
    } else decoding.unknownField(key);
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

  /** Puts defaults where nothing was said. Throws where that makes of a small value a very large one. */
  fillIn(value: JsonValue, room = new Room()): void {
    const { properties, additional, items } = this.custom;
    if (Array.isArray(value)) {
      if (items) fillElements(value, items, room);
    } else if (isObject(value)) {
      if (properties) fillMembers(value, properties, room);
      if (!additional) return;
      for (const key in value) {
        if (!properties || !Object.hasOwn(properties, key)) additional.fillIn(value[key]!, room);
      }
    }
  }

  /** A value of its own where none was given, undefined where there is none to be had. */
  defaultIn(room: Room): JsonValue | undefined {
    const { default: initial } = this.custom;
    if (initial === undefined) return undefined;
    this.#defaultSize ??= writeSorted(initial).length;
    room.take(this.#defaultSize);
    return plain(initial);
  }

  describe(): string {
    return JSON.stringify(this.custom, (key, value) => (key === 'metadata' ? true : value));
  }
}

export function customField(type: CustomType): Field {
  return {
    ...field<JsonValue>(0, optional(type)),
    ...(type.custom.default !== undefined && { default: type.custom.default, announced: true }),
  };
}

/** Metadata of an embedded resource; null stands for metadata without fields. */
function readEmbeddedMetadata(metadata: Type<unknown>, value: JsonValue, decoding: Decoding): unknown {
  const where = decoding.pathTo('metadata');
  const wrap = (message: string) => `${where}: Invalid value: ${showValue(shownValue(value))}: ${message}`;
  decoding.enterElement('metadata');
  const read = decoding.apart(wrap, () => metadata.read(value ?? userKeyed(), decoding));
  decoding.leaveElement();
  return read;
}

/** An embedded resource has texts as apiVersion and kind, and an object as metadata. */
function refuseOtherType(key: string, value: JsonValue, decoding: Decoding): void {
  if (!isOfEveryObject(key) || (key === 'metadata' ? value === null : typeof value === 'string')) return;
  const shown = value === null ? '"null"' : showValue(shownValue(value));
  const problem =
    key === 'metadata'
      ? `json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type v1.ObjectMeta`
      : 'must be a string';
  throw new DecodeError(`${decoding.pathTo(key)}: Invalid value: ${shown}: ${problem}`);
}

const isOfEveryObject = (key: string) => key === 'apiVersion' || key === 'kind' || key === 'metadata';

/** As much as a body may hold: a definition can ask for much more to be filled into a few bytes. */
const mostDefaults = 3 * 1024 * 1024;

/** Of a key in JSON, beside its name: quotes, colon, comma. */
const keyCharacters = 4;

/** What may still be filled into an object. */
class Room {
  #taken = 0;

  take(characters: number): void {
    this.#taken += characters;
    if (this.#taken > mostDefaults) throw tooManyDefaults(mostDefaults);
  }
}

function fillMembers(value: JsonObject, properties: Readonly<Record<string, CustomType>>, room: Room): void {
  for (const name in properties) {
    const type = properties[name]!;
    if (!Object.hasOwn(value, name)) {
      const initial = type.defaultIn(room);
      if (initial === undefined) continue;
      room.take(name.length + keyCharacters);
      value[name] = initial;
    }
    type.fillIn(value[name]!, room);
  }
}

function fillElements(items: JsonValue[], type: CustomType, room: Room): void {
  items.forEach((item, index) => {
    if (item === null && !type.keepsNull) items[index] = type.defaultIn(room) ?? null;
    type.fillIn(items[index]!, room);
  });
}

/** What no schema speaks of, kept as it is. Keys that it says twice are told. */
function readAny(value: JsonValue, decoding: Decoding): JsonValue {
  decoding.refuseTooDeep('interface {}');
  if (Array.isArray(value)) {
    return value.map((item, index) => {
      decoding.enterElement(index);
      const read = readAny(item, decoding);
      decoding.leaveElement();
      return read;
    });
  }
  if (!isObject(value)) return plain(value);
  const result = userKeyed();
  const repeated = decoding.repeatedKeys(value);
  for (const key in value) {
    decoding.enterElement(key);
    result[key] = readAny(value[key]!, decoding);
    decoding.leaveElement();
    if (repeated?.has(key)) decoding.duplicateField(key);
  }
  return result;
}

/** A value of which no field is specified: objects lose theirs, all else is kept. */
function readBare(value: JsonValue, decoding: Decoding): JsonValue {
  decoding.refuseTooDeep('interface {}');
  if (Array.isArray(value)) {
    return value.map((item, index) => {
      decoding.enterElement(index);
      const read = readBare(item, decoding);
      decoding.leaveElement();
      return read;
    });
  }
  if (!isObject(value)) return plain(value);
  for (const key in value) decoding.unknownField(key);
  return userKeyed();
}

/** A copy of its own, with numbers as the reference holds them: 64-bit integers, or floats, beyond which it refuses them. */
function plain(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof RawNumber) return asHeld(value);
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const copy = userKeyed();
  for (const key in value) copy[key] = plain(value[key]!);
  return copy;
}

const mostWhole = 2n ** 63n;

function asHeld(number: RawNumber): JsonValue {
  if (/^-?\d+$/.test(number.text)) {
    const whole = BigInt(number.text);
    if (whole === 0n) return 0;
    if (whole < mostWhole && whole >= -mostWhole) return number;
  }
  const held = Number(number.text);
  if (Number.isFinite(held)) return held;
  throw new DecodeError(`json: cannot unmarshal number ${number.text} into Go value of type float64`);
}

/** JSON with the keys of every object in order, so that the same value is always the same text. */
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
