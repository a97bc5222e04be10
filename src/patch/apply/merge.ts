import { isObject, type JsonObject, type JsonValue, userKeyed } from '../../codec/json/json-value.ts';
import { areAligned, elementName, namedElements, Repeated } from './elements.ts';
import { type ListShape, memberShape, type Shape, shapeFor } from './shape.ts';
import { isSameValue } from './values.ts';

/**
 * What comes of an intent laid over what is there: all that either says, and where both do, what the intent says. It is
 * the same object where the intent says nothing new.
 */
export function mergeIntent(declared: Shape, live: JsonValue | undefined, intent: JsonValue): JsonValue {
  if (live === undefined) return intent;
  const shape = shapeFor(shapeFor(declared, live), intent);
  if (shape.form === 'scalar' || shape.atomic) return isSameValue(live, intent) ? live : intent;
  if (shape.form === 'list') {
    if (!Array.isArray(live) || live.length === 0) return intent;
    if (!Array.isArray(intent) || intent.length === 0) return live;
    return mergeLists(shape, live, intent);
  }
  if (!hasMembers(live)) return isSameValue(live, intent) ? live : intent;
  if (!hasMembers(intent)) return live;
  let merged: JsonObject | undefined;
  for (const key in intent) {
    const inner = memberShape(shape, key);
    const said = intent[key]!;
    const member = inner ? mergeIntent(inner, live[key], said) : said;
    if (member === live[key]) continue;
    merged ??= copyOf(live);
    merged[key] = member;
  }
  return merged ?? live;
}

function copyOf(object: JsonObject): JsonObject {
  const copy = userKeyed();
  for (const key in object) copy[key] = object[key]!;
  return copy;
}

function hasMembers(value: JsonValue): value is JsonObject {
  if (!isObject(value)) return false;
  for (const _ in value) return true;
  return false;
}

/**
 * Elements that the intent names come in its order. The others keep theirs, and come as early as they did: before the
 * next element that both have.
 */
function mergeLists(shape: ListShape, live: JsonValue[], intent: readonly JsonValue[]): JsonValue {
  if (areAligned(shape, live, intent)) {
    const pairs = intent.map((item, index) => mergeIntent(shape.element, live[index], item));
    return sameAs(live, pairs) ?? pairs;
  }
  const liveByName = namedElements(shape, live, 'json');
  const liveNames = live.map((item, index) => elementName(shape, item, index, 'json'));
  const intentNames = intent.map((item, index) => elementName(shape, item, index, 'json'));
  const intended = new Set(intentNames);
  const nextShared = sharedFrom(intentNames, liveByName);
  const merged: JsonValue[] = [];
  let at = 0;
  const takeLiveUntil = (name: string | undefined) => {
    for (; at < live.length && liveNames[at] !== name; at++) {
      if (!intended.has(liveNames[at]!)) merged.push(live[at]!);
    }
  };
  intent.forEach((item, index) => {
    const name = intentNames[index]!;
    takeLiveUntil(nextShared[index]);
    const same = liveByName.get(name);
    const there = same instanceof Repeated ? undefined : (same as JsonValue | undefined);
    merged.push(mergeIntent(shape.element, there, item));
  });
  takeLiveUntil(undefined);
  return sameAs(live, merged) ?? merged;
}

/** The live list, if what came of it has just the same elements. */
function sameAs(live: JsonValue[], merged: readonly JsonValue[]): JsonValue[] | undefined {
  const isSame = merged.length === live.length && merged.every((item, index) => item === live[index]);
  return isSame ? live : undefined;
}

/** For each element of the intent, the next from there on that the live list has too. */
function sharedFrom(names: readonly string[], live: ReadonlyMap<string, unknown>): (string | undefined)[] {
  const next: (string | undefined)[] = new Array(names.length);
  let shared: string | undefined;
  for (let index = names.length - 1; index >= 0; index--) {
    if (live.has(names[index]!)) shared = names[index];
    next[index] = shared;
  }
  return next;
}
