import { createHash } from 'node:crypto';
import { isObject, type JsonObject, type JsonValue } from '../codec/json/json-value.ts';
import type { Duplicates } from '../codec/json/parse.ts';
import { type FieldError, invalid } from '../errors/field-error.ts';
import { Decoding } from './decoding.ts';
import { revisionHole, shortName } from './scalars.ts';
import type { PlainType, Type } from './type.ts';

export type { Infer } from './type.ts';

export interface FieldOptions<T> {
  /** Clients must send it. It is written even when empty. */
  readonly required?: boolean;
  /** Written even when empty, though clients need not send it. */
  readonly alwaysWritten?: boolean;
  /** Left out when empty, though clients must send it. */
  readonly omitEmpty?: boolean;
  /** Filled in where nothing, or the empty value of a field that does not know presence, was sent. */
  readonly default?: T;
  /** OpenAPI mentions the default. Most defaults are filled in without a word. */
  readonly announced?: boolean;
  /** Values have it in any case, as what it holds when empty, though JSON need not. */
  readonly filled?: boolean;
  readonly doc?: string;
  /** Smallest number allowed. */
  readonly min?: number;
  /** Where the dialect holds bodies to it: the field is there, also where it holds the empty value (see Decoding.absences). */
  readonly present?: boolean;
  /** Where the dialect holds bodies to it: what is wrong with an explicit 0, which else means the default. */
  readonly explicitZero?: string;
  /** How strategic merge patch treats a struct; a list says so itself. */
  readonly patch?: 'replace' | 'retainKeys';
  /** For server-side apply, where this struct or map is to be merged otherwise than its type says. */
  readonly mapType?: 'granular' | 'atomic';
}

/** A field of a struct. `Always`: values of the struct have it in any case. */
export interface Field<T = unknown, Always extends boolean = boolean> {
  /** Its number in Protobuf. */
  readonly number: number;
  readonly type: Type<T>;
  /** Nothing and the empty value differ. */
  readonly optional: boolean;
  readonly required: boolean;
  /** The field's JSON is left out when the value is empty. */
  readonly omitEmpty: boolean;
  readonly default?: T;
  readonly announced?: boolean;
  readonly doc: string;
  readonly min?: number;
  readonly present?: boolean;
  readonly explicitZero?: string;
  readonly patch?: 'replace' | 'retainKeys';
  readonly mapType?: 'granular' | 'atomic';
  /** The message that holds this field in Protobuf, where it lies in the parent only in JSON. */
  readonly inlined?: { readonly number: number; readonly struct: Struct<unknown> };
  /** Values always have it. */
  readonly filled: Always;
}

/** A type whose absence means something other than its empty value. */
export interface Optional<T> {
  readonly optional: Type<T>;
}

export function optional<T>(type: Type<T>): Optional<T> {
  return { optional: type };
}

export function field<T>(number: number, type: Optional<T>, options?: FieldOptions<T>): Field<T, false>;
export function field<T>(number: number, type: Struct<T>, options?: FieldOptions<T>): Field<T, true>;
export function field<T>(
  number: number,
  type: PlainType<T>,
  options: FieldOptions<T> &
    ({ readonly required: true } | { readonly alwaysWritten: true } | { readonly filled: true }),
): Field<T, true>;
export function field<T>(number: number, type: Type<T>, options?: FieldOptions<T>): Field<T, false>;
export function field<T>(
  number: number,
  given: Type<T> | Optional<T>,
  options: FieldOptions<T> = {},
): Field<T> {
  const isOptional = 'optional' in given;
  const type = isOptional ? given.optional : given;
  const written = (options.required || options.alwaysWritten) && !options.omitEmpty;
  return {
    number,
    type,
    optional: isOptional,
    required: options.required ?? false,
    omitEmpty: isOptional ? !written : !written && !type.alwaysWritten,
    ...(options.default !== undefined && { default: options.default }),
    ...(options.announced && { announced: true }),
    ...(options.min !== undefined && { min: options.min }),
    ...(options.present && { present: true }),
    ...(options.explicitZero !== undefined && { explicitZero: options.explicitZero }),
    ...(options.patch !== undefined && { patch: options.patch }),
    ...(options.mapType !== undefined && { mapType: options.mapType }),
    doc: options.doc ?? '',
    filled:
      !isOptional && (type.form === 'struct' || ((written || options.filled || false) && 'isPlain' in type)),
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
  /** For server-side apply: replaced as a whole instead of field by field. */
  readonly atomic?: boolean;
  /** A field that says which other one is set: its name, and the value that stands for each of the others. */
  readonly union?: { readonly discriminator: string; readonly members: Readonly<Record<string, string>> };
  /** Takes in the members that are no fields; without it they are left out. */
  readonly others?: OtherMembers;
  /** What is stored is filled in, too, when it is read: it may have been written before there was a default. */
  readonly isFilledWhenRead?: boolean;
  /** What the form of stored bytes is called, where it has a name already. */
  readonly mark?: string;
  /** Fills in what depends on other fields, after the fields' own defaults. */
  defaults?(object: T): void;
}

/** What becomes of the members of a struct that are none of its fields. */
export interface OtherMembers {
  readMember(into: Record<string, unknown>, key: string, value: JsonValue, decoding: Decoding): void;
  write(value: JsonValue): string;
}

/** A struct's field, with what reading and writing need at hand. All have the same shape, so that going over them is quick. */
interface CompiledField extends Pick<Field, 'type' | 'optional' | 'omitEmpty' | 'filled'> {
  readonly jsonName: string;
  readonly default: unknown;
  readonly min: number | undefined;
  /** The value that means the same as absence, and is read as absence; undefined where there is none. */
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
  /** Where in `json` the revision goes: between the quotes of `"resourceVersion":""`. */
  readonly revisionAt: number;
}

export class Struct<T, F extends Fields = Fields> implements Type<T> {
  readonly form = 'struct';
  readonly name: string;
  /** With its package: `core/v1.ConfigMap`. */
  readonly fullName: string;
  readonly doc: string;
  readonly atomic: boolean;
  readonly emptyJson: string;
  readonly alwaysWritten = true;
  /** It may lie in itself. */
  readonly recursive: boolean;
  readonly fields: F;
  readonly options: StructOptions<T>;
  applyDefaults?(object: T): void;
  validate?(object: T, path: string, errors: FieldError[]): void;
  readonly #bareName: string;
  readonly #ordered: readonly CompiledField[];
  readonly #byName: ReadonlyMap<string, CompiledField>;
  readonly #filled: readonly CompiledField[];
  /** Fields whose presence matters, or inside of which that of others does; undefined in most structs. */
  readonly #presence: readonly (readonly [string, Field])[] | undefined;
  #mark: string | undefined;

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
      filled: definition.filled,
      default: definition.default,
      min: definition.min,
      absentAs: absentAs(definition),
      first: `"${jsonName}":`,
      next: `,"${jsonName}":`,
    }));
    this.#byName = new Map(this.#ordered.map((compiled) => [compiled.jsonName, compiled]));
    this.#filled = this.#ordered.filter((compiled) => compiled.filled);
    const presence = Object.entries(this.fields).filter(
      ([, { present, explicitZero, filled, type }]) =>
        present || explicitZero !== undefined || (filled && type instanceof Struct && type.#presence),
    );
    this.#presence = presence.length > 0 ? presence : undefined;
    const defaulted = this.#ordered.filter((f) => f.default !== undefined || f.type.applyDefaults);
    if (defaulted.length > 0 || options.defaults) {
      this.applyDefaults = (object) => {
        fillIn(object as Record<string, unknown>, defaulted);
        options.defaults?.(object);
      };
    }
    const checked = this.#ordered.filter((f) => f.min !== undefined || f.type.validate);
    if (checked.length > 0) {
      this.validate = (object, path, errors) => check(object as JsonObject, checked, path, errors);
    }
    this.emptyJson = this.write(this.zero());
  }

  /** Reads a whole object. Throws DecodeError where a value has the wrong type. */
  decode(value: JsonValue, duplicates?: Duplicates): Decoded<T> {
    const decoding = new Decoding(duplicates);
    const object = value === null ? this.zero() : this.read(value, decoding);
    decoding.throwFault();
    if (this.options.isFilledWhenRead) this.applyDefaults?.(object);
    return { object, findings: decoding.findings };
  }

  /** The object's canonical bytes, with room for its revision. It must have `metadata`. */
  encode(object: T): Encoded {
    const { metadata } = object as { metadata: { resourceVersion?: string } };
    return withHole(metadata, () => this.write(object));
  }

  /** The same of metadata alone, of which this is the type. */
  encodeMetadata(metadata: T): Encoded {
    return withHole(metadata as { resourceVersion?: string }, () => this.write(metadata));
  }

  /** A short name for the form of the stored bytes: it changes when the schema does. */
  get mark(): string {
    this.#mark ??=
      this.options.mark ??
      createHash('sha256').update(this.describe(new Set())).digest('base64url').slice(0, 8);
    return this.#mark;
  }

  read(value: JsonValue, decoding: Decoding): T {
    if (!isObject(value)) {
      decoding.mismatch(value, this);
      return this.zero();
    }
    if (this.recursive) decoding.refuseTooDeep(this.name);
    const result: Record<string, unknown> = {};
    const around = decoding.struct;
    const repeated = decoding.repeatedKeys(value);
    for (const key in value) {
      const known = this.#byName.get(key);
      if (known === undefined) {
        const { others } = this.options;
        if (others) others.readMember(result, key, value[key]!, decoding);
        else decoding.unknownField(key);
        continue;
      }
      const member = value[key]!;
      // A text where a text belongs is most of what there is to read.
      if (typeof member === 'string' && known.type.form === 'string') {
        if (member !== known.absentAs) result[key] = member;
      } else if (member !== null || known.type.keepsNull) {
        decoding.enterField(key);
        decoding.struct = this.#bareName;
        const read = known.type.read(member, decoding);
        if (read !== known.absentAs) result[key] = read;
        decoding.leaveField();
      }
      if (repeated?.has(key)) decoding.duplicateField(key);
    }
    decoding.struct = around;
    if (this.#presence) this.#notePresence(value, decoding);
    this.#fill(result);
    return result as T;
  }

  /** Notes what a body lacks; a struct that is not there at all lacks what must be present in it. */
  #notePresence(value: JsonObject, decoding: Decoding): void {
    for (const [name, { present, explicitZero, filled, type }] of this.#presence ?? []) {
      const member = value[name];
      if (explicitZero !== undefined && member === 0) decoding.zero(name, explicitZero);
      if (member !== undefined && member !== null) continue;
      if (present) decoding.absent(name);
      else if (filled && type instanceof Struct) {
        decoding.enterField(name);
        type.#notePresence({}, decoding);
        decoding.leaveField();
      }
    }
  }

  #fill(object: Record<string, unknown>): void {
    for (const { jsonName, type } of this.#filled) {
      if (object[jsonName] === undefined) object[jsonName] = type.zero();
    }
  }

  write(object: T): string {
    const values = object as Readonly<Record<string, unknown>>;
    let text = '{';
    for (const compiled of this.#ordered) {
      const value = values[compiled.jsonName];
      const nothing = saysNothing(compiled, value);
      if (nothing && compiled.omitEmpty) continue;
      text += text.length === 1 ? compiled.first : compiled.next;
      if (!nothing) text += compiled.type.write(value);
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

  /** Whether two objects are written alike; `isSameMember` compares what they hold. */
  isSame(one: unknown, other: unknown, isSameMember: IsSame): boolean {
    const some = one as Readonly<Record<string, unknown>>;
    const others = other as Readonly<Record<string, unknown>>;
    const differ = (name: string) => {
      const compiled = this.#byName.get(name);
      return compiled !== undefined && !isSameField(compiled, some[name], others[name], isSameMember);
    };
    for (const name in some) if (some[name] !== others[name] && differ(name)) return false;
    for (const name in others) if (some[name] === undefined && differ(name)) return false;
    const { others: rest } = this.options;
    return !rest || this.#writeOthers(some, rest, true) === this.#writeOthers(others, rest, true);
  }

  isEmpty(): boolean {
    return false;
  }

  zero(): T {
    const object: Record<string, unknown> = {};
    this.#fill(object);
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

type IsSame = (type: Type, one: unknown, other: unknown) => boolean;

function isSameField(compiled: CompiledField, mine: unknown, theirs: unknown, isSameMember: IsSame): boolean {
  const isNothing = saysNothing(compiled, mine);
  if (isNothing !== saysNothing(compiled, theirs)) {
    return isWrittenLikeNothing(compiled, isNothing ? theirs : mine);
  }
  return isNothing || isSameMember(compiled.type, mine, theirs);
}

/** Whether a field holds nothing, or what stands for nothing where the two do not differ. */
function saysNothing(field: CompiledField, value: unknown): boolean {
  if (value === null) return !field.type.keepsNull;
  return value === undefined || (!field.optional && field.type.isEmpty(value));
}

/** A field that is always written is so with a value of its type, which may be this one. */
function isWrittenLikeNothing(compiled: CompiledField, value: unknown): boolean {
  const { optional: isOptional, omitEmpty, type } = compiled;
  return !isOptional && !omitEmpty && type.write(value) === type.emptyJson;
}

/**
 * A field that is no pointer upstream cannot tell '', 0 or false from absence, and Go's clients send all of these in
 * Protobuf. They are read as absent, so that no default, rule or comparison sees two forms of one object.
 */
function absentAs({ type, optional: isOptional, filled }: Field): unknown {
  return 'isPlain' in type && !isOptional && !filled ? type.zero() : undefined;
}

const copyOf = <T>(value: T): T => (typeof value === 'object' ? structuredClone(value) : value);

function fillIn(values: Record<string, unknown>, fields: readonly CompiledField[]): void {
  for (const compiled of fields) {
    const { jsonName, type, default: initial } = compiled;
    const value = values[jsonName];
    if (!saysNothing(compiled, value)) type.applyDefaults?.(value);
    else if (initial !== undefined) values[jsonName] = copyOf(initial);
  }
}

function check(
  object: Readonly<Record<string, unknown>>,
  fields: readonly CompiledField[],
  path: string,
  errors: FieldError[],
): void {
  for (const { jsonName, type, min } of fields) {
    const value = object[jsonName];
    if (value === undefined || value === null) continue;
    const where = path === '' ? jsonName : `${path}.${jsonName}`;
    if (min !== undefined && (value as number) < min) {
      errors.push(invalid(where, value, `must be greater than or equal to ${min}`));
    }
    type.validate?.(value, where, errors);
  }
}

const holeText = '"resourceVersion":""';

function withHole(metadata: { resourceVersion?: string }, write: () => string): Encoded {
  const { resourceVersion } = metadata;
  metadata.resourceVersion = revisionHole;
  const text = write();
  if (resourceVersion === undefined) delete metadata.resourceVersion;
  else metadata.resourceVersion = resourceVersion;
  // What stands before the hole are strings, in which every quote is escaped: the first match is the hole.
  const at = text.indexOf(holeText) + holeText.length - 1;
  return { json: Buffer.from(text), revisionAt: Buffer.byteLength(text.slice(0, at)) };
}

/** Describes a struct: its name with package (`core/v1.EndpointPort`) and its fields in the order they are written. */
export function struct<F extends Fields>(
  fullName: string,
  fields: F,
  options: StructOptions<StructValue<F>> = {},
): Struct<StructValue<F>, F> {
  return new Struct<StructValue<F>, F>(fullName, fields, options);
}

/** The fields that values of type `T` have. */
export type FieldsOf<T> = { readonly [K in keyof T]-?: Field<Exclude<T[K], undefined>> };

/**
 * Describes a struct that may lie in itself: `fields` is given the struct that they are the fields of. Its static type
 * is written out, and nothing in it has a default, for that could go on for ever.
 */
export function recursive<T>(
  fullName: string,
  fields: (self: Struct<T>) => Fields & FieldsOf<T>,
  options: Omit<StructOptions<T>, 'defaults'> = {},
): Struct<T> {
  return new Struct<T>(fullName, fields, options);
}

/** The fields of another struct, lying in this one in JSON and in a message of their own in Protobuf. */
export function inline<F extends Fields>(number: number, inner: Struct<unknown, F>): F {
  const entries = Object.entries(inner.fields).map(([name, definition]) => [
    name,
    { ...definition, inlined: { number, struct: inner } },
  ]);
  return Object.fromEntries(entries) as F;
}
