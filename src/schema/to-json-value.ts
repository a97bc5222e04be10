// Converts a value in memory to the value of its JSON, without encoding it: CEL expressions of admission policies see
// objects as their JSON.
import { ListType, MapType } from './collections.ts';
import { type Field, Struct } from './struct.ts';
import type { Type } from './type.ts';

/** Converts a value in memory to the value that JSON.parse gives for its encoding. */
type JsonConverter = (value: unknown) => unknown;

const converters = new WeakMap<Type, JsonConverter | undefined>();

/**
 * The value that decoding the object's JSON would give, without encoding: empty fields are omitted, always-encoded
 * fields are present. Read-only, since it shares parts with the value.
 */
export function toJsonValue<T>(type: Type<T>, value: T): T {
  return (converterOf(type as Type)?.(value) ?? value) as T;
}

/** Undefined if every value of the type equals its JSON. */
function converterOf(type: Type): JsonConverter | undefined {
  if (converters.has(type)) return converters.get(type);
  let converter: JsonConverter | undefined;
  // A recursive type finds this entry while its converter is being built.
  converters.set(type, (value) => (converter ? converter(value) : value));
  converter = makeConverter(type);
  converters.set(type, converter);
  return converter;
}

function makeConverter(type: Type): JsonConverter | undefined {
  if (type instanceof Struct) return structConverter(type);
  if (type instanceof ListType) return listConverter(converterOf(type.element));
  if (type instanceof MapType) return mapConverter(converterOf(type.element));
  return undefined;
}

interface FieldConversion extends Pick<Field, 'type' | 'optional'> {
  readonly name: string;
  /** The JSON value of the field if it is empty; undefined if the field is omitted then. */
  readonly empty: unknown;
  readonly convert: JsonConverter;
}

function structConverter({ fields }: Struct<unknown>): JsonConverter {
  const conversions: FieldConversion[] = Object.entries(fields).map(
    ([name, { type, optional, omitEmpty }]) => ({
      name,
      type,
      optional,
      empty: emptyValueOf(type, optional, omitEmpty),
      convert: converterOf(type) ?? identity,
    }),
  );
  return (value) => {
    const object = value as Readonly<Record<string, unknown>>;
    let copy: Record<string, unknown> | undefined;
    for (const { name, type, optional, empty, convert } of conversions) {
      const member = object[name];
      const isAbsent = member === undefined || member === null || (!optional && type.isEmpty(member));
      const converted = isAbsent ? empty : convert(member);
      if (converted === member) continue;
      copy ??= { ...object };
      if (converted === undefined) delete copy[name];
      else copy[name] = converted;
    }
    return copy ?? object;
  };
}

const identity = (value: unknown) => value;

/** The JSON value of an empty field; undefined if it is omitted. */
function emptyValueOf(type: Type, isOptional: boolean, omitEmpty: boolean): unknown {
  if (omitEmpty) return undefined;
  return isOptional ? null : JSON.parse(type.emptyJson);
}

function listConverter(convert: JsonConverter | undefined): JsonConverter | undefined {
  if (!convert) return undefined;
  return (value) => {
    const elements = value as readonly unknown[];
    const converted = elements.map(convert);
    return converted.some((element, i) => element !== elements[i]) ? converted : elements;
  };
}

function mapConverter(convert: JsonConverter | undefined): JsonConverter | undefined {
  if (!convert) return undefined;
  return (value) => {
    const map = value as Readonly<Record<string, unknown>>;
    let copy: Record<string, unknown> | undefined;
    for (const key of Object.keys(map)) {
      const converted = convert(map[key]);
      if (converted === map[key]) continue;
      copy ??= Object.assign(Object.create(null), map) as Record<string, unknown>;
      copy[key] = converted;
    }
    return copy ?? map;
  };
}
