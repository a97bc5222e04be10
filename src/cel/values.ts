// CEL values, equality and order.
import { JsonText, nullPrototypeObject, RawNumber } from '../codec/json/json-value.ts';
import { parseJson } from '../codec/json/parse.ts';
import { fail } from './errors.ts';
import {
  bool,
  bytes,
  CelObject,
  type CelType,
  double,
  duration,
  dynList,
  dynMap,
  dynOptional,
  int,
  nullType,
  string,
  timestamp,
  uint,
} from './types.ts';

/**
 * Values while an expression runs. JSON is used as it is: text, truth, null, lists and objects are themselves.
 *
 * - An int is a number where that is exact (up to 2^53), and only otherwise a bigint: there is one form for each int,
 *   so `===` is equality. `toInt` keeps it that way.
 * - A double is always a `Double`, a uint always a `Uint`: both are rare, and a bare number is then always an int.
 * - A number inside JSON is an int if it is whole, a double if not, unless a schema says otherwise (`adapt.ts`); `fromJson`
 *   says so wherever something is taken out of JSON.
 */
export type Value =
  | null
  | boolean
  | string
  | number
  | bigint
  | CelObject
  | readonly Value[]
  | { readonly [key: string]: Value };

export class Double extends CelObject {
  readonly value: number;

  constructor(value: number) {
    super();
    this.value = value;
  }

  override get type(): CelType {
    return double;
  }

  override equals(other: unknown): boolean {
    return compareNumbers(this, other as Value) === 0;
  }
}

export class Uint extends CelObject {
  readonly value: bigint;

  constructor(value: bigint) {
    super();
    this.value = value;
  }

  override get type(): CelType {
    return uint;
  }

  override equals(other: unknown): boolean {
    return compareNumbers(this, other as Value) === 0;
  }
}

export class Bytes extends CelObject {
  readonly data: Uint8Array;

  constructor(data: Uint8Array) {
    super();
    this.data = data;
  }

  override get type(): CelType {
    return bytes;
  }

  override equals(other: unknown): boolean {
    return other instanceof Bytes && Buffer.compare(this.data, other.data) === 0;
  }
}

/** A moment: seconds since 1970, and nanoseconds from 0 on. */
export class Timestamp extends CelObject {
  readonly seconds: number;
  readonly nanos: number;

  constructor(seconds: number, nanos: number) {
    super();
    this.seconds = seconds;
    this.nanos = nanos;
  }

  override get type(): CelType {
    return timestamp;
  }

  override equals(other: unknown): boolean {
    return other instanceof Timestamp && other.seconds === this.seconds && other.nanos === this.nanos;
  }
}

export class Duration extends CelObject {
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    super();
    this.nanos = nanos;
  }

  override get type(): CelType {
    return duration;
  }

  override equals(other: unknown): boolean {
    return other instanceof Duration && other.nanos === this.nanos;
  }
}

export class Optional extends CelObject {
  static readonly none = new Optional(undefined);
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    super();
    this.value = value;
  }

  override get type(): CelType {
    return dynOptional;
  }

  override equals(other: unknown): boolean {
    if (!(other instanceof Optional)) return false;
    if (this.value === undefined || other.value === undefined) return this.value === other.value;
    return equal(this.value, other.value);
  }
}

/** The key in a JavaScript Map: numbers of all types by their value. */
export type MapKey = string | boolean | number | bigint;

/** A map with keys that JSON does not know. */
export class CelMap extends CelObject {
  readonly entries: ReadonlyMap<MapKey, readonly [key: Value, value: Value]>;

  constructor(entries: ReadonlyMap<MapKey, readonly [key: Value, value: Value]>) {
    super();
    this.entries = entries;
  }

  override get type(): CelType {
    return dynMap;
  }

  get(key: Value): Value | undefined {
    const known = mapKey(key);
    return known === undefined ? undefined : this.entries.get(known)?.[1];
  }

  has(key: Value): boolean {
    const known = mapKey(key);
    return known !== undefined && this.entries.has(known);
  }

  override equals(other: unknown): boolean {
    return equalMaps(this, other as Value);
  }
}

/** An object whose fields have types, or other names than in JSON. */
export abstract class FieldsObject extends CelObject {
  /** A field's value; undefined if it is not there. */
  abstract get(field: string): Value | undefined;
  /** The fields that are there. */
  abstract fields(): readonly string[];

  override equals(other: unknown): boolean {
    if (!(other instanceof FieldsObject)) return false;
    const mine = this.fields();
    return (
      mine.length === other.fields().length &&
      mine.every((field) => {
        const value = other.get(field);
        return value !== undefined && equal(this.get(field)!, value);
      })
    );
  }
}

/** A list that a schema calls a set or a map: the order of its elements says nothing. */
export class KeyedList extends Array<Value> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** The key of an element as text; `undefined`: the element itself. */
  keyOf: (element: Value) => string = String;
}

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;

/** The one form of an int; overflow where it does not fit into 64 bits. */
export function toInt(value: bigint): number | bigint {
  if (value > maxInt || value < minInt) fail('integer overflow');
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

export function isInt(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

const whole = /^-?[0-9]+$/;

/** The CEL value of a JSON value. */
export function fromJson(value: unknown): Value {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : fromOddNumber(value);
  if (typeof value !== 'object' || value === null) return value as Value;
  if (value instanceof RawNumber) return fromRawNumber(value.text);
  if (value instanceof JsonText) return fromJson(parseJson(Buffer.from(value.text)).value);
  return value as Value;
}

function fromOddNumber(value: number): Value {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? toInt(BigInt(value)) : new Double(value);
}

function fromRawNumber(text: string): Value {
  if (whole.test(text)) {
    const value = BigInt(text);
    if (value <= maxInt && value >= minInt) return toInt(value);
  }
  return new Double(Number(text));
}

export function isList(value: unknown): value is readonly Value[] {
  return Array.isArray(value);
}

/** A map as JSON has it. */
export function isPlainMap(value: Value): value is { readonly [key: string]: Value } {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof CelObject)
  );
}

export function isMap(value: Value): boolean {
  return isPlainMap(value) || value instanceof CelMap;
}

export function mapKey(key: Value): MapKey | undefined {
  switch (typeof key) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'bigint':
      return key;
    default:
      if (key instanceof Uint) return Number.isSafeInteger(Number(key.value)) ? Number(key.value) : key.value;
      if (key instanceof Double && Number.isInteger(key.value)) {
        return Number.isSafeInteger(key.value) ? key.value : BigInt(key.value);
      }
      return undefined;
  }
}

/** The value of a key in a map or object; undefined if absent. */
export function lookUp(container: Value, key: Value): Value | undefined {
  if (container instanceof CelMap) return container.get(key);
  if (container instanceof FieldsObject) return typeof key === 'string' ? container.get(key) : undefined;
  if (typeof key !== 'string') return undefined;
  const map = container as Record<string, unknown>;
  return Object.hasOwn(map, key) ? fromJson(map[key]) : undefined;
}

/** The keys of a map, in the order in which they stand there. */
export function keysOf(map: Value): Value[] {
  if (map instanceof CelMap) return Array.from(map.entries.values(), ([key]) => key);
  return Object.keys(map as object);
}

export function sizeOfMap(map: Value): number {
  return map instanceof CelMap ? map.entries.size : Object.keys(map as object).length;
}

/** A map from its entries. */
export function mapOfEntries(entries: Iterable<readonly [Value, Value]>): Value {
  const map = new Map<MapKey, readonly [Value, Value]>();
  for (const [key, value] of entries) {
    const known = mapKey(key);
    if (known === undefined) fail(`unsupported key type: ${typeOfValue(key).name}`);
    if (map.has(known)) fail(`Failed with repeated key`);
    map.set(known, [key, value]);
  }
  return new CelMap(map);
}

/** A map as JSON has it, from entries whose keys are text. */
export function plainMap(entries: Iterable<readonly [string, Value]>): Value {
  const map = nullPrototypeObject<Value>();
  for (const [key, value] of entries) map[key] = value;
  return map;
}

/** The number of characters, as code points. */
export function sizeOfString(text: string): number {
  let size = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      size--;
      i++;
    }
  }
  return size;
}

export function typeOfValue(value: Value): CelType {
  switch (typeof value) {
    case 'string':
      return string;
    case 'boolean':
      return bool;
    case 'number':
    case 'bigint':
      return int;
    default:
      if (value === null) return nullType;
      if (Array.isArray(value)) return dynList;
      return value instanceof CelObject ? value.type : dynMap;
  }
}

function isNumeric(value: Value): boolean {
  return isInt(value) || value instanceof Double || value instanceof Uint;
}

const numberOf = (value: Value): number | bigint =>
  value instanceof Double || value instanceof Uint ? value.value : (value as number | bigint);

/**
 * Numbers of all kinds on one line; undefined where there is no order (NaN, or not a number at all). Beside a double,
 * whole numbers are rounded to one.
 */
export function compareNumbers(one: Value, other: Value): number | undefined {
  if (!isNumeric(one) || !isNumeric(other)) return undefined;
  const isRounded = one instanceof Double || other instanceof Double;
  const a = isRounded ? Number(numberOf(one)) : numberOf(one);
  const b = isRounded ? Number(numberOf(other)) : numberOf(other);
  if (a < b) return -1;
  if (a > b) return 1;
  return Number.isNaN(a) || Number.isNaN(b) ? undefined : 0;
}

/** `==`. Values of different types are different, but for numbers, which are compared by what they are worth. */
export function equal(one: Value, other: Value): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' && typeof other !== 'object') return false;
  if (one === null || other === null) return false;
  if (one instanceof CelObject) return equalObjects(one, other);
  if (other instanceof CelObject) return equalObjects(other, one);
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  if (Array.isArray(one)) return Array.isArray(other) && equalLists(one, other);
  return !Array.isArray(other) && equalMaps(one, other);
}

function equalObjects(one: CelObject, other: Value): boolean {
  return one.equals(other);
}

function equalLists(one: readonly Value[], other: readonly Value[]): boolean {
  if (one.length !== other.length) return false;
  const keyed = one instanceof KeyedList ? one : other instanceof KeyedList ? other : undefined;
  if (keyed) return equalUnordered(keyed, keyed === one ? other : one);
  for (let i = 0; i < one.length; i++) {
    if (!equal(fromJson(one[i]), fromJson(other[i]))) return false;
  }
  return true;
}

function equalUnordered(keyed: KeyedList, other: readonly Value[]): boolean {
  const byKey = new Map(other.map((element) => [keyed.keyOf(element), element]));
  return keyed.every((element) => {
    const found = byKey.get(keyed.keyOf(element));
    return found !== undefined && equal(fromJson(element), fromJson(found));
  });
}

function equalMaps(one: Value, other: Value): boolean {
  if (other === null || !isMap(other)) return false;
  const keys = keysOf(one);
  if (keys.length !== sizeOfMap(other)) return false;
  return keys.every((key) => {
    const value = lookUp(other, key);
    return value !== undefined && equal(lookUp(one, key)!, value);
  });
}

/** Below zero, zero or above; undefined where there is no order between the two. */
export function compare(one: Value, other: Value): number | undefined {
  if (typeof one === 'string') {
    if (typeof other !== 'string') return undefined;
    return one === other ? 0 : compareText(one, other);
  }
  if (typeof one === 'boolean') return typeof other === 'boolean' ? Number(one) - Number(other) : undefined;
  if (one instanceof Timestamp) {
    return other instanceof Timestamp ? one.seconds - other.seconds || one.nanos - other.nanos : undefined;
  }
  if (one instanceof Duration) {
    if (!(other instanceof Duration)) return undefined;
    return one.nanos < other.nanos ? -1 : one.nanos > other.nanos ? 1 : 0;
  }
  if (one instanceof Bytes) return other instanceof Bytes ? Buffer.compare(one.data, other.data) : undefined;
  return compareNumbers(one, other);
}

/** In the order of code points, which UTF-16 mixes up beyond the first 65,536. */
function compareText(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let i = 0; i < length; i++) {
    const a = one.charCodeAt(i);
    const b = other.charCodeAt(i);
    if (a === b) continue;
    const aSurrogate = a >= 0xd800 && a <= 0xdfff;
    const bSurrogate = b >= 0xd800 && b <= 0xdfff;
    if (aSurrogate !== bSurrogate) return aSurrogate ? 1 : -1;
    return a - b;
  }
  return one.length - other.length;
}
