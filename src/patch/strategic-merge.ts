/**
 * Strategic merge patch: a merge patch that knows the schema. Lists whose elements have a key are merged element by
 * element, and directives in the patch (`$patch`, `$retainKeys`, …) say what else is to happen.
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
  /** What is left of the patch when all directives that meant something have been followed. */
  readonly leftOfPatch: JsonObject;
}

/** An object of this type, patched. Neither object nor patch is changed; the result shares parts with the object. */
export function applyStrategicMerge(document: JsonObject, patch: JsonObject, type: Type): StrategicMerge {
  const leftOfPatch = copyJson(patch);
  return { object: mergeObjects(document, leftOfPatch, type), leftOfPatch };
}

/** The patch is used up on the way. */
export function mergeObjects(document: JsonObject, patch: JsonObject, type: Type): JsonObject {
  if (Object.hasOwn(patch, directive)) return instead(patch);
  const result = userKeyed();
  const kept = keptKeys(patch);
  for (const key in document) if (!kept || kept.has(key)) result[key] = document[key]!;
  orderLists(result, patch, type);
  for (const key of Object.keys(patch)) mergeField(result, key, patch[key]!, type);
  return result;
}

/** What the directive on an object makes of it. */
function instead(patch: JsonObject): JsonObject {
  const asked = patch[directive]!;
  if (asked === 'delete') return userKeyed();
  if (asked !== 'replace') throw unknownDirective(asked, patch);
  delete patch[directive];
  return patch;
}

/** The keys that may stay, where the patch says so: all that it sets are among them. */
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

/** A list that is not merged is replaced. Elements can be deleted from any. */
function mergeList(before: JsonValue[], change: JsonValue[], type: Type, isDeletion: boolean): JsonValue[] {
  if (!(type instanceof ListType) || !(isDeletion || mergedByKey(type))) return change;
  return mergeLists(before, change, type, isDeletion);
}
