import { isObject, type JsonValue } from '../../codec/json/json-value.ts';
import { keyElement, valueElement } from './fields-v1.ts';
import type { KeyShape, ListShape } from './shape.ts';
import { memberOf, type Reading } from './values.ts';

/** A list cannot be taken apart: why, in words for the client. */
export class BrokenList extends Error {}

/** Names an element of a list by what tells it from the others. */
export function elementName(list: ListShape, item: unknown, index: number, reading: Reading): string {
  if (!list.keys) {
    const odd =
      item === null
        ? 'an explicit null'
        : isObject(item)
          ? 'a map type'
          : Array.isArray(item) && 'a list type';
    if (odd) {
      throw new BrokenList(`element ${index}: associative list without keys has an element that's ${odd}`);
    }
    return valueElement(item as JsonValue);
  }
  const refuse = (why: string) => new BrokenList(`element ${index}: associative list with keys ${why}`);
  if (item === null) throw refuse('may not have a null element');
  if (!isObject(item)) throw refuse('may not have non-map elements');
  const keys = list.keys.map((key) => {
    const value = keyOf(list, key, item, reading);
    if (value !== undefined) return [key.name, value as JsonValue] as const;
    throw refuse(`has an element that omits key field "${key.name}" (and doesn't have default value)`);
  });
  return keyElement(keys);
}

function keyOf({ element }: ListShape, key: KeyShape, item: object, reading: Reading): unknown {
  const known = element.form === 'struct' ? element.byName.get(key.name) : undefined;
  const members = item as Record<string, unknown>;
  const value = known ? memberOf(members, known, reading) : members[key.name];
  return value === undefined ? key.default : value;
}

/** The elements of a list by name. Those that share one with another are kept together. */
export function namedElements(
  list: ListShape,
  items: unknown,
  reading: Reading,
): ReadonlyMap<string, readonly unknown[]> {
  const found = new Map<string, unknown[]>();
  if (!Array.isArray(items)) return found;
  for (let index = 0; index < items.length; index++) {
    const name = elementName(list, items[index], index, reading);
    const same = found.get(name);
    if (same) same.push(items[index]);
    else found.set(name, [items[index]]);
  }
  return found;
}
