import { copyJson, isObject, type JsonValue, userKeyed } from '../codec/json/json-value.ts';

/** A JSON Merge Patch (RFC 7386): objects are merged, null takes away, everything else replaces. */
export function applyMergePatch(document: JsonValue, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return copyJson(patch);
  const result = userKeyed();
  if (isObject(document)) for (const key in document) result[key] = document[key]!;
  for (const key in patch) {
    const change = patch[key]!;
    if (change === null) delete result[key];
    else result[key] = applyMergePatch(Object.hasOwn(result, key) ? result[key]! : null, change);
  }
  return result;
}
