// Strategic merge patch: lists, their element types, merge keys and element directives.
import { isObject, type JsonObject, type JsonValue } from '../codec/json/json-value.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { goText } from '../errors/go-json.ts';
import { quote } from '../errors/quote.ts';
import { type ListType, MapType } from '../schema/collections.ts';
import { shortName } from '../schema/scalars.ts';
import { type Field, Struct } from '../schema/struct.ts';
import type { Type } from '../schema/type.ts';
import { normalizeElementOrder } from './normalize-element-order.ts';
import { InternalPatchError } from './patch-error.ts';
import { directiveOf, goTypeOf, missingMergeKey, unknownDirective } from './strategic-directives.ts';

/** The schema of a field. Maps have one type for all keys. Throws for a field that the type does not have. */
export function fieldOf(type: Type, name: string): Pick<Field, 'type' | 'patch'> {
  if (type instanceof MapType) return { type: type.element as Type };
  if (type instanceof Struct && Object.hasOwn(type.fields, name)) return type.fields[name] as Field;
  const struct = shortName(type.name).replace(/^.*\./, '');
  throw new InternalPatchError(
    `unable to find api field in struct ${struct} for the json field ${quote(name)}`,
  );
}

/** Whether the list has patchStrategy merge. */
export const hasMergeStrategy = (type: ListType<unknown>) => type.merge.patch?.includes('merge') ?? false;

/** The common type of all elements. Throws if they differ. */
export function sliceElementType(...lists: (readonly JsonValue[])[]): string {
  let common: string | undefined;
  for (const list of lists) {
    for (const element of list) {
      const type = goTypeOf(element);
      common ??= type;
      if (type !== common)
        throw new InternalPatchError(
          `list element types are not identical: ${goText([...lists] as JsonValue[])}`,
        );
    }
  }
  if (common === undefined) throw new InternalPatchError('no elements in any of the given slices');
  return common;
}

export function deleteFromPrimitiveList(
  old: readonly JsonValue[],
  removed: readonly JsonValue[],
): JsonValue[] {
  const texts = new Set(removed.map(stringifyJson));
  return old.filter((element) => !texts.has(stringifyJson(element)));
}

export function mergePrimitiveLists(old: readonly JsonValue[], change: readonly JsonValue[]): JsonValue[] {
  const seen = new Set<string>();
  const merged = [...old, ...change].filter((value) => {
    const text = stringifyJson(value);
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew;
  });
  return normalizeElementOrder(merged, change, old, stringifyJson);
}

/** The elements of a patch to a list with a merge key, by their `$patch` directive. */
interface ElementsByDirective {
  /** The merge keys of the elements to delete. */
  readonly deleted: ReadonlySet<string>;
  /** The elements without directive, to merge. */
  readonly plain: readonly JsonObject[];
  /** An element replaces the whole list by the plain elements. */
  readonly replaces: boolean;
}

export function groupByDirective(change: readonly JsonObject[], key: string): ElementsByDirective {
  const deleted = new Set<string>();
  const plain: JsonObject[] = [];
  let replaces = false;
  for (const element of change) {
    const requested = directiveOf(element);
    if (requested === undefined) plain.push(element);
    else if (requested === 'replace') replaces = true;
    else if (requested === 'merge')
      throw new InternalPatchError('merging lists cannot yet be specified in the patch');
    else if (requested !== 'delete') throw unknownDirective(requested, element);
    else if (Object.hasOwn(element, key)) deleted.add(mergeKeyText(element, key));
    else throw missingMergeKey(element, key);
  }
  return { deleted, plain, replaces };
}

/** Returns the elements. Throws if one lacks the merge key. */
export function requireMergeKey(elements: readonly JsonValue[], key: string): JsonObject[] {
  for (const element of elements) {
    if (isObject(element) && !Object.hasOwn(element, key)) throw missingMergeKey(element, key);
  }
  return elements as JsonObject[];
}

/** The value of an element's merge key as text, to compare keys. A leading quote tells strings from numbers. */
export function mergeKeyText(element: JsonObject, key: string): string {
  const value = element[key]!;
  return typeof value === 'string' ? `"${value}` : stringifyJson(value);
}
