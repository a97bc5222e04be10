import { isObject, type JsonObject, type JsonValue, userKeyed } from '../../codec/json/json-value.ts';
import { elementName, namedElements } from './elements.ts';
import type { ListShape, Shape } from './shape.ts';

/** What comes of an intent laid over what is there: all that either says, and where both do, what the intent says. */
export function mergeIntent(shape: Shape, live: JsonValue | undefined, intent: JsonValue): JsonValue {
  if (live === undefined || shape.form === 'scalar' || shape.atomic) return intent;
  if (shape.form === 'list') {
    if (!Array.isArray(live) || live.length === 0) return intent;
    if (!Array.isArray(intent) || intent.length === 0) return live;
    return mergeLists(shape, live, intent);
  }
  if (!hasMembers(live)) return intent;
  if (!hasMembers(intent)) return live;
  const merged = userKeyed();
  for (const key in live) merged[key] = live[key]!;
  for (const key in intent) {
    const inner = shape.form === 'struct' ? shape.byName.get(key)?.shape : shape.element;
    const said = intent[key]!;
    merged[key] = inner ? mergeIntent(inner, live[key], said) : said;
  }
  return merged;
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
function mergeLists(shape: ListShape, live: readonly JsonValue[], intent: readonly JsonValue[]): JsonValue {
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
    if (liveNames[at] === name) at++;
    const same = (liveByName.get(name) ?? []) as JsonValue[];
    merged.push(mergeIntent(shape.element, same.length === 1 ? same[0] : undefined, item));
  });
  takeLiveUntil(undefined);
  return merged;
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
