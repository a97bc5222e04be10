// Semantic equality of values of a schema type: two values are equal if they have the same encoding.
import { ListType, MapType } from './collections.ts';
import { Struct } from './struct.ts';
import type { Type } from './type.ts';

/** Undefined and null mean absence, unless null is a value of the type. */
export function isSemanticallyEqual(type: Type, a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === undefined || a === null || b === undefined || b === null) {
    return !type.keepsNull && (a ?? undefined) === (b ?? undefined);
  }
  if (type instanceof Struct) return type.isSemanticallyEqual(a, b, isSemanticallyEqual);
  if (type instanceof ListType) return areListsEqual(type, a as unknown[], b as unknown[]);
  if (type instanceof MapType) return areMapsEqual(type, a as Members, b as Members);
  return type.write(a) === type.write(b);
}

type Members = Readonly<Record<string, unknown>>;

function areListsEqual(
  { element }: ListType<unknown>,
  a: readonly unknown[],
  b: readonly unknown[],
): boolean {
  return a.length === b.length && a.every((item, index) => isSemanticallyEqual(element, item, b[index]));
}

function areMapsEqual({ element }: MapType<unknown>, a: Members, b: Members): boolean {
  let keyDifference = 0;
  for (const key in a) {
    if (b[key] === undefined || !isSemanticallyEqual(element, a[key], b[key])) return false;
    keyDifference++;
  }
  // Every key of `a` is in `b`, so the maps are equal if they have as many keys.
  for (const _ in b) keyDifference--;
  return keyDifference === 0;
}
