// Server-side apply: merges an applied configuration into the live object.
import {
  isObject,
  type JsonObject,
  type JsonValue,
  nullPrototypeObject,
} from '../../codec/json/json-value.ts';
import { areAligned, DuplicateElements, elementsByPath, pathElementOf } from './list-elements.ts';
import { type ListMergeSchema, type MergeSchema, memberMergeSchema, mergeSchemaFor } from './merge-schema.ts';
import { isSameValue } from './values.ts';

/**
 * The union of both values; where both set a field, the applied configuration wins. Returns the live object itself if
 * nothing changes.
 */
export function mergeConfiguration(
  declared: MergeSchema,
  live: JsonValue | undefined,
  configuration: JsonValue,
): JsonValue {
  if (live === undefined) return configuration;
  const schema = mergeSchemaFor(mergeSchemaFor(declared, live), configuration);
  if (schema.form === 'scalar' || schema.atomic)
    return isSameValue(live, configuration) ? live : configuration;
  if (schema.form === 'list') {
    if (!Array.isArray(live) || live.length === 0) return configuration;
    if (!Array.isArray(configuration) || configuration.length === 0) return live;
    return mergeLists(schema, live, configuration);
  }
  if (!hasMembers(live)) return isSameValue(live, configuration) ? live : configuration;
  if (!hasMembers(configuration)) return live;
  let merged: JsonObject | undefined;
  for (const key in configuration) {
    const inner = memberMergeSchema(schema, key);
    const appliedMember = configuration[key]!;
    const member = inner ? mergeConfiguration(inner, live[key], appliedMember) : appliedMember;
    if (member === live[key]) continue;
    merged ??= copyOf(live);
    merged[key] = member;
  }
  return merged ?? live;
}

function copyOf(object: JsonObject): JsonObject {
  const copy = nullPrototypeObject();
  for (const key in object) copy[key] = object[key]!;
  return copy;
}

function hasMembers(value: JsonValue): value is JsonObject {
  if (!isObject(value)) return false;
  for (const _ in value) return true;
  return false;
}

/**
 * Elements of the applied configuration are in its order. Live-only elements keep their order, and their place before
 * the next element that both lists have.
 */
function mergeLists(
  schema: ListMergeSchema,
  live: JsonValue[],
  configuration: readonly JsonValue[],
): JsonValue {
  if (areAligned(schema, live, configuration)) {
    const pairs = configuration.map((item, index) => mergeConfiguration(schema.element, live[index], item));
    return liveIfUnchanged(live, pairs) ?? pairs;
  }
  const liveByName = elementsByPath(schema, live, 'json');
  const liveNames = live.map((item, index) => pathElementOf(schema, item, index, 'json'));
  const appliedNames = configuration.map((item, index) => pathElementOf(schema, item, index, 'json'));
  const appliedNameSet = new Set(appliedNames);
  const nextShared = nextSharedElements(appliedNames, liveByName);
  const merged: JsonValue[] = [];
  let liveIndex = 0;
  const takeLiveUntil = (name: string | undefined) => {
    for (; liveIndex < live.length && liveNames[liveIndex] !== name; liveIndex++) {
      if (!appliedNameSet.has(liveNames[liveIndex]!)) merged.push(live[liveIndex]!);
    }
  };
  configuration.forEach((item, index) => {
    const name = appliedNames[index]!;
    takeLiveUntil(nextShared[index]);
    const match = liveByName.get(name);
    const liveItem = match instanceof DuplicateElements ? undefined : (match as JsonValue | undefined);
    merged.push(mergeConfiguration(schema.element, liveItem, item));
  });
  takeLiveUntil(undefined);
  return liveIfUnchanged(live, merged) ?? merged;
}

/** The live list, if the merged list has exactly its elements. */
function liveIfUnchanged(live: JsonValue[], merged: readonly JsonValue[]): JsonValue[] | undefined {
  const isSame = merged.length === live.length && merged.every((item, index) => item === live[index]);
  return isSame ? live : undefined;
}

/** For each applied element, the next one from there on that the live list has too. */
function nextSharedElements(
  names: readonly string[],
  live: ReadonlyMap<string, unknown>,
): (string | undefined)[] {
  const next: (string | undefined)[] = new Array(names.length);
  let shared: string | undefined;
  for (let index = names.length - 1; index >= 0; index--) {
    if (live.has(names[index]!)) shared = names[index];
    next[index] = shared;
  }
  return next;
}
