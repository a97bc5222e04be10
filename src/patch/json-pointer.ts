// JSON Pointer (RFC 6901).
import { isObject, type JsonObject, type JsonValue } from '../codec/json/json-value.ts';
import { quote } from '../errors/quote.ts';
import { NoSuchKey, NoSuchPath } from './patch-error.ts';

/** Deviations from the RFC. */
export interface PointerOptions {
  /**
   * An array index may have a sign and leading zeros, and a negative one counts from the end. Text before the first
   * slash is ignored.
   */
  readonly looseNumbers: boolean;
}

/** The target of a pointer: its parent container and the last reference token. */
export interface PointerTarget {
  readonly holder: JsonObject | JsonValue[];
  readonly key: string;
}

/** Undefined for the whole document, which has no parent. Records the containers on the path. */
export function resolvePointer(
  document: JsonValue,
  pointer: string,
  options: PointerOptions,
  passed: Set<JsonValue>,
): PointerTarget | undefined {
  const parts = referenceTokens(pointer, options);
  const key = parts.pop();
  if (key === undefined) return undefined;
  let holder = document;
  for (const part of parts) {
    passed.add(holder);
    const next = Array.isArray(holder)
      ? holder[elementIndex(holder, part, options)]
      : isObject(holder) && Object.hasOwn(holder, part)
        ? holder[part]
        : undefined;
    if (next === undefined) throw missingPath(pointer);
    holder = next;
  }
  if (!isObject(holder) && !Array.isArray(holder)) throw missingPath(pointer);
  passed.add(holder);
  return { holder, key };
}

export const missingPath = (pointer: string) => new NoSuchPath(pointer);

function referenceTokens(pointer: string, { looseNumbers }: PointerOptions): string[] {
  const [prefix, ...parts] = pointer.split('/');
  if (prefix !== '' && !looseNumbers) throw missingPath(pointer);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The index of a reference token in a list of `places` positions; may be out of range. */
function parseArrayIndex(places: number, part: string, { looseNumbers }: PointerOptions): number {
  const form = looseNumbers ? /^[-+]?\d{1,18}$/ : /^(?:0|[1-9]\d{0,17})$/;
  if (!form.test(part)) throw new NoSuchKey(`strconv.Atoi: parsing ${quote(part)}: invalid syntax`);
  const number = Number(part);
  return number < 0 ? number + places : number;
}

/** The index of an existing element. */
export function elementIndex(list: readonly JsonValue[], part: string, options: PointerOptions): number {
  const index = parseArrayIndex(list.length, part, options);
  if (index < 0 || index >= list.length) throw indexOutOfRange(part);
  return index;
}

/** The index at which to insert an element: the end of the list is allowed. */
export function insertionIndex(list: readonly JsonValue[], part: string, options: PointerOptions): number {
  if (part === '-') return list.length;
  const index = parseArrayIndex(list.length + 1, part, options);
  if (index < 0 || index > list.length) throw indexOutOfRange(part);
  return index;
}

const indexOutOfRange = (part: string) =>
  new NoSuchKey(`Unable to access invalid index: ${part}: invalid index referenced`);
