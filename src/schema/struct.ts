// Struct schema types: decoding with strict validation, defaults, canonical encoding and equality.
import { createHash } from 'node:crypto';
import { isObject, type JsonObject, type JsonValue } from '../codec/json/json-value.ts';
import type { Duplicates } from '../codec/json/parse.ts';
import { type FieldError, invalid } from '../errors/field-error.ts';
import { Decoding } from './decoding.ts';
import { revisionPlaceholder, shortName } from './scalars.ts';
import type { PlainType, Type } from './type.ts';

export type { Infer } from './type.ts';

export interface FieldOptions<T> {
  /** Required in the published schema; the validation of the kind rejects an empty value. */
  readonly required?: boolean;
  /** Whether JSON omits the field if it is empty, as Go's `omitempty`. By default: unless it is required. */
  readonly omitEmpty?: boolean;
  /** Set if the field is absent, or empty and without presence. */
  readonly default?: T;
  /** OpenAPI publishes the default (upstream's `+default` marker). */
  readonly isDefaultPublished?: boolean;
  /** Values in memory always have the field, as its zero value if absent from JSON. */
  readonly alwaysSet?: boolean;
  readonly doc?: string;
  /** Minimum value. */
  readonly min?: number;
  /** If the dialect requires it: bodies must contain the field, even if empty (see Decoding.absences). */
  readonly mustBePresent?: boolean;
  /** If the dialect requires it: the error for an explicit 0, which otherwise means the default. */
  readonly explicitZero?: string;
  /** The patchStrategy of a struct; a list type has its own. */
  readonly patch?: 'replace' | 'retainKeys';
  /** Overrides the mapType of the field's type in server-side apply. */
  readonly mapType?: 'granular' | 'atomic';
}

/** A field of a struct. `Always`: values in memory always have it. */
export interface Field<T = unknown, Always extends boolean = boolean> {
  /** Protobuf field number. */
  readonly number: number;
  readonly type: Type<T>;
  /** Has presence (a pointer upstream): absent and empty differ. */
  readonly optional: boolean;
  readonly required: boolean;
  /** Omitted from JSON if empty. */
  readonly omitEmpty: boolean;
  readonly default?: T;
  readonly isDefaultPublished?: boolean;
  readonly doc: string;
  readonly min?: number;
  readonly mustBePresent?: boolean;
  readonly explicitZero?: string;
  readonly patch?: 'replace' | 'retainKeys';
  readonly mapType?: 'granular' | 'atomic';
  /** For fields of an embedded struct (`json:",inline"`): the struct, a message of its own in Protobuf. */
  readonly inlined?: { readonly number: number; readonly struct: Struct<unknown> };
  /** Values in memory always have it. */
  readonly alwaysSet: Always;
}

/** A type with presence. */
export interface OptionalType<T> {
  readonly optional: Type<T>;
}

export function optional<T>(type: Type<T>): OptionalType<T> {
  return { optional: type };
}

export function field<T>(number: number, type: OptionalType<T>, options?: FieldOptions<T>): Field<T, false>;
export function field<T>(number: number, type: Struct<T>, options?: FieldOptions<T>): Field<T, true>;
export function field<T>(
  number: number,
  type: PlainType<T>,
  options: FieldOptions<T> &
    ({ readonly required: true } | { readonly omitEmpty: false } | { readonly alwaysSet: true }),
): Field<T, true>;
export function field<T>(number: number, type: Type<T>, options?: FieldOptions<T>): Field<T, false>;
export function field<T>(
  number: number,
  typeOrOptional: Type<T> | OptionalType<T>,
  options: FieldOptions<T> = {},
): Field<T> {
  const isOptional = 'optional' in typeOrOptional;
  const type = isOptional ? typeOrOptional.optional : typeOrOptional;
  const omitEmpty = options.omitEmpty ?? !options.required;
  const isAlwaysEncoded = !omitEmpty || options.alwaysSet === true;
  return {
    number,
    type,
    optional: isOptional,
    required: options.required ?? false,
    omitEmpty: omitEmpty && (isOptional || !type.ignoresOmitEmpty),
    ...(options.default !== undefined && { default: options.default }),
    ...(options.isDefaultPublished && { isDefaultPublished: true }),
    ...(options.min !== undefined && { min: options.min }),
    ...(options.mustBePresent && { mustBePresent: true }),
    ...(options.explicitZero !== undefined && { explicitZero: options.explicitZero }),
    ...(options.patch !== undefined && { patch: options.patch }),
    ...(options.mapType !== undefined && { mapType: options.mapType }),
    doc: options.doc ?? '',
    alwaysSet: !isOptional && (type.category === 'struct' || (isAlwaysEncoded && 'isPlain' in type)),
  };
}

export type Fields = Readonly<Record<string, Field>>;

type Simplify<T> = { [K in keyof T]: T[K] };

/** The static type of a struct with these fields. */
export type StructValue<F extends Fields> = Simplify<
  { -readonly [K in keyof F as F[K] extends Field<unknown, true> ? K : never]: ValueOf<F[K]> } & {
    -readonly [K in keyof F as F[K] extends Field<unknown, true> ? never : K]?: ValueOf<F[K]>;
  }
>;
type ValueOf<F> = F extends Field<infer T> ? T : never;

export interface StructOptions<T = unknown> {
  readonly doc?: string;
  /** Server-side apply: mapType atomic. */
  readonly atomic?: boolean;
  /** Union discriminator: the field, and its value for each member. */
  readonly union?: { readonly discriminator: string; readonly members: Readonly<Record<string, string>> };
  /** Keeps members that are not fields; absent: they are dropped. */
  readonly others?: OtherMembers;
  /** Decoding applies defaults, since a stored object may be older than the default. */
  readonly appliesDefaultsOnDecode?: boolean;
  /** Replaces the computed fingerprint of the schema, for schemas that are identified otherwise. */
  readonly fingerprint?: string;
  /** Defaults that depend on other fields; runs after the fields' own defaults. */
  defaults?(object: T): void;
}

/** Handles members of a struct that are not fields. */
export interface OtherMembers {
  readMember(into: Record<string, unknown>, key: string, value: JsonValue, decoding: Decoding): void;
  write(value: JsonValue): string;
}

/** A field prepared for decoding and encoding. All have the same hidden class, so that iteration stays monomorphic. */
interface CompiledField extends Pick<Field, 'type' | 'optional' | 'omitEmpty' | 'alwaysSet'> {
  readonly jsonName: string;
  readonly default: unknown;
  readonly min: number | undefined;
  /** The value that decodes as absent; undefined if there is none. */
  readonly absentAs: unknown;
  /** `"name":` and `,"name":`. */
  readonly first: string;
  readonly next: string;
}

export interface Decoded<T> {
  readonly object: T;
  /** `unknown field "…"` and `duplicate field "…"`, in the order found. */
  readonly findings: readonly string[];
}

export interface Encoded {
  readonly json: Buffer;
  /** Byte offset of the revision in `json`: between the quotes of `"resourceVersion":""`. */
  readonly revisionOffset: number;
}

export class Struct<T, F extends Fields = Fields> implements Type<T> {
  readonly category = 'struct';
  readonly name: string;
  /** With its package: `core/v1.ConfigMap`. */
  readonly fullName: string;
  readonly doc: string;
  readonly atomic: boolean;
  readonly emptyJson: string;
  readonly ignoresOmitEmpty = true;
  /** Contains itself. */
  readonly recursive: boolean;
  readonly fields: F;
  readonly options: StructOptions<T>;
  applyDefaults?(object: T): void;
  validate?(object: T, path: string, errors: FieldError[]): void;
  readonly #bareName: string;
  readonly #ordered: readonly CompiledField[];
  readonly #byName: ReadonlyMap<string, CompiledField>;
  readonly #alwaysSet: readonly CompiledField[];
  /** Fields with `mustBePresent` or `explicitZero`, directly or nested; undefined in most structs. */
  readonly #presenceFields: readonly (readonly [string, Field])[] | undefined;
  #fingerprint: string | undefined;

  constructor(fullName: string, fields: F | ((self: Struct<T>) => F), options: StructOptions<T>) {
    this.options = options;
    this.fullName = fullName;
    this.name = shortName(fullName);
    this.#bareName = this.name.slice(this.name.indexOf('.') + 1);
    this.doc = options.doc ?? '';
    this.atomic = options.atomic ?? false;
    this.recursive = typeof fields === 'function';
    this.fields = typeof fields === 'function' ? fields(this) : fields;
    this.#ordered = Object.entries(this.fields).map(([jsonName, definition]) => ({
      jsonName,
      type: definition.type,
      optional: definition.optional,
      omitEmpty: definition.omitEmpty,
      alwaysSet: definition.alwaysSet,
      default: definition.default,
      min: definition.min,
      absentAs: absentAs(definition),
      first: `"${jsonName}":`,
      next: `,"${jsonName}":`,
    }));
    this.#byName = new Map(this.#ordered.map((compiled) => [compiled.jsonName, compiled]));
    this.#alwaysSet = this.#ordered.filter((compiled) => compiled.alwaysSet);
    const presenceFields = Object.entries(this.fields).filter(
      ([, { mustBePresent, explicitZero, alwaysSet, type }]) =>
        mustBePresent ||
        explicitZero !== undefined ||
        (alwaysSet && type instanceof Struct && type.#presenceFields),
    );
    this.#presenceFields = presenceFields.length > 0 ? presenceFields : undefined;
    const defaulted = this.#ordered.filter((f) => f.default !== undefined || f.type.applyDefaults);
    if (defaulted.length > 0 || options.defaults) {
      this.applyDefaults = (object) => {
        setDefaults(object as Record<string, unknown>, defaulted);
        options.defaults?.(object);
      };
    }
    const constrained = this.#ordered.filter((f) => f.min !== undefined || f.type.validate);
    if (constrained.length > 0) {
      this.validate = (object, path, errors) =>
        validateFields(object as JsonObject, constrained, path, errors);
    }
    this.emptyJson = this.write(this.zero());
  }

  /** Decodes an object. Throws DecodeError on a type mismatch. */
  decode(value: JsonValue, duplicates?: Duplicates): Decoded<T> {
    const decoding = new Decoding(duplicates);
    const object = value === null ? this.zero() : this.read(value, decoding);
    decoding.throwFault();
    if (this.options.appliesDefaultsOnDecode) this.applyDefaults?.(object);
    return { object, findings: decoding.findings };
  }

  /** The canonical bytes of an object with `metadata`, with a gap for the revision. */
  encode(object: T): Encoded {
    const { metadata } = object as { metadata: { resourceVersion?: string } };
    return withRevisionGap(metadata, () => this.write(object));
  }

  /** Like `encode`, for ObjectMeta itself. */
  encodeMetadata(metadata: T): Encoded {
    return withRevisionGap(metadata as { resourceVersion?: string }, () => this.write(metadata));
  }

  /** A hash of the schema, stored with every object: bytes with another fingerprint must be decoded and re-encoded. */
  get fingerprint(): string {
    this.#fingerprint ??=
      this.options.fingerprint ??
      createHash('sha256').update(this.describe(new Set())).digest('base64url').slice(0, 8);
    return this.#fingerprint;
  }

  read(value: JsonValue, decoding: Decoding): T {
    if (!isObject(value)) {
      decoding.reportMismatch(value, this);
      return this.zero();
    }
    if (this.recursive) decoding.assertNotTooDeep(this.name);
    const result: Record<string, unknown> = {};
    const enclosingStruct = decoding.struct;
    const repeated = decoding.repeatedKeys(value);
    for (const key in value) {
      const compiled = this.#byName.get(key);
      if (compiled === undefined) {
        const { others } = this.options;
        if (others) others.readMember(result, key, value[key]!, decoding);
        else decoding.reportUnknownField(key);
        continue;
      }
      const member = value[key]!;
      // Fast path: most fields are strings.
      if (typeof member === 'string' && compiled.type.category === 'string') {
        if (member !== compiled.absentAs) result[key] = member;
      } else if (member !== null || compiled.type.keepsNull) {
        decoding.enterField(key);
        decoding.struct = this.#bareName;
        const fieldValue = compiled.type.read(member, decoding);
        if (fieldValue !== compiled.absentAs) result[key] = fieldValue;
        decoding.leaveField();
      }
      if (repeated?.has(key)) decoding.reportDuplicateField(key);
    }
    decoding.struct = enclosingStruct;
    if (this.#presenceFields) this.#reportPresence(value, decoding);
    this.#setAbsentFields(result);
    return result as T;
  }

  /** Reports absent `mustBePresent` fields, also those of absent nested structs, and explicit zeros. */
  #reportPresence(value: JsonObject, decoding: Decoding): void {
    for (const [name, { mustBePresent, explicitZero, alwaysSet, type }] of this.#presenceFields ?? []) {
      const member = value[name];
      if (explicitZero !== undefined && member === 0) decoding.reportExplicitZero(name, explicitZero);
      if (member !== undefined && member !== null) continue;
      if (mustBePresent) decoding.reportAbsent(name);
      else if (alwaysSet && type instanceof Struct) {
        decoding.enterField(name);
        type.#reportPresence({}, decoding);
        decoding.leaveField();
      }
    }
  }

  /** Sets absent fields that values in memory always have to their zero values. */
  #setAbsentFields(object: Record<string, unknown>): void {
    for (const { jsonName, type } of this.#alwaysSet) {
      if (object[jsonName] === undefined) object[jsonName] = type.zero();
    }
  }

  write(object: T): string {
    const values = object as Readonly<Record<string, unknown>>;
    let text = '{';
    for (const compiled of this.#ordered) {
      const value = values[compiled.jsonName];
      const isEmpty = isAbsent(compiled, value);
      if (isEmpty && compiled.omitEmpty) continue;
      text += text.length === 1 ? compiled.first : compiled.next;
      if (!isEmpty) text += compiled.type.write(value);
      else text += compiled.optional ? 'null' : compiled.type.emptyJson;
    }
    if (this.options.others) text += this.#writeOthers(values, this.options.others, text.length === 1);
    return `${text}}`;
  }

  #writeOthers(values: Readonly<Record<string, unknown>>, others: OtherMembers, isFirst: boolean): string {
    const text = this.#othersOf(values)
      .map((key) => `${JSON.stringify(key)}:${others.write(values[key] as JsonValue)}`)
      .join(',');
    return text === '' || isFirst ? text : `,${text}`;
  }

  #othersOf(values: Readonly<Record<string, unknown>>): string[] {
    return Object.keys(values)
      .filter((key) => values[key] !== undefined && !this.#byName.has(key))
      .sort();
  }

  /** Whether two objects have the same encoding; `areEqual` compares field values. */
  isSemanticallyEqual(one: unknown, other: unknown, areEqual: EqualityOfType): boolean {
    const a = one as Readonly<Record<string, unknown>>;
    const b = other as Readonly<Record<string, unknown>>;
    const differ = (name: string) => {
      const compiled = this.#byName.get(name);
      return compiled !== undefined && !areFieldsEqual(compiled, a[name], b[name], areEqual);
    };
    for (const name in a) if (a[name] !== b[name] && differ(name)) return false;
    for (const name in b) if (a[name] === undefined && differ(name)) return false;
    const { others } = this.options;
    return !others || this.#writeOthers(a, others, true) === this.#writeOthers(b, others, true);
  }

  isEmpty(): boolean {
    return false;
  }

  zero(): T {
    const object: Record<string, unknown> = {};
    this.#setAbsentFields(object);
    return object as T;
  }

  describe(seen: Set<string>): string {
    if (seen.has(this.fullName)) return this.fullName;
    seen.add(this.fullName);
    const parts = this.#ordered.map(
      (f) =>
        `${f.jsonName}${f.omitEmpty ? '?' : ''}${f.optional ? '*' : ''}:${f.type.describe(seen)}=${JSON.stringify(f.default)}`,
    );
    return `${this.fullName}{${parts.join(';')}}`;
  }
}

type EqualityOfType = (type: Type, a: unknown, b: unknown) => boolean;

function areFieldsEqual(compiled: CompiledField, a: unknown, b: unknown, areEqual: EqualityOfType): boolean {
  const isAAbsent = isAbsent(compiled, a);
  if (isAAbsent !== isAbsent(compiled, b)) {
    return encodesAsEmpty(compiled, isAAbsent ? b : a);
  }
  return isAAbsent || areEqual(compiled.type, a, b);
}

/** Whether a field is absent, or empty without presence. */
function isAbsent(field: CompiledField, value: unknown): boolean {
  if (value === null) return !field.type.keepsNull;
  return value === undefined || (!field.optional && field.type.isEmpty(value));
}

/** An absent field that is always encoded may have the same JSON as an explicit value. */
function encodesAsEmpty(compiled: CompiledField, value: unknown): boolean {
  const { optional: isOptional, omitEmpty, type } = compiled;
  return !isOptional && !omitEmpty && type.write(value) === type.emptyJson;
}

/**
 * Non-pointer fields do not distinguish '', 0 or false from absence, and Go clients send these values in Protobuf. They
 * decode as absent, so that defaulting, validation and comparison see one form of an object.
 */
function absentAs({ type, optional: isOptional, alwaysSet }: Field): unknown {
  return 'isPlain' in type && !isOptional && !alwaysSet ? type.zero() : undefined;
}

/** Objects must not share the default. */
const copyOf = <T>(value: T): T => (typeof value === 'object' ? structuredClone(value) : value);

function setDefaults(values: Record<string, unknown>, fields: readonly CompiledField[]): void {
  for (const compiled of fields) {
    const { jsonName, type, default: defaultValue } = compiled;
    const value = values[jsonName];
    if (!isAbsent(compiled, value)) type.applyDefaults?.(value);
    else if (defaultValue !== undefined) values[jsonName] = copyOf(defaultValue);
  }
}

function validateFields(
  object: Readonly<Record<string, unknown>>,
  fields: readonly CompiledField[],
  path: string,
  errors: FieldError[],
): void {
  for (const { jsonName, type, min } of fields) {
    const value = object[jsonName];
    if (value === undefined || value === null) continue;
    const fieldPath = path === '' ? jsonName : `${path}.${jsonName}`;
    if (min !== undefined && (value as number) < min) {
      errors.push(invalid(fieldPath, value, `must be greater than or equal to ${min}`));
    }
    type.validate?.(value, fieldPath, errors);
  }
}

const gapText = '"resourceVersion":""';

/** Encodes with an empty resourceVersion, which the store replaces when it assigns the revision. */
function withRevisionGap(metadata: { resourceVersion?: string }, write: () => string): Encoded {
  const { resourceVersion } = metadata;
  metadata.resourceVersion = revisionPlaceholder;
  const text = write();
  if (resourceVersion === undefined) delete metadata.resourceVersion;
  else metadata.resourceVersion = resourceVersion;
  // Quotes in preceding strings are escaped, so the first match is the gap.
  const gapIndex = text.indexOf(gapText) + gapText.length - 1;
  return { json: Buffer.from(text), revisionOffset: Buffer.byteLength(text.slice(0, gapIndex)) };
}

/** Declares a struct: its name with package (`core/v1.EndpointPort`) and its fields in encoding order. */
export function struct<F extends Fields>(
  fullName: string,
  fields: F,
  options: StructOptions<StructValue<F>> = {},
): Struct<StructValue<F>, F> {
  return new Struct<StructValue<F>, F>(fullName, fields, options);
}

/** The fields of a struct with values of type `T`. */
export type FieldsOf<T> = { readonly [K in keyof T]-?: Field<Exclude<T[K], undefined>> };

/** Declares a recursive struct: `fields` gets the struct itself. It has no defaults, which could recurse forever. */
export function recursive<T>(
  fullName: string,
  fields: (self: Struct<T>) => Fields & FieldsOf<T>,
  options: Omit<StructOptions<T>, 'defaults'> = {},
): Struct<T> {
  return new Struct<T>(fullName, fields, options);
}

/** The fields of an embedded struct: inline in JSON, a message of its own in Protobuf. */
export function inline<F extends Fields>(number: number, inner: Struct<unknown, F>): F {
  const entries = Object.entries(inner.fields).map(([name, definition]) => [
    name,
    { ...definition, inlined: { number, struct: inner } },
  ]);
  return Object.fromEntries(entries) as F;
}
