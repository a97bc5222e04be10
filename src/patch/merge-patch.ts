import { isObject, type JsonValue, userKeyed } from '../codec/json/json-value.ts';
import { inKeyOrder } from './any-json.ts';

/**
 * A JSON Merge Patch (RFC 7386): objects are merged, null takes away, everything else replaces. Objects that the patch
 * is about have their keys in order afterwards. Neither document nor patch is changed; the result shares parts of both.
 */
export function applyMergePatch(document: JsonValue, patch: JsonValue): JsonValue {
  if (Array.isArray(patch)) return patch.map(asElement);
  if (!isObject(patch)) return patch;
  const result = userKeyed();
  if (isObject(document)) for (const key in document) result[key] = document[key]!;
  for (const key in patch) {
    const change = patch[key]!;
    if (change === null) delete result[key];
    else result[key] = applyMergePatch(Object.hasOwn(result, key) ? result[key]! : null, change);
  }
  return inKeyOrder(result);
}

/** Where the RFC takes a list as it is, the reference takes null out of the objects in it. */
const asElement = (value: JsonValue) => (value === null ? null : applyMergePatch(null, value));
