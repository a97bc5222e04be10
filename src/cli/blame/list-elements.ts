// `orch blame`: finds the FieldsV1 path elements (`k:{…}`, `v:…`, `i:…`) of list items from managedFields, without a schema.
import { isObject, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';
import { parseJson } from '../../codec/json/parse.ts';
import type { FieldSet } from '../../patch/apply/field-set.ts';
import { keyPathElement, valuePathElementText } from '../../patch/apply/field-set.ts';

/** For each item, its path elements by index, by key and by value, as far as a manager claims them. */
export function elementsOf(
  items: readonly JsonValue[],
  claims: readonly { readonly fields: FieldSet }[],
): readonly string[][] {
  const names = new Set(claims.flatMap(({ fields }) => [...fields.below.keys()]));
  const keyedGroups = keyedNames(names);
  const takenNames = exactNames(items, keyedGroups);
  return items.map((item, index) => {
    const itemElements: string[] = [];
    if (names.has(`i:${index}`)) itemElements.push(`i:${index}`);
    if (isObject(item)) {
      for (const group of keyedGroups) {
        const name = group.nameOf(item, takenNames);
        if (name !== undefined) itemElements.push(name);
      }
    }
    const byValue = names.size === 0 ? '' : valuePathElementText(item);
    if (names.has(byValue)) itemElements.push(byValue);
    return itemElements;
  });
}

/** The `k:{…}` path elements with the same key fields. */
class KeyedNames {
  readonly keys: readonly string[];
  readonly #valuesByName = new Map<string, JsonObject>();
  /** Indexes by the keys that an item has: from key values to matching path elements. */
  readonly #indexes = new Map<string, Map<string, string[]>>();

  constructor(keys: readonly string[]) {
    this.keys = keys;
  }

  add(name: string, values: JsonObject): void {
    this.#valuesByName.set(name, values);
  }

  /** A key that the item lacks matches any value: the path element has the default, which only the server knows. */
  nameOf(item: JsonObject, takenNames: ReadonlySet<string>): string | undefined {
    const present = this.keys.filter((key) => Object.hasOwn(item, key));
    if (present.length === 0) return undefined;
    const names = this.#index(present).get(elementOf(item, present)) ?? [];
    return present.length === this.keys.length ? names[0] : names.find((name) => !takenNames.has(name));
  }

  #index(keys: readonly string[]): Map<string, string[]> {
    const id = JSON.stringify(keys);
    const cached = this.#indexes.get(id);
    if (cached) return cached;
    const index = new Map<string, string[]>();
    for (const [name, values] of this.#valuesByName) {
      const element = elementOf(values, keys);
      const names = index.get(element);
      if (names) names.push(name);
      else index.set(element, [name]);
    }
    this.#indexes.set(id, index);
    return index;
  }
}

const noNames: ReadonlySet<string> = new Set();

/** The path elements that an item with all their keys matches. Items that lack a key must not take them. */
function exactNames(items: readonly JsonValue[], keyedGroups: readonly KeyedNames[]): ReadonlySet<string> {
  const taken = new Set<string>();
  for (const item of items) {
    if (!isObject(item)) continue;
    for (const group of keyedGroups) {
      if (!group.keys.every((key) => Object.hasOwn(item, key))) continue;
      const name = group.nameOf(item, noNames);
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
  return keyPathElement(keys.map((key) => [key, values[key]!] as const));
}
