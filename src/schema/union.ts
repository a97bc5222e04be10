// Union schema types: a value is a boolean, a list or a struct (upstream's JSONSchemaPropsOrBool and the like).
import type { JsonValue } from '../codec/json/json-value.ts';
import { isObject } from '../codec/json/json-value.ts';
import { DecodeError, type Decoding } from './decoding.ts';
import { shortName } from './scalars.ts';
import { type Field, field, optional, Struct } from './struct.ts';
import type { Type } from './type.ts';

/** One form of a union. At most one is a boolean, one a list and one a struct, so the JSON type tells them apart. */
export interface Alternative<T = unknown> {
  /** Field number in the union's Protobuf message. */
  readonly number: number;
  readonly type: Type<T>;
  /** Protobuf: the value of this alternative's field when another alternative is set. */
  readonly beside?: T;
}

export interface UnionOptions {
  /** The error for a value of none of the forms. Absent: such a value is ignored. */
  readonly mismatchError?: string;
}

type ValueOf<A> = { [K in keyof A]: A[K] extends Alternative<infer T> ? T : never }[keyof A];

/**
 * A value with several JSON forms. In Protobuf it is a message with a field per form: a codec encodes
 * `toMessage(value)` as `message`, and decodes with `fromMessage`.
 */
export class UnionType<T = unknown> implements Type<T> {
  readonly category = 'union';
  readonly name: string;
  /** With its package: `apiextensions/v1.JSONSchemaPropsOrBool`. */
  readonly fullName: string;
  readonly emptyJson = 'null';
  readonly alternatives: Readonly<Record<string, Alternative>>;
  readonly message: Struct<unknown>;
  readonly #mismatchError: string | undefined;

  constructor(
    fullName: string,
    alternatives: Readonly<Record<string, Alternative>>,
    { mismatchError }: UnionOptions,
  ) {
    this.fullName = fullName;
    this.name = shortName(fullName);
    this.alternatives = alternatives;
    this.#mismatchError = mismatchError;
    this.message = new Struct(fullName, messageFields(alternatives), {});
  }

  read(value: JsonValue, decoding: Decoding): T {
    const match = this.#alternativeOf(value);
    if (match) return decoding.withCustomUnmarshal(() => match.alternative.type.read(value, decoding)) as T;
    if (this.#mismatchError !== undefined) throw new DecodeError(this.#mismatchError);
    return undefined as T;
  }

  write(value: T): string {
    const match = this.#alternativeOf(value);
    return match ? match.alternative.type.write(value) : this.emptyJson;
  }

  isEmpty(): boolean {
    return false;
  }

  zero(): T {
    return undefined as T;
  }

  describe(seen: Set<string>): string {
    return Object.values(this.alternatives)
      .map(({ type }) => type.describe(seen))
      .join('|');
  }

  /** The value as its Protobuf message. */
  toMessage(value: T): Readonly<Record<string, unknown>> {
    const match = this.#alternativeOf(value);
    return Object.fromEntries(
      Object.entries(this.alternatives).map(([name, { beside }]) => [
        name,
        name === match?.name ? value : beside,
      ]),
    );
  }

  /** The union's JSON, from the JSON of its message. */
  fromMessage(message: Readonly<Record<string, JsonValue>>): JsonValue {
    const present = Object.entries(this.alternatives).filter(([name]) => message[name] !== undefined);
    const [name] = present.find(([, { beside }]) => beside === undefined) ?? present[0] ?? [];
    return name === undefined ? null : message[name]!;
  }

  #alternativeOf(value: unknown): { name: string; alternative: Alternative } | undefined {
    const form = formOf(value);
    const entry = Object.entries(this.alternatives).find(([, { type }]) => type.category === form);
    return entry && { name: entry[0], alternative: entry[1] };
  }
}

function formOf(value: unknown): 'bool' | 'list' | 'struct' | undefined {
  if (typeof value === 'boolean') return 'bool';
  // An empty list counts as absent.
  if (Array.isArray(value)) return value.length > 0 ? 'list' : undefined;
  return isObject(value) ? 'struct' : undefined;
}

function messageFields(alternatives: Readonly<Record<string, Alternative>>): Record<string, Field> {
  return Object.fromEntries(
    Object.entries(alternatives).map(([name, { number, type, beside }]) => [
      name,
      beside === undefined && type.category === 'struct'
        ? field(number, optional(type))
        : field(number, type),
    ]),
  );
}

export function union<A extends Readonly<Record<string, Alternative>>>(
  fullName: string,
  alternatives: A,
  options: UnionOptions = {},
): UnionType<ValueOf<A>> {
  return new UnionType<ValueOf<A>>(fullName, alternatives, options);
}
