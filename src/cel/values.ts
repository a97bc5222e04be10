// CEL values at runtime, with equality and ordering.
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
 * CEL values. JSON strings, booleans, null, arrays and objects are used directly.
 *
 * - An int is a number if that is exact (up to 2^53), otherwise a bigint. `toInt` ensures that every int has one
 *   representation, so that `===` is equality.
 * - A double is a `Double` and a uint is a `Uint`, so that a number is always an int.
 * - A number inside JSON is an int if it is an integer, otherwise a double, unless a schema converts it. `fromJson`
 *   converts every value that is taken out of JSON.
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

/** Seconds since the Unix epoch, and nanoseconds >= 0. */
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

export class CelOptional extends CelObject {
  static readonly none = new CelOptional(undefined);
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    super();
    this.value = value;
  }

  override get type(): CelType {
    return dynOptional;
  }

  override equals(other: unknown): boolean {
    if (!(other instanceof CelOptional)) return false;
    if (this.value === undefined || other.value === undefined) return this.value === other.value;
    return equal(this.value, other.value);
  }
}

/** The key in a JavaScript Map: equal numbers of all CEL types have the same key. */
export type MapKey = string | boolean | number | bigint;

/** A map whose keys may be other than strings. */
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
    const lookupKey = mapKey(key);
    return lookupKey === undefined ? undefined : this.entries.get(lookupKey)?.[1];
  }

  has(key: Value): boolean {
    const lookupKey = mapKey(key);
    return lookupKey !== undefined && this.entries.has(lookupKey);
  }

  override equals(other: unknown): boolean {
    return equalMaps(this, other as Value);
  }
}

/** An object whose fields are converted, or have other names than in JSON. */
export abstract class FieldsObject extends CelObject {
  /** The value of a field; undefined if absent. */
  abstract get(field: string): Value | undefined;
  /** The names of the present fields. */
  abstract fields(): readonly string[];

  override equals(other: unknown): boolean {
    if (!(other instanceof FieldsObject)) return false;
    const fields = this.fields();
    return (
      fields.length === other.fields().length &&
      fields.every((field) => {
        const value = other.get(field);
        return value !== undefined && equal(this.get(field)!, value);
      })
    );
  }
}

/** A list with list-type set or map, whose order does not matter. */
export class KeyedList extends Array<Value> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** The key of an element as a string. */
  keyOf: (element: Value) => string = String;
}

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;

/** The representation of an int. Fails if it does not fit 64 bits. */
export function toInt(value: bigint): number | bigint {
  if (value > maxInt || value < minInt) fail('integer overflow');
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

export function isInt(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

const integerPattern = /^-?[0-9]+$/;

/**
 * The CEL value of a JSON value. A RawNumber is a number literal that JavaScript cannot represent exactly, a JsonText
 * is unparsed JSON.
 */
export function fromJson(value: unknown): Value {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? value : fromFractionOrLargeNumber(value);
  if (typeof value !== 'object' || value === null) return value as Value;
  if (value instanceof RawNumber) return fromRawNumber(value.text);
  if (value instanceof JsonText) return fromJson(parseJson(Buffer.from(value.text)).value);
  return value as Value;
}

function fromFractionOrLargeNumber(value: number): Value {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? toInt(BigInt(value)) : new Double(value);
}

function fromRawNumber(text: string): Value {
  if (integerPattern.test(text)) {
    const value = BigInt(text);
    if (value <= maxInt && value >= minInt) return toInt(value);
  }
  return new Double(Number(text));
}

export function isList(value: unknown): value is readonly Value[] {
  return Array.isArray(value);
}

/** A JSON object. */
export function isJsonMap(value: Value): value is { readonly [key: string]: Value } {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof CelObject)
  );
}

export function isMap(value: Value): boolean {
  return isJsonMap(value) || value instanceof CelMap;
}

/** Undefined for a value that cannot be a map key. */
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

/** The keys of a map in insertion order. */
export function keysOf(map: Value): Value[] {
  if (map instanceof CelMap) return Array.from(map.entries.values(), ([key]) => key);
  return Object.keys(map as object);
}

export function sizeOfMap(map: Value): number {
  return map instanceof CelMap ? map.entries.size : Object.keys(map as object).length;
}

/** Fails for a repeated key and for a value that cannot be a key. */
export function createMap(entries: Iterable<readonly [Value, Value]>): Value {
  const map = new Map<MapKey, readonly [Value, Value]>();
  for (const [key, value] of entries) {
    const lookupKey = mapKey(key);
    if (lookupKey === undefined) fail(`unsupported key type: ${typeOfValue(key).name}`);
    if (map.has(lookupKey)) fail(`Failed with repeated key`);
    map.set(lookupKey, [key, value]);
  }
  return new CelMap(map);
}

/** Creates a map with string keys as a JSON object. */
export function jsonMap(entries: Iterable<readonly [string, Value]>): Value {
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

const numericValue = (value: Value): number | bigint =>
  value instanceof Double || value instanceof Uint ? value.value : (value as number | bigint);

/**
 * Compares numbers of any CEL type; undefined for NaN and for other values. If one is a double, the other is converted to a
 * double.
 */
export function compareNumbers(left: Value, right: Value): number | undefined {
  if (!isNumeric(left) || !isNumeric(right)) return undefined;
  const isRounded = left instanceof Double || right instanceof Double;
  const a = isRounded ? Number(numericValue(left)) : numericValue(left);
  const b = isRounded ? Number(numericValue(right)) : numericValue(right);
  if (a < b) return -1;
  if (a > b) return 1;
  return Number.isNaN(a) || Number.isNaN(b) ? undefined : 0;
}

/** `==`. Values of different types are unequal, except for numbers, which are compared by value. */
export function equal(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' && typeof right !== 'object') return false;
  if (left === null || right === null) return false;
  if (left instanceof CelObject) return left.equals(right);
  if (right instanceof CelObject) return right.equals(left);
  if (typeof left !== 'object' || typeof right !== 'object') return false;
  if (Array.isArray(left)) return Array.isArray(right) && equalLists(left, right);
  return !Array.isArray(right) && equalMaps(left, right);
}

function equalLists(left: readonly Value[], right: readonly Value[]): boolean {
  if (left.length !== right.length) return false;
  if (left instanceof KeyedList) return equalUnordered(left, right);
  if (right instanceof KeyedList) return equalUnordered(right, left);
  for (let i = 0; i < left.length; i++) {
    if (!equal(fromJson(left[i]), fromJson(right[i]))) return false;
  }
  return true;
}

function equalUnordered(keyed: KeyedList, other: readonly Value[]): boolean {
  const byKey = new Map(other.map((element) => [keyed.keyOf(element), element]));
  return keyed.every((element) => {
    const counterpart = byKey.get(keyed.keyOf(element));
    return counterpart !== undefined && equal(fromJson(element), fromJson(counterpart));
  });
}

function equalMaps(left: Value, right: Value): boolean {
  if (right === null || !isMap(right)) return false;
  const keys = keysOf(left);
  if (keys.length !== sizeOfMap(right)) return false;
  return keys.every((key) => {
    const value = lookUp(right, key);
    return value !== undefined && equal(lookUp(left, key)!, value);
  });
}

/** Negative, zero or positive; undefined if the values cannot be ordered. */
export function compare(left: Value, right: Value): number | undefined {
  if (typeof left === 'string') {
    if (typeof right !== 'string') return undefined;
    return left === right ? 0 : compareCodePoints(left, right);
  }
  if (typeof left === 'boolean') return typeof right === 'boolean' ? Number(left) - Number(right) : undefined;
  if (left instanceof Timestamp) {
    return right instanceof Timestamp ? left.seconds - right.seconds || left.nanos - right.nanos : undefined;
  }
  if (left instanceof Duration) {
    if (!(right instanceof Duration)) return undefined;
    if (left.nanos === right.nanos) return 0;
    return left.nanos < right.nanos ? -1 : 1;
  }
  if (left instanceof Bytes)
    return right instanceof Bytes ? Buffer.compare(left.data, right.data) : undefined;
  return compareNumbers(left, right);
}

/** By code points; the order of UTF-16 code units differs beyond the basic multilingual plane. */
function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a === b) continue;
    const aSurrogate = a >= 0xd800 && a <= 0xdfff;
    const bSurrogate = b >= 0xd800 && b <= 0xdfff;
    if (aSurrogate !== bSurrogate) return aSurrogate ? 1 : -1;
    return a - b;
  }
  return left.length - right.length;
}
