import { isObject, type JsonObject, type JsonValue } from '../codec/json/json-value.ts';
import { parseJson } from '../codec/json/parse.ts';
import { keyElement, valueElement } from '../patch/apply/fields-v1.ts';
import type { Claim } from './blame.ts';

/**
 * For each item of a list, what its owners call it: by keys, by value or by position. Which of these a list goes by
 * need not be known beforehand: the names say it.
 */
export function elementsOf(items: readonly JsonValue[], claims: readonly Claim[]): readonly string[][] {
  const names = new Set(claims.flatMap(({ fields }) => [...fields.below.keys()]));
  const keyed = keyedNames(names);
  const isTaken = exactNames(items, keyed);
  return items.map((item, index) => {
    const found: string[] = [];
    if (names.has(`i:${index}`)) found.push(`i:${index}`);
    if (isObject(item)) {
      for (const group of keyed) {
        const name = group.nameOf(item, isTaken);
        if (name !== undefined) found.push(name);
      }
    }
    const byValue = names.size === 0 ? '' : valueElement(item);
    if (names.has(byValue)) found.push(byValue);
    return found;
  });
}

/** The names of elements that go by the same keys. */
class KeyedNames {
  readonly keys: readonly string[];
  readonly #valuesByName = new Map<string, JsonObject>();
  /** By the keys that an item has, what it has in them, and the names that agree. */
  readonly #indexes = new Map<string, Map<string, string[]>>();

  constructor(keys: readonly string[]) {
    this.keys = keys;
  }

  add(name: string, values: JsonObject): void {
    this.#valuesByName.set(name, values);
  }

  /** A key that the item lacks may have any value: its name has the default, which only the server knows. */
  nameOf(item: JsonObject, isTaken: ReadonlySet<string>): string | undefined {
    const present = this.keys.filter((key) => Object.hasOwn(item, key));
    if (present.length === 0) return undefined;
    const same = this.#index(present).get(elementOf(item, present)) ?? [];
    return present.length === this.keys.length ? same[0] : same.find((name) => !isTaken.has(name));
  }

  #index(keys: readonly string[]): Map<string, string[]> {
    const id = JSON.stringify(keys);
    const known = this.#indexes.get(id);
    if (known) return known;
    const index = new Map<string, string[]>();
    for (const [name, values] of this.#valuesByName) {
      const element = elementOf(values, keys);
      const same = index.get(element);
      if (same) same.push(name);
      else index.set(element, [name]);
    }
    this.#indexes.set(id, index);
    return index;
  }
}

const nobody: ReadonlySet<string> = new Set();

/** The names whose keys an item has all of. */
function exactNames(items: readonly JsonValue[], keyed: readonly KeyedNames[]): ReadonlySet<string> {
  const taken = new Set<string>();
  for (const item of items) {
    if (!isObject(item)) continue;
    for (const group of keyed) {
      if (!group.keys.every((key) => Object.hasOwn(item, key))) continue;
      const name = group.nameOf(item, nobody);
      if (name !== undefined) taken.add(name);
    }
  }
  return taken;
}

function keyedNames(names: Iterable<string>): readonly KeyedNames[] {
  const groups = new Map<string, KeyedNames>();
  for (const name of names) {
    if (!name.startsWith('k:')) continue;
    const { value } = parseJson(name.slice(2));
    if (!isObject(value)) continue;
    const keys = Object.keys(value);
    const id = JSON.stringify(keys);
    const group = groups.get(id) ?? new KeyedNames(keys);
    groups.set(id, group);
    group.add(name, value);
  }
  return [...groups.values()];
}

function elementOf(values: JsonObject, keys: readonly string[]): string {
  return keyElement(keys.map((key) => [key, values[key]!] as const));
}
