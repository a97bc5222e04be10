// `orch blame`: finds the FieldsV1 path elements (`k:{…}`, `v:…`, `i:…`) of list items from managedFields, without a
// schema.
import { isObject, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';
import { parseJson } from '../../codec/json/parse.ts';
import type { FieldSet } from '../../patch/apply/field-set.ts';
import { keyPathElement, valuePathElementText } from '../../patch/apply/field-set.ts';

/** For each item, its path elements by index, by key and by value, as far as a manager claims them. */
export function findItemElements(
  items: readonly JsonValue[],
  claims: readonly { readonly fields: FieldSet }[],
): readonly string[][] {
  const claimed = new Set(claims.flatMap(({ fields }) => [...fields.below.keys()]));
  const keyedGroups = groupKeyedElements(claimed);
  const exactElements = findExactElements(items, keyedGroups);
  return items.map((item, index) => {
    const itemElements: string[] = [];
    if (claimed.has(`i:${index}`)) itemElements.push(`i:${index}`);
    if (isObject(item)) {
      for (const group of keyedGroups) {
        const element = group.find(item, exactElements);
        if (element !== undefined) itemElements.push(element);
      }
    }
    const byValue = claimed.size === 0 ? '' : valuePathElementText(item);
    if (claimed.has(byValue)) itemElements.push(byValue);
    return itemElements;
  });
}

/** The claimed `k:{…}` path elements, in groups with the same key fields. */
function groupKeyedElements(claimed: Iterable<string>): readonly KeyedElements[] {
  const groups = new Map<string, KeyedElements>();
  for (const element of claimed) {
    if (!element.startsWith('k:')) continue;
    const { value } = parseJson(element.slice(2));
    if (!isObject(value)) continue;
    const keys = Object.keys(value);
    const id = JSON.stringify(keys);
    const group = groups.get(id) ?? new KeyedElements(keys);
    groups.set(id, group);
    group.add(element, value);
  }
  return [...groups.values()];
}

/** The path elements that an item with all their keys matches. Items that lack a key must not take them. */
function findExactElements(
  items: readonly JsonValue[],
  keyedGroups: readonly KeyedElements[],
): ReadonlySet<string> {
  const exactElements = new Set<string>();
  for (const item of items) {
    if (!isObject(item)) continue;
    for (const group of keyedGroups) {
      if (!group.keys.every((key) => Object.hasOwn(item, key))) continue;
      const element = group.find(item, noElements);
      if (element !== undefined) exactElements.add(element);
    }
  }
  return exactElements;
}

const noElements: ReadonlySet<string> = new Set();

/** Claimed `k:{…}` path elements with the same key fields. */
class KeyedElements {
  readonly keys: readonly string[];
  readonly #valuesByElement = new Map<string, JsonObject>();
  /** By the subset of `keys` that an item has: from the values of these keys to the matching path elements. */
  readonly #indexes = new Map<string, Map<string, string[]>>();

  constructor(keys: readonly string[]) {
    this.keys = keys;
  }

  add(element: string, values: JsonObject): void {
    this.#valuesByElement.set(element, values);
  }

  /**
   * The path element of an item. A key that the item lacks matches any value: the path element has the default, which
   * only the server knows. Such an item does not match the elements in `excluded`.
   */
  find(item: JsonObject, excluded: ReadonlySet<string>): string | undefined {
    const presentKeys = this.keys.filter((key) => Object.hasOwn(item, key));
    if (presentKeys.length === 0) return undefined;
    const matching = this.#index(presentKeys).get(keyElement(item, presentKeys)) ?? [];
    const hasAllKeys = presentKeys.length === this.keys.length;
    return hasAllKeys ? matching[0] : matching.find((element) => !excluded.has(element));
  }

  #index(presentKeys: readonly string[]): Map<string, string[]> {
    const id = JSON.stringify(presentKeys);
    const cached = this.#indexes.get(id);
    if (cached) return cached;
    const index = new Map<string, string[]>();
    for (const [element, values] of this.#valuesByElement) {
      const indexKey = keyElement(values, presentKeys);
      const elements = index.get(indexKey);
      if (elements) elements.push(element);
      else index.set(indexKey, [element]);
    }
    this.#indexes.set(id, index);
    return index;
  }
}

function keyElement(values: JsonObject, keys: readonly string[]): string {
  return keyPathElement(keys.map((key) => [key, values[key]!] as const));
}
