// Strategic merge patch: a merge patch guided by the schema. Lists with a merge key are merged element by element,
// and directives in the patch (`$patch`, `$retainKeys`, …) control the rest.
import {
  copyJson,
  isObject,
  type JsonObject,
  type JsonValue,
  nullPrototypeObject,
} from '../codec/json/json-value.ts';
import { ListType } from '../schema/collections.ts';
import type { Type } from '../schema/type.ts';
import { normalizeElementOrder } from './normalize-element-order.ts';
import { InternalPatchError, InvalidPatch } from './patch-error.ts';
import { applySetElementOrder, validateElementOrder } from './set-element-order.ts';
import {
  goList,
  goMap,
  goTypeOf,
  isListDirective,
  listNameToDeleteFrom,
  listNameToOrder,
  patchDirective,
  removeDirectives,
  removeNullsAndDirectives,
  retainKeysDirective,
  typeMismatch,
  unknownDirective,
} from './strategic-directives.ts';
import {
  deleteFromPrimitiveList,
  fieldOf,
  groupByDirective,
  hasMergeStrategy,
  mergeKeyText,
  mergePrimitiveLists,
  requireMergeKey,
  sliceElementType,
} from './strategic-lists.ts';

export interface StrategicMerge {
  /** The patched object. */
  readonly object: JsonObject;
  /** The patch without the directives that were applied; kube-apiserver quotes it in errors. */
  readonly remainingPatch: JsonObject;
}

/** Patches an object. Neither object nor patch is modified; the result shares parts with the object. */
export function applyStrategicMerge(document: JsonObject, patch: JsonObject, type: Type): StrategicMerge {
  const remainingPatch = copyJson(patch);
  return { object: mergeObjects(document, remainingPatch, type), remainingPatch };
}

/** Merges the patch into a copy of the object, and modifies the patch. */
function mergeObjects(document: JsonObject, patch: JsonObject, type: Type): JsonObject {
  if (Object.hasOwn(patch, patchDirective)) return applyDirective(patch);
  const result = nullPrototypeObject();
  const kept = takeRetainKeys(patch);
  for (const key in document) if (!kept || kept.has(key)) result[key] = document[key]!;
  applySetElementOrders(result, patch, type);
  for (const key of Object.keys(patch)) mergeField(result, key, patch[key]!, type);
  return result;
}

/** Applies the `$patch` directive of an object: `delete` or `replace`. */
function applyDirective(patch: JsonObject): JsonObject {
  const requested = patch[patchDirective]!;
  if (requested === 'delete') return nullPrototypeObject();
  if (requested !== 'replace') throw unknownDirective(requested, patch);
  delete patch[patchDirective];
  return patch;
}

/** Removes `$retainKeys` from the patch and returns its keys, which must include every key that the patch sets. */
function takeRetainKeys(patch: JsonObject): ReadonlySet<JsonValue> | undefined {
  const directive = patch[retainKeysDirective];
  if (directive === undefined) return undefined;
  delete patch[retainKeysDirective];
  const problem = 'invalid patch format of retainKeys';
  if (!Array.isArray(directive)) throw new InvalidPatch(problem);
  const kept = new Set(directive);
  for (const key in patch) {
    if (patch[key] !== null && !isListDirective(key) && !kept.has(key)) throw new InvalidPatch(problem);
  }
  return kept;
}

function mergeField(result: JsonObject, key: string, change: JsonValue, type: Type): void {
  const listToDeleteFrom = listNameToDeleteFrom(key);
  const name = listToDeleteFrom ?? key;
  if (change === null) {
    delete result[name];
    return;
  }
  const old = Object.hasOwn(result, name) ? result[name]! : undefined;
  if (old === undefined || goTypeOf(old) !== goTypeOf(change)) {
    if (listToDeleteFrom === undefined) result[name] = removeNullsAndDirectives(change);
    return;
  }
  if (isObject(old) && isObject(change)) {
    const field = fieldOf(type, name);
    result[name] = field.patch === 'replace' ? change : mergeObjects(old, change, field.type);
  } else if (Array.isArray(old) && Array.isArray(change)) {
    const operation = listToDeleteFrom === undefined ? 'merge' : 'delete';
    result[name] = patchList(old, change, fieldOf(type, name).type, operation);
  } else {
    result[name] = change;
  }
}

/** Merges the elements of `change` into a list, or deletes them from it. */
type ListOperation = 'merge' | 'delete';

/** A list without patchStrategy merge is replaced, but elements can be deleted from any list. */
function patchList(old: JsonValue[], change: JsonValue[], type: Type, operation: ListOperation): JsonValue[] {
  if (!(type instanceof ListType)) return change;
  const isReplaced = operation === 'merge' && !hasMergeStrategy(type);
  return isReplaced ? change : mergeLists(old, change, type, operation);
}

function mergeLists(
  old: JsonValue[],
  change: JsonValue[],
  type: ListType<unknown>,
  operation: ListOperation,
): JsonValue[] {
  if (old.length === 0 && change.length === 0) return old;
  if (sliceElementType(old, change) !== goMap) {
    return operation === 'delete' ? deleteFromPrimitiveList(old, change) : mergePrimitiveLists(old, change);
  }
  const { patchKey } = type.merge;
  if (patchKey !== undefined) return mergeByKey(old, change, patchKey, type.element as Type);
  throw new InternalPatchError(`cannot merge lists without merge key for ${type.element.category}`);
}

/** Deletions come before merges; `$patch: replace` on an element replaces the whole list. */
function mergeByKey(
  old: readonly JsonValue[],
  change: readonly JsonValue[],
  key: string,
  type: Type,
): JsonValue[] {
  const { deleted, plain, replaces } = groupByDirective(change as JsonObject[], key);
  if (replaces) return requireMergeKey(plain, key);
  const remaining = requireMergeKey(old, key).filter((element) => !deleted.has(mergeKeyText(element, key)));
  const merged = [...remaining];
  /** Index of the first element by key. */
  const indexByKey = new Map<string, number>();
  for (const [index, element] of remaining.entries()) {
    const text = mergeKeyText(element, key);
    if (!indexByKey.has(text)) indexByKey.set(text, index);
  }
  for (const element of requireMergeKey(plain, key)) {
    const text = mergeKeyText(element, key);
    const index = indexByKey.get(text);
    if (index !== undefined) merged[index] = mergeObjects(merged[index]!, element, type);
    else indexByKey.set(text, merged.push(element) - 1);
  }
  return normalizeElementOrder(requireMergeKey(merged, key), plain, remaining, (element) =>
    mergeKeyText(element, key),
  );
}

/** Merges and orders each list with a `$setElementOrder` directive, and removes list and directive from the patch. */
function applySetElementOrders(result: JsonObject, patch: JsonObject, type: Type): void {
  for (const key of Object.keys(patch)) {
    const name = listNameToOrder(key);
    if (name === undefined) continue;
    const order = patch[key]!;
    delete patch[key];
    if (!Array.isArray(order)) throw typeMismatch(goList, order);
    const old = requireList(result, name);
    const change = requireList(patch, name);
    const field = fieldOf(type, name).type;
    if (!(field instanceof ListType)) {
      throw new InternalPatchError('expected slice or array type, but got: struct');
    }
    validateElementOrder(change ?? [], order, field.merge.patchKey);
    if (!old && !change) continue;
    result[name] = applySetElementOrder(
      mergeOptionalLists(old, change, field),
      order,
      old ?? [],
      change ?? [],
      field,
    );
    delete patch[name];
  }
}

/** At least one of the lists is present. */
function mergeOptionalLists(
  old: JsonValue[] | undefined,
  change: JsonValue[] | undefined,
  type: ListType<unknown>,
): JsonValue[] {
  if (!change) return old!;
  if (!old) return removeDirectives(change) as JsonValue[];
  return hasMergeStrategy(type) ? mergeLists(old, change, type, 'merge') : change;
}

/** The list; undefined if absent. Throws for any other value. */
function requireList(object: JsonObject, name: string): JsonValue[] | undefined {
  if (!Object.hasOwn(object, name)) return undefined;
  const list = object[name]!;
  if (!Array.isArray(list)) throw typeMismatch(goList, list);
  return list;
}
