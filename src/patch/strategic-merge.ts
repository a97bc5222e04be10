/**
 * Strategic merge patch: a merge patch guided by the schema. Lists with a merge key are merged element by element,
 * and directives in the patch (`$patch`, `$retainKeys`, …) control the rest.
 */
import { copyJson, isObject, type JsonObject, type JsonValue, userKeyed } from '../codec/json/json-value.ts';
import { ListType } from '../schema/collections.ts';
import type { Type } from '../schema/type.ts';
import { BadPatch } from './patch-error.ts';
import {
  directive,
  goTypeOf,
  isAboutList,
  listToDeleteFrom,
  retainKeys,
  taken,
  unknownDirective,
} from './strategic-directives.ts';
import { fieldOf, mergedByKey, mergeLists } from './strategic-lists.ts';
import { orderLists } from './strategic-order.ts';

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
export function mergeObjects(document: JsonObject, patch: JsonObject, type: Type): JsonObject {
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
