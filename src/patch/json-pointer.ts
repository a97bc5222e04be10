// JSON Pointer (RFC 6901): resolves the path of a JSON Patch operation.
import { isObject, type JsonObject, type JsonValue } from '../codec/json/json-value.ts';
import { quote } from '../errors/quote.ts';
import { NoSuchKey, NoSuchPath } from './patch-error.ts';

/** Deviations from RFC 6901 that kube-apiserver has through its library, evanphx/json-patch. */
export interface PointerOptions {
  /**
   * An array index may have a sign and leading zeros, and a negative one counts from the end. Text before the first
   * slash is ignored.
   */
  readonly isLenient: boolean;
}

/** The target of a pointer: its parent container and the last reference token. */
export interface PointerTarget {
  readonly container: JsonObject | JsonValue[];
  readonly key: string;
}

/** Undefined for the root document, which has no parent. Adds every container on the path to `traversed`. */
export function resolvePointer(
  document: JsonValue,
  pointer: string,
  options: PointerOptions,
  traversed: Set<JsonValue>,
): PointerTarget | undefined {
  const tokens = referenceTokens(pointer, options);
  const key = tokens.pop();
  if (key === undefined) return undefined;
  let container = document;
  for (const token of tokens) {
    traversed.add(container);
    const child = childOf(container, token, options);
    if (child === undefined) throw missingPathError(pointer);
    container = child;
  }
  if (!isObject(container) && !Array.isArray(container)) throw missingPathError(pointer);
  traversed.add(container);
  return { container, key };
}

/** Undefined if the value has no such member. Throws NoSuchKey for an array index that is malformed or out of range. */
function childOf(value: JsonValue, token: string, options: PointerOptions): JsonValue | undefined {
  if (Array.isArray(value)) return value[elementIndex(value, token, options)];
  return isObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

export const missingPathError = (pointer: string) => new NoSuchPath(pointer);

function referenceTokens(pointer: string, { isLenient }: PointerOptions): string[] {
  const [prefix, ...tokens] = pointer.split('/');
  if (prefix !== '' && !isLenient) throw missingPathError(pointer);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Parses a reference token as an array index; a negative one counts from `length`. The result may be out of range. */
function parseArrayIndex(length: number, token: string, { isLenient }: PointerOptions): number {
  const pattern = isLenient ? /^[-+]?\d{1,18}$/ : /^(?:0|[1-9]\d{0,17})$/;
  if (!pattern.test(token)) throw new NoSuchKey(`strconv.Atoi: parsing ${quote(token)}: invalid syntax`);
  const number = Number(token);
  return number < 0 ? number + length : number;
}

/** The index of an existing element. */
export function elementIndex(list: readonly JsonValue[], token: string, options: PointerOptions): number {
  const index = parseArrayIndex(list.length, token, options);
  if (index < 0 || index >= list.length) throw indexOutOfRange(token);
  return index;
}

/** The index at which to insert an element: the end of the list is allowed. */
export function insertionIndex(list: readonly JsonValue[], token: string, options: PointerOptions): number {
  if (token === '-') return list.length;
  const index = parseArrayIndex(list.length + 1, token, options);
  if (index < 0 || index > list.length) throw indexOutOfRange(token);
  return index;
}

const indexOutOfRange = (token: string) =>
  new NoSuchKey(`Unable to access invalid index: ${token}: invalid index referenced`);
