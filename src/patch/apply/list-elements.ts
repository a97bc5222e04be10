// Server-side apply: path elements of associative lists, by key (listType=map) or by value (listType=set).
import { isObject, type JsonValue } from '../../codec/json/json-value.ts';
import { encodeElementValue, valuePathElementText } from './field-set.ts';
import type { KeyMergeSchema, ListMergeSchema } from './merge-schema.ts';
import { fieldValue, type ValueSource } from './merge-schema.ts';

/** A list element has no valid path element, so the list cannot be merged. The client sees the message. */
export class InvalidListElement extends Error {}

/** The path element of a list element: its keys or its value. */
export function pathElementOf(
  list: ListMergeSchema,
  item: unknown,
  index: number,
  source: ValueSource,
): string {
  if (!list.keys) return valuePathElement(item, index);
  if (!isObject(item)) {
    throw invalidKeyedElement(
      index,
      item === null ? 'may not have a null element' : 'may not have non-map elements',
    );
  }
  let name = 'k:{';
  for (const key of list.keys) {
    const value = keyValue(key, item, source);
    if (value === undefined) {
      throw invalidKeyedElement(
        index,
        `has an element that omits key field "${key.name}" (and doesn't have default value)`,
      );
    }
    name += name.length > 3 ? `,${key.text}` : key.text;
    name += encodeElementValue(value as JsonValue);
  }
  return `${name}}`;
}

const invalidKeyedElement = (index: number, problem: string) =>
  new InvalidListElement(`element ${index}: associative list with keys ${problem}`);

function valuePathElement(item: unknown, index: number): string {
  const isScalar = item !== null && !Array.isArray(item) && !isObject(item);
  if (isScalar) return valuePathElementText(item as JsonValue);
  if (Array.isArray(item)) {
    throw new InvalidListElement(`element ${index}: not supported: associative list with lists as elements`);
  }
  const itemType = item === null ? 'an explicit null' : 'a map type';
  throw new InvalidListElement(
    `element ${index}: associative list without keys has an element that's ${itemType}`,
  );
}

function keyValue(
  { name, field, default: defaultValue }: KeyMergeSchema,
  item: object,
  source: ValueSource,
): unknown {
  const members = item as Record<string, unknown>;
  const value = field ? fieldValue(members, field, source) : members[name];
  return value === undefined ? defaultValue : value;
}

/** List elements with the same path element, which live objects may have. */
export class DuplicateElements {
  readonly items: unknown[];

  constructor(items: unknown[]) {
    this.items = items;
  }
}

/** The elements of a list by path element. */
export function elementsByPath(
  list: ListMergeSchema,
  items: unknown,
  source: ValueSource,
): ReadonlyMap<string, unknown | DuplicateElements> {
  const elements = new Map<string, unknown>();
  if (!Array.isArray(items)) return elements;
  for (let index = 0; index < items.length; index++) {
    const name = pathElementOf(list, items[index], index, source);
    const earlier = elements.get(name);
    if (earlier === undefined) elements.set(name, items[index]);
    else if (earlier instanceof DuplicateElements) earlier.items.push(items[index]);
    else elements.set(name, new DuplicateElements([earlier, items[index]]));
  }
  return elements;
}

/** The duplicate check is quadratic, so longer lists take the general path. */
const maxAlignedLength = 32;

/**
 * Whether two lists have the same elements at the same positions. A cheap comparison of key values, which may return
 * false for aligned lists.
 */
export function areAligned(
  { keys }: ListMergeSchema,
  left: readonly unknown[],
  right: readonly unknown[],
): boolean {
  if (!keys || left.length !== right.length || left.length > maxAlignedLength) return false;
  for (let index = 0; index < left.length; index++) {
    if (!haveSameKeys(keys, left[index], right[index])) return false;
    for (let earlier = 0; earlier < index; earlier++) {
      if (haveSameKeys(keys, left[earlier], left[index])) return false;
    }
  }
  return true;
}

function haveSameKeys(keys: readonly KeyMergeSchema[], left: unknown, right: unknown): boolean {
  if (!isObject(left) || !isObject(right)) return false;
  return keys.every(({ name }) => left[name] === right[name] && isPlainKey(left[name]));
}

/** A key that is present and neither empty nor subject to defaulting. */
const isPlainKey = (value: unknown) =>
  (typeof value === 'string' && value !== '') || typeof value === 'number';
