import type { JsonValue } from '../codec/json/json-value.ts';
import type { FieldError } from '../errors/field-error.ts';
import type { Decoding } from './decoding.ts';

export type Form =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'double'
  | 'bytes'
  | 'time'
  | 'microTime'
  | 'quantity'
  | 'intOrString'
  | 'raw'
  | 'list'
  | 'map'
  | 'union'
  | 'struct';

/**
 * A type of the API: how values come from JSON and go back, and what else there is to know of it. Values in memory
 * look like the JSON a client reads: times, quantities and bytes are strings in their canonical form.
 */
export interface Type<T = unknown> {
  readonly form: Form;
  /** As messages call it: `string`, `v1.ObjectMeta`, `map[string]string`. */
  readonly name: string;
  /** The legal or, where `open`, the known values. */
  readonly values?: readonly string[];

  /** Reads a value that is not null. */
  read(value: JsonValue, decoding: Decoding): T;
  /** The canonical JSON text. */
  write(value: T): string;
  /** Left out of JSON where the field says so. */
  isEmpty(value: T): boolean;
  /** What null stands for in a list or map, and what a field that is always there holds when nothing was said. */
  zero(): T;
  /** The JSON of a field that is written although it holds nothing. */
  readonly emptyJson: string;
  /** Null is a value like others, and not the absence of one. */
  readonly keepsNull?: boolean;
  /** Written in any case, like upstream's structs. */
  readonly alwaysWritten?: boolean;

  /** Present where something inside has a default. */
  applyDefaults?(value: T): void;
  /** Present where something inside is checked by what its field declares. */
  validate?(value: T, path: string, errors: FieldError[]): void;
  /** All that the stored form depends on, as text. */
  describe(seen: Set<string>): string;
}

/** A type whose empty value is a value like others: '', 0, false. */
export interface PlainType<T = unknown> extends Type<T> {
  readonly isPlain: true;
}

/** The static type of the values of a schema type. */
export type Infer<S> = S extends Type<infer T> ? T : never;
