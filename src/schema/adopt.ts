// Fast decoding of objects that this schema has encoded: JSON.parse plus fix-ups.
import { type JsonObject, JsonText, type JsonValue, nullPrototypeObject } from '../codec/json/json-value.ts';
import { endOfContainer } from '../codec/json/parse.ts';
import { fieldsV1, ListType, MapType } from './collections.ts';
import { holdsFreeJson } from './free-json.ts';
import { type Field, Struct } from './struct.ts';
import type { Type } from './type.ts';

/**
 * Decodes text that this schema has encoded, with the same result as decoding by the schema. Values look like their
 * JSON, so JSON.parse does most of the work. Undefined if that would lose information.
 */
export function adopt<T>(schema: Struct<T>, text: string): T | undefined {
  if (holdsFreeJson(schema) || text.includes('__proto__')) return undefined;
  try {
    const parts = withoutFieldSets(text);
    const value = JSON.parse(parts.rest) as JsonObject;
    restoreFieldSets(value, parts.sets);
    return (adopterOf(schema)?.(value) ?? value) as T;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof LossyParse) return undefined;
    throw error;
  }
}

/** A number beyond double precision, or a `fieldsV1` outside the object's own metadata. */
class LossyParse extends Error {}

const setStart = '"fieldsV1":{';

/** Field sets stay text. They are cut out before parsing, since they are often larger than the rest. */
export function withoutFieldSets(text: string): { rest: string; sets: readonly string[] } {
  const sets: string[] = [];
  let rest = '';
  let from = 0;
  for (let at = text.indexOf(setStart); at >= 0; at = text.indexOf(setStart, from)) {
    const start = at + setStart.length - 1;
    const end = endOfContainer(text, start);
    rest += `${text.slice(from, start)}0`;
    sets.push(text.slice(start, end));
    from = end;
  }
  return { rest: rest + text.slice(from), sets };
}

/** Restores field sets in the object's own metadata; anywhere else (templates, maps) counts as lossy. */
function restoreFieldSets(object: JsonObject, sets: readonly string[]): void {
  if (sets.length === 0) return;
  const { managedFields = [] } = object.metadata as { managedFields?: JsonObject[] };
  const entries = managedFields.filter(({ fieldsV1 }) => fieldsV1 === 0);
  if (entries.length !== sets.length) throw new LossyParse();
  entries.forEach((entry, n) => {
    entry.fieldsV1 = new JsonText(sets[n]!);
  });
}

/** Converts parsed JSON to a value of the type. */
type Adopter = (value: JsonValue) => unknown;

const adopters = new WeakMap<Type, Adopter | undefined>();

/** Undefined if the JSON is the value. */
function adopterOf(type: Type): Adopter | undefined {
  if (adopters.has(type)) return adopters.get(type);
  let own: Adopter | undefined;
  // Recursive types find this entry while their own is being built.
  adopters.set(type, (value) => (own ? own(value) : value));
  own = makeAdopter(type);
  adopters.set(type, own);
  return own;
}

function makeAdopter(type: Type): Adopter | undefined {
  if (type instanceof Struct) return structAdopter(type);
  if (type instanceof ListType) return listAdopter(type);
  if (type instanceof MapType) return mapAdopter(type);
  if (type === fieldsV1) return textOnly;
  return type.form === 'int64' ? requireSafeInteger : undefined;
}

function requireSafeInteger(value: JsonValue): JsonValue {
  if (!Number.isSafeInteger(value)) throw new LossyParse();
  return value;
}

function textOnly(value: JsonValue): JsonText {
  if (!(value instanceof JsonText)) throw new LossyParse();
  return value;
}

function structAdopter({ fields }: Struct<unknown>): Adopter | undefined {
  const parts = Object.entries<Field>(fields).flatMap(([name, { type, filled, optional, omitEmpty }]) => {
    const adopter = adopterOf(type);
    const mayBeNull = !omitEmpty && (optional || type.emptyJson === 'null');
    return adopter || filled || mayBeNull ? [{ name, type, filled, adopter }] : [];
  });
  if (parts.length === 0) return undefined;
  return (value) => {
    const object = value as Record<string, unknown>;
    let hasNull = false;
    for (const { name, type, filled, adopter } of parts) {
      const member = object[name] as JsonValue | undefined;
      if (member === undefined || member === null) {
        if (filled) object[name] = type.zero();
        else if (member === null) hasNull = true;
      } else if (adopter) object[name] = adopter(member);
    }
    return hasNull ? withoutNulls(object) : object;
  };
}

/** Copies the object without null fields. (`delete` would turn it into a slow dictionary-mode object.) */
function withoutNulls(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const rest: Record<string, unknown> = {};
  for (const name in object) if (object[name] !== null) rest[name] = object[name];
  return rest;
}

function listAdopter({ element }: ListType<unknown>): Adopter | undefined {
  const adopter = adopterOf(element);
  if (!adopter && element.emptyJson !== 'null') return undefined;
  return (value) => {
    const list = value as JsonValue[];
    for (let n = 0; n < list.length; n++) list[n] = adoptMember(element, adopter, list[n]!) as JsonValue;
    return list;
  };
}

/** Map keys come from the client, so the object has no prototype. */
function mapAdopter({ element }: MapType<unknown>): Adopter {
  const adopter = adopterOf(element);
  return (value) => {
    const map = nullPrototypeObject<unknown>();
    const members = value as JsonObject;
    for (const key in members) map[key] = adoptMember(element, adopter, members[key]!);
    return map;
  };
}

function adoptMember(type: Type, adopter: Adopter | undefined, value: JsonValue): unknown {
  if (value === null) return type.zero();
  return adopter ? adopter(value) : value;
}
