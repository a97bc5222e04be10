// Strategic merge patch: directives (`$patch`, `$retainKeys`, `$deleteFromPrimitiveList`, `$setElementOrder`).
import { isObject, type JsonObject, JsonText, type JsonValue, RawNumber } from '../codec/json/json-value.ts';
import { goText } from '../errors/go-json.ts';
import { readInteger } from '../schema/scalars.ts';
import { InternalPatchError, InvalidPatch } from './patch-error.ts';

/** On an object or a list element: replace, delete or merge it. */
export const patchDirective = '$patch';
/** On an object: the only keys to keep. */
export const retainKeysDirective = '$retainKeys';
/** `$deleteFromPrimitiveList/<list>`: elements to delete from the list. */
const deleteFromPrimitiveListPrefix = '$deleteFromPrimitiveList';
/** `$setElementOrder/<list>`: the order of the list's elements. */
const setElementOrderPrefix = '$setElementOrder';

/** The list name in a `$deleteFromPrimitiveList/<list>` key, or the key itself if empty; undefined for other keys. */
export function listNameToDeleteFrom(key: string): string | undefined {
  if (!key.startsWith(deleteFromPrimitiveListPrefix)) return undefined;
  return listNameAfter(deleteFromPrimitiveListPrefix, key, 'invalid patch format of primitive list') || key;
}

/** The list name in a `$setElementOrder/<list>` key; undefined for other keys. */
export function listNameToOrder(key: string): string | undefined {
  if (!key.startsWith(setElementOrderPrefix)) return undefined;
  return listNameAfter(setElementOrderPrefix, key, 'invalid patch format of setElementOrder list');
}

export const isListDirective = (key: string) =>
  key.startsWith(deleteFromPrimitiveListPrefix) || key.startsWith(setElementOrderPrefix);

function listNameAfter(prefix: string, key: string, problem: string): string {
  if (!key.startsWith(`${prefix}/`)) throw new InvalidPatch(problem);
  return key.slice(prefix.length + 1);
}

/** The `$patch` directive of a value, if it has one. */
export function directiveOf(value: JsonValue): JsonValue | undefined {
  return isObject(value) && Object.hasOwn(value, patchDirective) ? value[patchDirective] : undefined;
}

/** Prepares a patch value for a field that the object lacks: removes nulls and parts with a directive, in place. */
export function removeNullsAndDirectives(value: JsonValue): JsonValue {
  return removeDirectives(removeNulls(value));
}

function removeNulls(value: JsonValue): JsonValue {
  if (Array.isArray(value)) for (const element of value) removeNulls(element);
  else if (isObject(value)) {
    for (const key in value) {
      if (value[key] === null) delete value[key];
      else removeNulls(value[key]!);
    }
  }
  return value;
}

/** Removes list elements and members with a `$patch` directive. Returns null for a value that itself has one. */
export function removeDirectives(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return value.filter((element) => directiveOf(element) === undefined).map(removeDirectives);
  }
  if (!isObject(value)) return value;
  if (Object.hasOwn(value, patchDirective)) return null;
  for (const key in value) {
    const member = removeDirectives(value[key]!);
    if (member === null && value[key] !== null) delete value[key];
    else value[key] = member;
  }
  return value;
}

export function unknownDirective(requested: JsonValue, container: JsonObject): InternalPatchError {
  // kube-apiserver formats with %s, which prints values other than strings as %!s(type=value).
  const isPrinted = typeof requested === 'string' || (typeof requested === 'object' && requested !== null);
  const type = requested === null ? '<nil>' : `${goTypeOf(requested)}=${goText(requested)}`;
  const text = isPrinted && !(requested instanceof RawNumber) ? goText(requested) : `%!s(${type})`;
  return new InternalPatchError(`unknown patch type: ${text} in map: ${goText(container)}`);
}

export const missingMergeKey = (element: JsonObject, key: string) =>
  new InternalPatchError(`map: ${goText(element)} does not contain declared merge key: ${key}`);

export const typeMismatch = (expected: string, value: JsonValue) =>
  new InternalPatchError(
    `expected a ${expected}, but received a ${value === null ? '%!s(<nil>)' : goTypeOf(value)}`,
  );

export const goMap = 'map[string]interface {}';
export const goList = '[]interface {}';

/** The Go type that kube-apiserver decodes a value to. Values of different types are not merged. */
export function goTypeOf(value: JsonValue): string {
  if (value === null) return 'nil';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (Array.isArray(value)) return goList;
  if (isObject(value) || value instanceof JsonText) return goMap;
  return readInteger(value, 64) === undefined ? 'float64' : 'int64';
}
