import type { JsonValue } from '../codec/json/json-value.ts';
import { isObject } from '../codec/json/json-value.ts';
import { DecodeError, type Decoding } from './decoding.ts';
import { shortName } from './scalars.ts';
import { type Field, field, optional, Struct } from './struct.ts';
import type { Type } from './type.ts';

/** One of the forms that a union may take. At most one is a boolean, one a list and one a struct: JSON tells them apart. */
export interface Alternative<T = unknown> {
  /** Its field's number in the message that stands for the union in Protobuf. */
  readonly number: number;
  readonly type: Type<T>;
  /** What that field says where another alternative is taken. */
  readonly beside?: T;
}

export interface UnionOptions {
  /** What is said where the value is of none of the forms. Without it such a value counts as nothing. */
  readonly refusal?: string;
}

type ValueOf<A> = { [K in keyof A]: A[K] extends Alternative<infer T> ? T : never }[keyof A];

/**
 * A value that JSON writes in one of several forms. In Protobuf it is a message with a field for each of them: a codec
 * writes `message` with what `toMessage` makes of the value, and reads the value from it with `fromMessage`.
 */
export class UnionType<T = unknown> implements Type<T> {
  readonly form = 'union';
  readonly name: string;
  /** With its package: `apiextensions/v1.JSONSchemaPropsOrBool`. */
  readonly fullName: string;
  readonly emptyJson = 'null';
  readonly alternatives: Readonly<Record<string, Alternative>>;
  readonly message: Struct<unknown>;
  readonly #refusal: string | undefined;

  constructor(
    fullName: string,
    alternatives: Readonly<Record<string, Alternative>>,
    { refusal }: UnionOptions,
  ) {
    this.fullName = fullName;
    this.name = shortName(fullName);
    this.alternatives = alternatives;
    this.#refusal = refusal;
    this.message = new Struct(fullName, messageFields(alternatives), {});
  }

  read(value: JsonValue, decoding: Decoding): T {
    const found = this.#alternativeOf(value);
    if (found) return decoding.unseen(() => found[1].type.read(value, decoding)) as T;
    if (this.#refusal !== undefined) throw new DecodeError(this.#refusal);
    return undefined as T;
  }

  write(value: T): string {
    const found = this.#alternativeOf(value);
    return found ? found[1].type.write(value) : this.emptyJson;
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

  toMessage(value: T): Readonly<Record<string, unknown>> {
    const found = this.#alternativeOf(value);
    return Object.fromEntries(
      Object.entries(this.alternatives).map(([name, { beside }]) => [
        name,
        name === found?.[0] ? value : beside,
      ]),
    );
  }

  /** The JSON that a message of this type, read as JSON itself, stands for. */
  fromMessage(message: Readonly<Record<string, JsonValue>>): JsonValue {
    const present = Object.entries(this.alternatives).filter(([name]) => message[name] !== undefined);
    const [name] = present.find(([, { beside }]) => beside === undefined) ?? present[0] ?? [];
    return name === undefined ? null : message[name]!;
  }

  #alternativeOf(value: unknown): [name: string, alternative: Alternative] | undefined {
    const form = formOf(value);
    return Object.entries(this.alternatives).find(([, { type }]) => type.form === form);
  }
}

function formOf(value: unknown): 'bool' | 'list' | 'struct' | undefined {
  if (typeof value === 'boolean') return 'bool';
  // An empty list says as little as none.
  if (Array.isArray(value)) return value.length > 0 ? 'list' : undefined;
  return isObject(value) ? 'struct' : undefined;
}

function messageFields(alternatives: Readonly<Record<string, Alternative>>): Record<string, Field> {
  return Object.fromEntries(
    Object.entries(alternatives).map(([name, { number, type, beside }]) => [
      name,
      beside === undefined && type.form === 'struct' ? field(number, optional(type)) : field(number, type),
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
