// Fast decoding of canonical JSON, which the same schema has encoded: JSON.parse plus fix-ups.
// A fix-up converts the parsed JSON of a type to its value in memory, in place where possible. It adds fields that are
// always present in memory, removes nulls, and gives maps a null prototype.
import { type JsonObject, JsonText, type JsonValue, nullPrototypeObject } from '../codec/json/json-value.ts';
import { endOfContainer } from '../codec/json/parse.ts';
import { fieldsV1, ListType, MapType } from './collections.ts';
import { holdsFreeJson } from './free-json.ts';
import { type Field, Struct } from './struct.ts';
import type { Type } from './type.ts';

/**
 * Decodes text that this schema has encoded, with the same result as `schema.decode`. Values look like their JSON, so
 * JSON.parse does most of the work. Returns undefined if JSON.parse would lose information: the caller must decode.
 */
export function decodeCanonical<T>(schema: Struct<T>, text: string): T | undefined {
  if (holdsFreeJson(schema) || text.includes('__proto__')) return undefined;
  try {
    const { rest, sets } = cutOutFieldSets(text);
    const value = JSON.parse(rest) as JsonObject;
    restoreFieldSets(value, sets);
    return (fixUpOf(schema)?.(value) ?? value) as T;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof LossyParse) return undefined;
    throw error;
  }
}

/** A number beyond double precision, or a `fieldsV1` outside the object's own metadata. */
class LossyParse extends Error {}

const setStart = '"fieldsV1":{';

/**
 * Replaces each `fieldsV1` object of the text by 0, and returns the objects as text. Field sets stay text, since they
 * are often larger than the rest of the object.
 */
export function cutOutFieldSets(text: string): { rest: string; sets: readonly string[] } {
  const sets: string[] = [];
  let rest = '';
  let from = 0;
  for (let index = text.indexOf(setStart); index >= 0; index = text.indexOf(setStart, from)) {
    const start = index + setStart.length - 1;
    const end = endOfContainer(text, start);
    rest += `${text.slice(from, start)}0`;
    sets.push(text.slice(start, end));
    from = end;
  }
  return { rest: rest + text.slice(from), sets };
}

/**
 * Restores the field sets in the object's own metadata. Throws LossyParse if one was cut out of another position (a
 * template, a map).
 */
function restoreFieldSets(object: JsonObject, sets: readonly string[]): void {
  if (sets.length === 0) return;
  const { managedFields = [] } = object.metadata as { managedFields?: JsonObject[] };
  const entries = managedFields.filter(({ fieldsV1 }) => fieldsV1 === 0);
  if (entries.length !== sets.length) throw new LossyParse();
  entries.forEach((entry, n) => {
    entry.fieldsV1 = new JsonText(sets[n]!);
  });
}

/** Converts parsed JSON to a value of the type. May modify its argument. */
type FixUp = (value: JsonValue) => unknown;

const fixUps = new WeakMap<Type, FixUp | undefined>();

/** Undefined if the parsed JSON already is the value. */
function fixUpOf(type: Type): FixUp | undefined {
  if (fixUps.has(type)) return fixUps.get(type);
  let fixUp: FixUp | undefined;
  // A recursive type finds this entry while its fix-up is being built.
  fixUps.set(type, (value) => (fixUp ? fixUp(value) : value));
  fixUp = makeFixUp(type);
  fixUps.set(type, fixUp);
  return fixUp;
}

function makeFixUp(type: Type): FixUp | undefined {
  if (type instanceof Struct) return structFixUp(type);
  if (type instanceof ListType) return listFixUp(type);
  if (type instanceof MapType) return mapFixUp(type);
  if (type === fieldsV1) return requireJsonText;
  return type.category === 'int64' ? requireSafeInteger : undefined;
}

function requireSafeInteger(value: JsonValue): JsonValue {
  if (!Number.isSafeInteger(value)) throw new LossyParse();
  return value;
}

function requireJsonText(value: JsonValue): JsonText {
  if (!(value instanceof JsonText)) throw new LossyParse();
  return value;
}

function structFixUp({ fields }: Struct<unknown>): FixUp | undefined {
  const fieldsToFix = Object.entries<Field>(fields).flatMap(
    ([name, { type, alwaysSet, optional, omitEmpty }]) => {
      const fixUp = fixUpOf(type);
      const mayBeNull = !omitEmpty && (optional || type.emptyJson === 'null');
      return fixUp || alwaysSet || mayBeNull ? [{ name, type, alwaysSet, fixUp }] : [];
    },
  );
  if (fieldsToFix.length === 0) return undefined;
  return (value) => {
    const object = value as Record<string, unknown>;
    let hasNull = false;
    for (const { name, type, alwaysSet, fixUp } of fieldsToFix) {
      const member = object[name] as JsonValue | undefined;
      if (member === undefined || member === null) {
        if (alwaysSet) object[name] = type.zero();
        else if (member === null) hasNull = true;
      } else if (fixUp) object[name] = fixUp(member);
    }
    return hasNull ? copyWithoutNulls(object) : object;
  };
}

/** Copies the object without null fields. (`delete` would turn it into a slow dictionary-mode object.) */
function copyWithoutNulls(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const name in object) if (object[name] !== null) copy[name] = object[name];
  return copy;
}

function listFixUp({ element }: ListType<unknown>): FixUp | undefined {
  const fixUp = fixUpOf(element);
  if (!fixUp && element.emptyJson !== 'null') return undefined;
  return (value) => {
    const list = value as JsonValue[];
    for (let n = 0; n < list.length; n++) list[n] = fixUpMember(element, fixUp, list[n]!) as JsonValue;
    return list;
  };
}

/** Map keys come from the client, so the object has no prototype. */
function mapFixUp({ element }: MapType<unknown>): FixUp {
  const fixUp = fixUpOf(element);
  return (value) => {
    const map = nullPrototypeObject<unknown>();
    const members = value as JsonObject;
    for (const key in members) map[key] = fixUpMember(element, fixUp, members[key]!);
    return map;
  };
}

function fixUpMember(type: Type, fixUp: FixUp | undefined, value: JsonValue): unknown {
  if (value === null) return type.zero();
  return fixUp ? fixUp(value) : value;
}
