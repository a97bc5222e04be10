/**
 * Strategic merge patch: a merge patch that knows the schema. Lists whose elements have a key are merged element by
 * element, and directives in the patch (`$patch`, `$retainKeys`, …) say what else is to happen.
 */
import { copyJson, isObject, type JsonObject, type JsonValue, userKeyed } from '../codec/json/json-value.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { type ListMerge, ListType, MapType } from '../schema/collections.ts';
import { type Field, Struct } from '../schema/struct.ts';
import type { Type } from '../schema/type.ts';
import { inOrder } from './list-order.ts';
import { BadPatch } from './patch-error.ts';

const directive = '$patch';
const retainKeys = '$retainKeys';
const deleteFromList = '$deleteFromPrimitiveList/';
const elementOrder = '$setElementOrder/';

/** A patch says something that no directive can say. */
export class UnknownDirective extends Error {}

/** An object of this type, patched. Neither object nor patch is changed. */
export function applyStrategicMerge(document: JsonObject, patch: JsonObject, type: Type): JsonObject {
  return mergeObjects(document, patch, type);
}

function mergeObjects(document: JsonObject, patch: JsonObject, type: Type | undefined): JsonObject {
  const asked = patch[directive];
  if (asked !== undefined) {
    if (asked === 'replace') return withoutDirectives(patch) as JsonObject;
    if (asked === 'delete') return userKeyed();
    if (asked !== 'merge')
      throw new UnknownDirective(`unknown patch type: ${shown(asked)} in map: ${shown(patch)}`);
  }
  const result = userKeyed();
  const kept = keptKeys(patch);
  for (const key in document) if (!kept || kept.has(key)) result[key] = document[key]!;
  for (const key in patch) {
    if (key.startsWith(deleteFromList)) removeFromList(result, key.slice(deleteFromList.length), patch[key]!);
  }
  for (const key of fieldsOf(patch)) mergeField(result, patch, key, type);
  return result;
}

/** The keys that may stay, where the patch says so: all that it sets are among them. */
function keptKeys(patch: JsonObject): ReadonlySet<string> | undefined {
  const given = patch[retainKeys];
  if (given === undefined) return undefined;
  if (!Array.isArray(given)) throw new BadPatch('invalid patch format of retainKeys');
  const kept = new Set(given.map(String));
  for (const key of fieldsOf(patch)) {
    if (!kept.has(key) && patch[key] !== null) throw new BadPatch('invalid patch format of retainKeys');
  }
  return kept;
}

/** What the patch sets, and lists of which it only says the order. */
function fieldsOf(patch: JsonObject): string[] {
  const keys = new Set<string>();
  for (const key in patch) {
    if (key === directive || key === retainKeys || key.startsWith(deleteFromList)) continue;
    keys.add(key.startsWith(elementOrder) ? key.slice(elementOrder.length) : key);
  }
  return [...keys];
}

function mergeField(result: JsonObject, patch: JsonObject, key: string, type: Type | undefined): void {
  const change = Object.hasOwn(patch, key) ? patch[key]! : undefined;
  const before = Object.hasOwn(result, key) ? result[key]! : undefined;
  if (change === null) {
    delete result[key];
    return;
  }
  const field = fieldIn(type, key);
  const fieldType = field?.type ?? elementOf(type);
  const order = patch[`${elementOrder}${key}`];
  if (fieldType instanceof ListType && fieldType.merge.patch?.includes('merge')) {
    const list = mergeLists(before, change, order, fieldType);
    if (list !== undefined) result[key] = list;
  } else if (change === undefined) return;
  else if (isObject(change) && isObject(before) && field?.patch !== 'replace') {
    result[key] = mergeObjects(before, change, fieldType);
  } else {
    result[key] = withoutDirectives(change);
  }
}

function fieldIn(type: Type | undefined, key: string): Field | undefined {
  return type instanceof Struct && Object.hasOwn(type.fields, key) ? type.fields[key] : undefined;
}

/** Maps hold one type under all keys. */
function elementOf(type: Type | undefined): Type | undefined {
  return type instanceof MapType ? (type.element as Type) : undefined;
}

function removeFromList(result: JsonObject, key: string, values: JsonValue): void {
  const list = result[key];
  if (!Array.isArray(values)) throw new BadPatch('invalid patch format of primitive list');
  if (!Array.isArray(list)) return;
  const removed = new Set(values.map(stringifyJson));
  result[key] = list.filter((element) => !removed.has(stringifyJson(element)));
}

function mergeLists(
  before: JsonValue | undefined,
  change: JsonValue | undefined,
  order: JsonValue | undefined,
  type: ListType<unknown>,
): JsonValue | undefined {
  if (order !== undefined && !Array.isArray(order)) {
    throw new BadPatch('invalid patch format of setElementOrder list');
  }
  if (change !== undefined && !Array.isArray(change)) return withoutDirectives(change);
  const old = Array.isArray(before) ? before : [];
  if (change === undefined && before === undefined) return undefined;
  const { patchKey } = type.merge as ListMerge;
  if (patchKey === undefined) return mergeScalars(old, change ?? [], order);
  if (before === undefined && order === undefined) return withoutDirectives(change ?? []);
  return mergeElements(old, change ?? [], order, patchKey, type.element as Type);
}

function mergeScalars(
  old: readonly JsonValue[],
  change: readonly JsonValue[],
  order: readonly JsonValue[] | undefined,
): JsonValue[] {
  const merged = [...old];
  const known = new Set(old.map(stringifyJson));
  for (const value of change) {
    const text = stringifyJson(value);
    if (!known.has(text)) merged.push(value);
    known.add(text);
  }
  return inOrder(merged, order ?? change, old, stringifyJson);
}

function mergeElements(
  old: readonly JsonValue[],
  change: readonly JsonValue[],
  order: readonly JsonValue[] | undefined,
  key: string,
  type: Type,
): JsonValue[] {
  const changes = change.map((element) => withKey(element, key));
  if (changes.some((element) => element[directive] === 'replace')) {
    return changes
      .filter((element) => element[directive] !== 'replace')
      .map((element) => withoutDirectives(element));
  }
  const keyOf = (element: JsonValue) => (isObject(element) ? stringifyJson(element[key] ?? null) : '');
  const merged: (JsonValue | undefined)[] = [...old];
  /** Where the elements with a key are. */
  const placesOf = new Map<string, number[]>();
  const note = (text: string, place: number) => {
    const places = placesOf.get(text);
    if (places) places.push(place);
    else placesOf.set(text, [place]);
  };
  for (const [place, element] of old.entries()) note(keyOf(element), place);
  for (const element of changes) {
    const text = keyOf(element);
    const places = placesOf.get(text);
    if (element[directive] === 'delete') {
      for (const place of places ?? []) merged[place] = undefined;
      placesOf.delete(text);
    } else if (places) {
      merged[places[0]!] = mergeObjects(merged[places[0]!] as JsonObject, element, type);
    } else {
      note(text, merged.push(withoutDirectives(element)) - 1);
    }
  }
  const left = merged.filter((element) => element !== undefined);
  const wanted = order ?? changes.filter((element) => element[directive] !== 'delete');
  return inOrder(left, wanted, old, keyOf);
}

/** An element of a list that is merged by a key has that key, or is about the list as a whole. */
function withKey(element: JsonValue, key: string): JsonObject {
  if (!isObject(element)) throw new BadPatch('invalid patch format of primitive list');
  if (element[directive] !== 'replace' && !Object.hasOwn(element, key)) {
    throw new UnknownDirective(`map: ${shown(element)} does not contain declared merge key: ${key}`);
  }
  return element;
}

/** A value that is put in as it is: nothing is there for its directives to act on. */
function withoutDirectives(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return value
      .filter(
        (element) =>
          !isObject(element) || !Object.hasOwn(element, directive) || element[directive] === 'merge',
      )
      .map(withoutDirectives);
  }
  if (!isObject(value)) return copyJson(value);
  const result = userKeyed();
  for (const key in value) {
    const isDirective = key === directive || key === retainKeys;
    if (isDirective || key.startsWith(deleteFromList) || key.startsWith(elementOrder)) continue;
    const part = value[key]!;
    if (part !== null) result[key] = withoutDirectives(part);
  }
  return result;
}

/** As messages show it: `map[a:1 b:[x y]]`. */
export function shown(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(shown).join(' ')}]`;
  if (!isObject(value)) return value === null ? '<nil>' : String(value);
  const pairs = Object.keys(value)
    .sort()
    .map((key) => `${key}:${shown(value[key]!)}`);
  return `map[${pairs.join(' ')}]`;
}
