// Scalar schema types: strings, booleans, numbers, bytes, metav1.Time and metav1.MicroTime.

import { type JsonValue, RawNumber } from '../codec/json/json-value.ts';
import { DecodeError, type Decoding, jsonTypeOf } from './decoding.ts';
import { layouts, parseTime, type TimeLayout } from './time-text.ts';
import type { PlainType, Type, TypeCategory } from './type.ts';

abstract class Scalar<T> implements Type<T> {
  abstract readonly category: TypeCategory;
  readonly name: string;
  readonly emptyJson: string;

  constructor(name: string, emptyJson: string) {
    this.name = name;
    this.emptyJson = emptyJson;
  }

  abstract read(value: JsonValue, decoding: Decoding): T;
  abstract write(value: T): string;
  abstract isEmpty(value: T): boolean;
  abstract zero(): T;

  describe(): string {
    return this.category;
  }
}

/** Most strings need no escape, and testing for it is faster than JSON.stringify. */
const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/;

/** The string as JSON. */
export function quote(text: string): string {
  return needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`;
}

export class StringType<T extends string = string> extends Scalar<T> implements PlainType<T> {
  readonly category = 'string';
  readonly isPlain = true;
  readonly values?: readonly T[];
  /** OpenAPI publishes `values` as `enum`. This only documents them: decoding accepts every string. */
  readonly isPublishedEnum: boolean;
  /** The name of a named string type, with its package: `core/v1.Protocol`. */
  readonly fullName?: string;

  constructor(name: string, values?: readonly T[], { isPublishedEnum = false } = {}) {
    super(shortName(name), '""');
    if (values) this.values = values;
    this.isPublishedEnum = isPublishedEnum;
    if (name !== this.name) this.fullName = name;
  }

  read(value: JsonValue, decoding: Decoding): T {
    if (typeof value === 'string') return value as T;
    decoding.reportMismatch(value, this);
    return '' as T;
  }

  write(value: T): string {
    return quote(value);
  }

  isEmpty(value: T): boolean {
    return value === '';
  }

  zero(): T {
    return '' as T;
  }
}

/** Placeholder of the revision while an object is encoded, written as "". Clients cannot send it: it is no number. */
export const revisionPlaceholder = '\0';

class RevisionType extends StringType {
  override write(value: string): string {
    return value === revisionPlaceholder ? '""' : quote(value);
  }
}

class BoolType extends Scalar<boolean> implements PlainType<boolean> {
  readonly category = 'bool';
  readonly isPlain = true;

  read(value: JsonValue, decoding: Decoding): boolean {
    if (typeof value === 'boolean') return value;
    decoding.reportMismatch(value, this);
    return false;
  }

  write(value: boolean): string {
    return value ? 'true' : 'false';
  }

  isEmpty(value: boolean): boolean {
    return !value;
  }

  zero(): boolean {
    return false;
  }
}

/**
 * A JSON number as an integer of `bits` bits; undefined if it is no such integer. Integers beyond 2^53 stay RawNumbers
 * (the digits as text), which compare and calculate like numbers, hence the return type.
 */
export function readInteger(value: number | RawNumber, bits: 32 | 64): number | undefined {
  const limit = 2 ** (bits - 1);
  if (typeof value === 'number') {
    return Number.isInteger(value) && value < limit && value >= -limit ? value : undefined;
  }
  // More digits never fit, and BigInt is quadratic in their number.
  if (!/^-?[0-9]{1,19}$/.test(value.text)) return undefined;
  const exact = BigInt(value.text);
  if (BigInt.asIntN(bits, exact) !== exact) return undefined;
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : (value as unknown as number);
}

class IntegerType extends Scalar<number> implements PlainType<number> {
  readonly isPlain = true;
  readonly category: 'int32' | 'int64';
  readonly #bits: 32 | 64;

  constructor(bits: 32 | 64) {
    super(`int${bits}`, '0');
    this.category = `int${bits}`;
    this.#bits = bits;
  }

  read(value: JsonValue, decoding: Decoding): number {
    if (typeof value !== 'number' && !(value instanceof RawNumber)) {
      decoding.reportMismatch(value, this);
      return 0;
    }
    const float = decoding.acceptsWholeFloats ? Number(value) : Number.NaN;
    const integer = readInteger(value, this.#bits) ?? readInteger(float, this.#bits);
    if (integer !== undefined) return integer;
    decoding.reportMismatch(value, this, `number ${value}`);
    return 0;
  }

  write(value: number): string {
    return `${value}`;
  }

  isEmpty(value: number): boolean {
    return value === 0;
  }

  zero(): number {
    return 0;
  }
}

class DoubleType extends Scalar<number> implements PlainType<number> {
  readonly category = 'double';
  readonly isPlain = true;

  read(value: JsonValue, decoding: Decoding): number {
    if (typeof value === 'number') return value;
    if (value instanceof RawNumber) {
      const number = Number(value.text);
      if (Number.isFinite(number)) return number;
      decoding.reportMismatch(value, this, `number ${value.text}`);
    } else {
      decoding.reportMismatch(value, this);
    }
    return 0;
  }

  write(value: number): string {
    return Object.is(value, -0) ? '-0' : `${value}`;
  }

  isEmpty(value: number): boolean {
    return value === 0;
  }

  zero(): number {
    return 0;
  }
}

/** In memory, bytes are base64 text. */
class BytesType extends Scalar<string> {
  readonly category = 'bytes';

  read(value: JsonValue, decoding: Decoding): string {
    if (typeof value === 'string') return this.#canonical(value, decoding);
    if (Array.isArray(value)) return this.#fromNumbers(value, decoding);
    decoding.reportMismatch(value, this);
    return '';
  }

  #canonical(text: string, decoding: Decoding): string {
    // Go's base64 decoder ignores line breaks, but counts them in error offsets.
    const bare = /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, '') : text;
    const problemOffset = base64ProblemOffset(bare);
    if (problemOffset === undefined)
      return bare.endsWith('=') ? Buffer.from(bare, 'base64').toString('base64') : bare;
    decoding.reportFault(`illegal base64 data at input byte ${offsetWithLineBreaks(text, problemOffset)}`);
    return '';
  }

  /** Go also decodes an array of numbers as bytes. */
  #fromNumbers(values: readonly JsonValue[], decoding: Decoding): string {
    const bytes = Buffer.alloc(values.length);
    values.forEach((value, i) => {
      if (value === null) return;
      if (typeof value !== 'number' && !(value instanceof RawNumber)) decoding.reportMismatch(value, uint8);
      else if (Number.isInteger(value) && Number(value) >= 0 && Number(value) < 256) bytes[i] = Number(value);
      else decoding.reportMismatch(value, uint8, `number ${value}`);
    });
    return bytes.toString('base64');
  }

  write(value: string): string {
    return `"${value}"`;
  }

  isEmpty(value: string): boolean {
    return value === '';
  }

  zero(): string {
    return '';
  }
}

/** Stands for Go's byte type in messages. */
const uint8 = { name: 'uint8', category: 'int32' } as const satisfies Pick<Type, 'name' | 'category'>;

const wellFormedBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The offset at which Go's base64 decoder fails; undefined if the text is valid. */
function base64ProblemOffset(text: string): number | undefined {
  if (wellFormedBase64.test(text)) return undefined;
  const strayOffset = text.search(/[^A-Za-z0-9+/]/);
  // Truncated input is reported at the start of its last, incomplete quantum.
  if (strayOffset < 0) return text.length - (text.length % 4);
  if (text[strayOffset] !== '=') return strayOffset;
  // Padding is valid only as the third and fourth, or the fourth, character of a quantum.
  const indexInQuantum = strayOffset % 4;
  if (indexInQuantum < 2) return strayOffset;
  if (indexInQuantum === 3) return strayOffset + 1;
  if (text.length === strayOffset + 1) return text.length;
  return text[strayOffset + 1] === '=' ? strayOffset + 2 : strayOffset;
}

/** Converts an offset in the text without line breaks to an offset in the text. */
function offsetWithLineBreaks(text: string, bareOffset: number): number {
  let counted = 0;
  for (let offset = 0; offset < text.length; offset++) {
    if (text[offset] === '\r' || text[offset] === '\n') continue;
    if (counted++ === bareOffset) return offset;
  }
  return text.length;
}

export const string = new StringType('string');
/** `metadata.resourceVersion`, which the store inserts. */
export const revision: PlainType<string> = new RevisionType('string');
export const bool: PlainType<boolean> = new BoolType('bool', 'false');
export const int32: PlainType<number> = new IntegerType(32);
export const int64: PlainType<number> = new IntegerType(64);
export const double: PlainType<number> = new DoubleType('float64', '0');
export const bytes: Type<string> = new BytesType('[]uint8', 'null');

/** `'a' | OtherString` accepts any string, and editors still complete the literals. */
export type OtherString = string & {};

/** An open enum: other values decode too, and the kind's validation decides about them. */
export function openEnum<const V extends string>(...values: V[]): StringType<V | OtherString> {
  return new StringType<V | OtherString>('string', values);
}

/** An open enum whose values OpenAPI publishes as `enum`. Upstream publishes only some of its open enums. */
export function publishedEnum<const V extends string>(...values: V[]): StringType<V | OtherString> {
  return new StringType<V | OtherString>('string', values, { isPublishedEnum: true });
}

/** A named string type: `core/v1.Protocol`. */
export function named<T extends string>(name: string, type: StringType<T>): StringType<T> {
  return new StringType<T>(name, type.values, type);
}

/** `core/v1.Protocol` → `v1.Protocol`. */
export function shortName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** In memory, a time is its text in UTC: `2025-01-31T12:00:00Z`, or with microseconds. '' is the zero time. */
class TimeType implements Type<string> {
  readonly category: 'time' | 'microTime';
  readonly name: string;
  readonly emptyJson = 'null';
  readonly ignoresOmitEmpty = true;
  readonly #layout: TimeLayout;

  constructor(category: 'time' | 'microTime', name: string, layout: TimeLayout) {
    this.category = category;
    this.name = name;
    this.#layout = layout;
  }

  read(value: JsonValue, decoding: Decoding): string {
    if (typeof value !== 'string')
      throw new DecodeError(decoding.mismatchMessage(jsonTypeOf(value), 'string'));
    const parsed = parseTime(value, this.#layout);
    if ('problem' in parsed) throw new DecodeError(parsed.problem);
    return parsed.text;
  }

  write(value: string): string {
    return value === '' ? 'null' : quote(value);
  }

  isEmpty(value: string): boolean {
    return value === '';
  }

  zero(): string {
    return '';
  }

  describe(): string {
    return this.category;
  }
}

export const time: Type<string> = new TimeType('time', 'v1.Time', layouts.seconds);
export const microTime: Type<string> = new TimeType('microTime', 'v1.MicroTime', layouts.microseconds);
