/**
 * Strategic merge patch: a merge patch guided by the schema. Lists with a merge key are merged element by element,
 * and directives in the patch (`$patch`, `$retainKeys`, …) control the rest.
 */
import { copyJson, isObject, type JsonObject, type JsonValue, userKeyed } from '../codec/json/json-value.ts';
import { ListType } from '../schema/collections.ts';
import type { Type } from '../schema/type.ts';
import { inOrder } from './list-order.ts';
import { BadPatch, PatchFailure } from './patch-error.ts';
import {
  directive,
  goList,
  goMap,
  goTypeOf,
  isAboutList,
  listToDeleteFrom,
  listToOrder,
  retainKeys,
  taken,
  unexpected,
  unknownDirective,
  withoutDirectives,
} from './strategic-directives.ts';
import {
  fieldOf,
  groupByDirective,
  keyed,
  keyText,
  mergedByKey,
  mergeScalars,
  typeOfElements,
  withoutScalars,
} from './strategic-lists.ts';
import { inElementOrder, validateElementOrder } from './strategic-order.ts';

export interface StrategicMerge {
  readonly object: JsonObject;
  /** The rest of the patch after all effective directives were removed. */
  readonly leftOfPatch: JsonObject;
}

/** Patches an object. Neither object nor patch is modified; the result shares parts with the object. */
export function applyStrategicMerge(document: JsonObject, patch: JsonObject, type: Type): StrategicMerge {
  const leftOfPatch = copyJson(patch);
  return { object: mergeObjects(document, leftOfPatch, type), leftOfPatch };
}

/** Consumes the patch. */
function mergeObjects(document: JsonObject, patch: JsonObject, type: Type): JsonObject {
  if (Object.hasOwn(patch, directive)) return applyDirective(patch);
  const result = userKeyed();
  const kept = keptKeys(patch);
  for (const key in document) if (!kept || kept.has(key)) result[key] = document[key]!;
  orderLists(result, patch, type);
  for (const key of Object.keys(patch)) mergeField(result, key, patch[key]!, type);
  return result;
}

/** The result of a `$patch` directive on an object. */
function applyDirective(patch: JsonObject): JsonObject {
  const requested = patch[directive]!;
  if (requested === 'delete') return userKeyed();
  if (requested !== 'replace') throw unknownDirective(requested, patch);
  delete patch[directive];
  return patch;
}

/** The keys of `$retainKeys`, which must include every key that the patch sets. */
function keptKeys(patch: JsonObject): ReadonlySet<JsonValue> | undefined {
  const given = patch[retainKeys];
  if (given === undefined) return undefined;
  delete patch[retainKeys];
  const problem = 'invalid patch format of retainKeys';
  if (!Array.isArray(given)) throw new BadPatch(problem);
  const kept = new Set(given);
  for (const key in patch) {
    if (patch[key] !== null && !isAboutList(key) && !kept.has(key)) throw new BadPatch(problem);
  }
  return kept;
}

function mergeField(result: JsonObject, key: string, change: JsonValue, type: Type): void {
  const toDeleteFrom = listToDeleteFrom(key);
  const name = toDeleteFrom ?? key;
  if (change === null) {
    delete result[name];
    return;
  }
  const before = Object.hasOwn(result, name) ? result[name]! : undefined;
  if (before === undefined || goTypeOf(before) !== goTypeOf(change)) {
    if (toDeleteFrom === undefined) result[name] = taken(change);
    return;
  }
  if (isObject(before) && isObject(change)) {
    const field = fieldOf(type, name);
    result[name] = field.patch === 'replace' ? change : mergeObjects(before, change, field.type);
  } else if (Array.isArray(before) && Array.isArray(change)) {
    result[name] = mergeList(before, change, fieldOf(type, name).type, toDeleteFrom !== undefined);
  } else {
    result[name] = change;
  }
}

/** A list without patchStrategy merge is replaced, but elements can be deleted from any list. */
function mergeList(before: JsonValue[], change: JsonValue[], type: Type, isDeletion: boolean): JsonValue[] {
  if (!(type instanceof ListType) || !(isDeletion || mergedByKey(type))) return change;
  return mergeLists(before, change, type, isDeletion);
}

/** Merges a list, or deletes the given elements from it. */
function mergeLists(
  old: JsonValue[],
  change: JsonValue[],
  type: ListType<unknown>,
  isDeletion: boolean,
): JsonValue[] {
  if (old.length === 0 && change.length === 0) return old;
  if (typeOfElements(old, change) !== goMap) {
    return isDeletion ? withoutScalars(old, change) : mergeScalars(old, change);
  }
  const { patchKey } = type.merge;
  if (patchKey !== undefined) return mergeElements(old, change, patchKey, type.element as Type);
  throw new PatchFailure(`cannot merge lists without merge key for ${type.element.form}`);
}

/** Deletions come before merges; `$patch: replace` on an element replaces the whole list. */
function mergeElements(
  old: readonly JsonValue[],
  change: readonly JsonValue[],
  key: string,
  type: Type,
): JsonValue[] {
  const { deleted, plain, replaces } = groupByDirective(change as JsonObject[], key);
  if (replaces) return keyed(plain, key);
  const left = keyed(old, key).filter((element) => !deleted.has(keyText(element, key)));
  const merged = [...left];
  /** Index of the first element by key. */
  const places = new Map<string, number>();
  for (const [place, element] of left.entries()) {
    const text = keyText(element, key);
    if (!places.has(text)) places.set(text, place);
  }
  for (const element of keyed(plain, key)) {
    const text = keyText(element, key);
    const place = places.get(text);
    if (place !== undefined) merged[place] = mergeObjects(merged[place]!, element, type);
    else places.set(text, merged.push(element) - 1);
  }
  return inOrder(keyed(merged, key), plain, left, (element) => keyText(element, key));
}

/** Merges and orders the lists that have the directive, and removes them from the patch. */
function orderLists(result: JsonObject, patch: JsonObject, type: Type): void {
  for (const key of Object.keys(patch)) {
    const name = listToOrder(key);
    if (name === undefined) continue;
    const order = patch[key]!;
    delete patch[key];
    if (!Array.isArray(order)) throw unexpected(goList, order);
    const before = listIn(result, name);
    const change = listIn(patch, name);
    const field = fieldOf(type, name).type;
    if (!(field instanceof ListType)) {
      throw new PatchFailure('expected slice or array type, but got: struct');
    }
    validateElementOrder(change ?? [], order, field.merge.patchKey);
    if (!before && !change) continue;
    result[name] = inElementOrder(
      mergedOrOnly(before, change, field),
      order,
      before ?? [],
      change ?? [],
      field,
    );
    delete patch[name];
  }
}

function mergedOrOnly(
  before: JsonValue[] | undefined,
  change: JsonValue[] | undefined,
  type: ListType<unknown>,
): JsonValue[] {
  if (!change) return before!;
  if (!before) return withoutDirectives(change) as JsonValue[];
  return mergedByKey(type) ? mergeLists(before, change, type, false) : change;
}

function listIn(object: JsonObject, name: string): JsonValue[] | undefined {
  if (!Object.hasOwn(object, name)) return undefined;
  const list = object[name]!;
  if (!Array.isArray(list)) throw unexpected(goList, list);
  return list;
}
