// JSON Merge Patch (RFC 7386), with the deviations of kube-apiserver.
import { isObject, type JsonValue, nullPrototypeObject } from '../codec/json/json-value.ts';
import { sortKeys } from './any-json.ts';

/**
 * Objects are merged, null removes, everything else replaces. Keys of patched objects are sorted, as in kube-apiserver.
 * Neither document nor patch is modified; the result shares parts of both.
 */
export function applyMergePatch(document: JsonValue, patch: JsonValue): JsonValue {
  if (Array.isArray(patch)) return patch.map(patchListElement);
  if (!isObject(patch)) return patch;
  const result = nullPrototypeObject();
  if (isObject(document)) for (const key in document) result[key] = document[key]!;
  for (const key in patch) {
    const change = patch[key]!;
    if (change === null) delete result[key];
    else result[key] = applyMergePatch(Object.hasOwn(result, key) ? result[key]! : null, change);
  }
  return sortKeys(result);
}

/** Deviation from the RFC: kube-apiserver removes nulls from objects inside lists. */
const patchListElement = (value: JsonValue) => (value === null ? null : applyMergePatch(null, value));
