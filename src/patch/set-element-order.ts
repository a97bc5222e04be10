// Strategic merge patch: the `$setElementOrder/…` directive.
import { isObject, type JsonValue } from '../codec/json/json-value.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { goText } from '../errors/go-json.ts';
import type { ListType } from '../schema/collections.ts';
import { normalizeElementOrder } from './normalize-element-order.ts';
import { InternalPatchError, InvalidPatch } from './patch-error.ts';
import { directiveOf, goMap, missingMergeKey, typeMismatch } from './strategic-directives.ts';
import { mergeKeyText, requireMergeKey, sliceElementType } from './strategic-lists.ts';

/** Sorts the elements of a merged list in the order of the directive. */
export function applySetElementOrder(
  merged: JsonValue[],
  order: JsonValue[],
  original: JsonValue[],
  change: JsonValue[],
  { merge: { patchKey } }: ListType<unknown>,
): JsonValue[] {
  if (patchKey === undefined) {
    if (sliceElementType(original, change) === goMap) {
      throw new InvalidPatch('invalid patch format of setElementOrder list');
    }
    return normalizeElementOrder(merged, order, original, stringifyJson);
  }
  const invalidIndex = order.findIndex((element) => !isObject(element));
  if (invalidIndex >= 0 && merged.length > 0)
    throw new InternalPatchError(`value for key ${invalidIndex} is not a map`);
  sliceElementType(original, change);
  return normalizeElementOrder(
    requireMergeKey(merged, patchKey),
    requireMergeKey(order, patchKey),
    requireMergeKey(original, patchKey),
    (element) => mergeKeyText(element, patchKey),
  );
}

/** Throws unless the elements of the patch are in the order of the directive. */
export function validateElementOrder(change: JsonValue[], order: JsonValue[], key: string | undefined): void {
  if (change.length === 0 || order.length === 0) return;
  const kept = key === undefined ? change : change.filter((element) => !isDeletion(element));
  let keptIndex = 0;
  let orderIndex = 0;
  while (keptIndex < kept.length && orderIndex < order.length) {
    if (directiveOf(kept[keptIndex]!) !== undefined) {
      keptIndex++;
      continue;
    }
    if (isSameElement(kept[keptIndex]!, order[orderIndex]!, key)) keptIndex++;
    orderIndex++;
  }
  if (keptIndex === kept.length) return;
  throw new InternalPatchError(
    `The order in patch list:\n${goText(change)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`,
  );
}

function isDeletion(element: JsonValue): boolean {
  if (!isObject(element)) throw typeMismatch(goMap, element);
  return directiveOf(element) === 'delete';
}

function isSameElement(one: JsonValue, other: JsonValue, key: string | undefined): boolean {
  if (key === undefined) return stringifyJson(one) === stringifyJson(other);
  if (!isObject(one)) throw typeMismatch(goMap, one);
  if (!isObject(other)) throw typeMismatch(goMap, other);
  for (const element of [one, other]) if (!Object.hasOwn(element, key)) throw missingMergeKey(element, key);
  return mergeKeyText(one, key) === mergeKeyText(other, key);
}
