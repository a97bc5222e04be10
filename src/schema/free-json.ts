// Whether a type contains free JSON: JSON that the schema does not describe and that is kept as the client sent it.
import { fieldsV1, ListType, MapType } from './collections.ts';
import { type Field, Struct } from './struct.ts';
import type { Type } from './type.ts';

const cache = new WeakMap<Type, boolean>();

/** Whether a value of the type can contain free JSON. Field sets (`fieldsV1`) do not count, and unions do. */
export function holdsFreeJson(type: Type): boolean {
  let holds = cache.get(type);
  if (holds === undefined) {
    holds = findFreeJson(type, new Set());
    cache.set(type, holds);
  }
  return holds;
}

function findFreeJson(type: Type, seen: Set<Type>): boolean {
  if (type === fieldsV1 || seen.has(type)) return false;
  seen.add(type);
  if (type instanceof ListType || type instanceof MapType) return findFreeJson(type.element, seen);
  if (type instanceof Struct)
    return Object.values<Field>(type.fields).some((field) => findFreeJson(field.type, seen));
  return type.category === 'raw' || type.category === 'union';
}
