// The interface of schema types, from which decoding, encoding, defaults, validation, OpenAPI and Protobuf derive.
import type { JsonValue } from '../codec/json/json-value.ts';
import type { FieldError } from '../errors/field-error.ts';
import type { Decoding } from './decoding.ts';

/** The category of a type; determines its encodings. `raw`: JSON that the schema does not describe. */
export type TypeCategory =
  | 'string'
  | 'bool'
  | 'int32'
  | 'int64'
  | 'double'
  | 'bytes'
  | 'time'
  | 'microTime'
  | 'duration'
  | 'quantity'
  | 'intOrString'
  | 'raw'
  | 'list'
  | 'map'
  | 'union'
  | 'struct';

/**
 * A type of the API: decoding, encoding, defaults and validation of its values. Values in memory look like their JSON:
 * times, quantities and bytes are strings in canonical form.
 */
export interface Type<T = unknown> {
  readonly category: TypeCategory;
  /** Go's name of the type, for error messages: `string`, `v1.ObjectMeta`, `map[string]string`. */
  readonly name: string;
  /** Enum values. Decoding accepts other values too; the kind's validation decides about them. */
  readonly values?: readonly string[];

  /** Decodes a value other than null. */
  read(value: JsonValue, decoding: Decoding): T;
  /** The canonical JSON text. */
  write(value: T): string;
  /** Whether `omitEmpty` omits the value. */
  isEmpty(value: T): boolean;
  /** Go's zero value: what null decodes to in a list or map, and the value of an absent required field. */
  zero(): T;
  /** The JSON of an empty field that is encoded nevertheless. */
  readonly emptyJson: string;
  /** Null is a value of the type; otherwise it means absence. */
  readonly keepsNull?: boolean;
  /** `omitEmpty` has no effect, as with Go structs. */
  readonly ignoresOmitEmpty?: boolean;

  /** Present if the type or a nested one has defaults. */
  applyDefaults?(value: T): void;
  /** Present if the type or a nested one declares constraints. */
  validate?(value: T, path: string, errors: FieldError[]): void;
  /**
   * All that the stored encoding depends on, as text, for the schema's fingerprint. `seen`: names of structs described
   * already.
   */
  describe(seen: Set<string>): string;
}

/** A type whose empty value is a valid value: '', 0, false. */
export interface PlainType<T = unknown> extends Type<T> {
  readonly isPlain: true;
}

/** The static type of the values of a schema type. */
export type Infer<S> = S extends Type<infer T> ? T : never;
