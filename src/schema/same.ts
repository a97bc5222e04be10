// Semantic equality of values of a schema type.
import { ListType, MapType } from './collections.ts';
import { Struct } from './struct.ts';
import type { Type } from './type.ts';

/** Whether two values of a type have the same encoding. */
export function isSame(type: Type, one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (one === undefined || one === null || other === undefined || other === null) {
    return !type.keepsNull && (one ?? undefined) === (other ?? undefined);
  }
  if (type instanceof Struct) return type.isSame(one, other, isSame);
  if (type instanceof ListType) return isSameList(type, one as unknown[], other as unknown[]);
  if (type instanceof MapType) return isSameMap(type, one as Members, other as Members);
  return type.write(one) === type.write(other);
}

type Members = Readonly<Record<string, unknown>>;

function isSameList(
  { element }: ListType<unknown>,
  one: readonly unknown[],
  other: readonly unknown[],
): boolean {
  return one.length === other.length && one.every((item, index) => isSame(element, item, other[index]));
}

function isSameMap({ element }: MapType<unknown>, one: Members, other: Members): boolean {
  let count = 0;
  for (const key in one) {
    if (other[key] === undefined || !isSame(element, one[key], other[key])) return false;
    count++;
  }
  for (const _ in other) count--;
  return count === 0;
}
