/** Strategic merge patch: `$setElementOrder/…`, the order of list elements. */
import { isObject, type JsonValue } from '../codec/json/json-value.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { goText } from '../errors/go-json.ts';
import type { ListType } from '../schema/collections.ts';
import { inOrder } from './list-order.ts';
import { BadPatch, PatchFailure } from './patch-error.ts';
import { directiveOf, goMap, noMergeKey, unexpected } from './strategic-directives.ts';
import { keyed, keyText, typeOfElements } from './strategic-lists.ts';

/** Puts merged elements in the order of the directive. */
export function inElementOrder(
  merged: JsonValue[],
  order: JsonValue[],
  before: JsonValue[],
  change: JsonValue[],
  { merge: { patchKey } }: ListType<unknown>,
): JsonValue[] {
  if (patchKey === undefined) {
    if (typeOfElements(before, change) === goMap) {
      throw new BadPatch('invalid patch format of setElementOrder list');
    }
    return inOrder(merged, order, before, stringifyJson);
  }
  const wrongAt = order.findIndex((element) => !isObject(element));
  if (wrongAt >= 0 && merged.length > 0) throw new PatchFailure(`value for key ${wrongAt} is not a map`);
  typeOfElements(before, change);
  return inOrder(keyed(merged, patchKey), keyed(order, patchKey), keyed(before, patchKey), (element) =>
    keyText(element, patchKey),
  );
}

/** The elements of the patch must be in the order that the directive gives. */
export function validateElementOrder(change: JsonValue[], order: JsonValue[], key: string | undefined): void {
  if (change.length === 0 || order.length === 0) return;
  const kept = key === undefined ? change : change.filter((element) => !isDeletion(element));
  let at = 0;
  let place = 0;
  while (at < kept.length && place < order.length) {
    if (directiveOf(kept[at]!) !== undefined) {
      at++;
      continue;
    }
    if (isSameElement(kept[at]!, order[place]!, key)) at++;
    place++;
  }
  if (at === kept.length) return;
  throw new PatchFailure(
    `The order in patch list:\n${goText(change)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`,
  );
}

function isDeletion(element: JsonValue): boolean {
  if (!isObject(element)) throw unexpected(goMap, element);
  return directiveOf(element) === 'delete';
}

function isSameElement(one: JsonValue, other: JsonValue, key: string | undefined): boolean {
  if (key === undefined) return stringifyJson(one) === stringifyJson(other);
  if (!isObject(one)) throw unexpected(goMap, one);
  if (!isObject(other)) throw unexpected(goMap, other);
  for (const element of [one, other]) if (!Object.hasOwn(element, key)) throw noMergeKey(element, key);
  return keyText(one, key) === keyText(other, key);
}
