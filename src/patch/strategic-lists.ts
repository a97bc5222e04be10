import { isObject, type JsonObject, type JsonValue } from '../codec/json/json-value.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { goText } from '../errors/go-json.ts';
import { quote } from '../errors/quote.ts';
import { type ListType, MapType } from '../schema/collections.ts';
import { shortName } from '../schema/scalars.ts';
import { type Field, Struct } from '../schema/struct.ts';
import type { Type } from '../schema/type.ts';
import { inOrder } from './list-order.ts';
import { PatchFailure } from './patch-error.ts';
import { directiveOf, goMap, goTypeOf, noMergeKey, unknownDirective } from './strategic-directives.ts';
import { mergeObjects } from './strategic-merge.ts';

/** What a patch needs to know of a field. Maps hold one type under all keys. */
export function fieldOf(type: Type, name: string): Pick<Field, 'type' | 'patch'> {
  if (type instanceof MapType) return { type: type.element as Type };
  if (type instanceof Struct && Object.hasOwn(type.fields, name)) return type.fields[name] as Field;
  const struct = shortName(type.name).replace(/^.*\./, '');
  throw new PatchFailure(`unable to find api field in struct ${struct} for the json field ${quote(name)}`);
}

/** Whether a list is merged with what a patch says, instead of being replaced. */
export const mergedByKey = (type: ListType<unknown>) => type.merge.patch?.includes('merge') ?? false;

/** A list with the changes of a patch, or without the elements that the patch wants to have deleted. */
export function mergeLists(
  old: JsonValue[],
  change: JsonValue[],
  type: ListType<unknown>,
  isDeletion: boolean,
): JsonValue[] {
  if (old.length === 0 && change.length === 0) return old;
  if (typeOfElements(old, change) !== goMap) {
    return isDeletion ? withoutScalars(old, change) : mergeScalars(old, change);
  }
  const { patchKey } = type.merge;
  if (patchKey !== undefined) return mergeElements(old, change, patchKey, type.element as Type);
  throw new PatchFailure(`cannot merge lists without merge key for ${type.element.form}`);
}

/** All elements are of one type. */
export function typeOfElements(...lists: (readonly JsonValue[])[]): string {
  let known: string | undefined;
  for (const list of lists) {
    for (const element of list) {
      const type = goTypeOf(element);
      known ??= type;
      if (type !== known)
        throw new PatchFailure(`list element types are not identical: ${goText([...lists] as JsonValue[])}`);
    }
  }
  if (known === undefined) throw new PatchFailure('no elements in any of the given slices');
  return known;
}

function withoutScalars(old: readonly JsonValue[], removed: readonly JsonValue[]): JsonValue[] {
  const texts = new Set(removed.map(stringifyJson));
  return old.filter((element) => !texts.has(stringifyJson(element)));
}

function mergeScalars(old: readonly JsonValue[], change: readonly JsonValue[]): JsonValue[] {
  const known = new Set<string>();
  const merged = [...old, ...change].filter((value) => {
    const text = stringifyJson(value);
    const isNew = !known.has(text);
    known.add(text);
    return isNew;
  });
  return inOrder(merged, change, old, stringifyJson);
}

/** Elements that are deleted go before others are merged, and all go where the patch says that it replaces the list. */
function mergeElements(
  old: readonly JsonValue[],
  change: readonly JsonValue[],
  key: string,
  type: Type,
): JsonValue[] {
  const { deleted, plain, replaces } = sorted(change as JsonObject[], key);
  if (replaces) return keyed(plain, key);
  const left = keyed(old, key).filter((element) => !deleted.has(keyText(element, key)));
  const merged = [...left];
  /** Where the first element with a key is. */
  const places = new Map<string, number>();
  for (const [place, element] of left.entries()) {
    const text = keyText(element, key);
    if (!places.has(text)) places.set(text, place);
  }
  for (const element of keyed(plain, key)) {
    const text = keyText(element, key);
    const place = places.get(text);
    if (place !== undefined) merged[place] = mergeObjects(merged[place]!, element, type);
    else places.set(text, merged.push(element) - 1);
  }
  return inOrder(keyed(merged, key), plain, left, (element) => keyText(element, key));
}

/** The elements of a patch, sorted by what they are for. */
function sorted(change: readonly JsonObject[], key: string) {
  const deleted = new Set<string>();
  const plain: JsonObject[] = [];
  let replaces = false;
  for (const element of change) {
    const asked = directiveOf(element);
    if (asked === undefined) plain.push(element);
    else if (asked === 'replace') replaces = true;
    else if (asked === 'merge') throw new PatchFailure('merging lists cannot yet be specified in the patch');
    else if (asked !== 'delete') throw unknownDirective(asked, element);
    else if (Object.hasOwn(element, key)) deleted.add(keyText(element, key));
    else throw noMergeKey(element, key);
  }
  return { deleted, plain, replaces };
}

/** Elements that are told apart by a key: each has it. */
export function keyed(elements: readonly JsonValue[], key: string): JsonObject[] {
  for (const element of elements) {
    if (isObject(element) && !Object.hasOwn(element, key)) throw noMergeKey(element, key);
  }
  return elements as JsonObject[];
}

/** A text that is the same for the same key. */
export function keyText(element: JsonObject, key: string): string {
  const value = element[key]!;
  return typeof value === 'string' ? `"${value}` : stringifyJson(value);
}
