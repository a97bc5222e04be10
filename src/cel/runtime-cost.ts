import { CelObject } from './cel-object.ts';
import {
  Bytes,
  CelMap,
  FieldsObject,
  keysOf,
  lookUp,
  Optional,
  sizeOfMap,
  sizeOfString,
  type Value,
} from './values.ts';

/**
 * What a call costs, from its arguments: it is paid before the work is done. The numbers are the reference's: they decide whether an
 * expression stays within its budget. One unit is about what looking up a variable takes.
 */
export type CallCost = (first: Value, second: Value, third?: Value) => number;

/** A character of a text that is gone through. */
const perCharacter = 0.1;
/** A character of a regular expression: about four make one step. */
const perPatternCharacter = 0.25;
export const listCost = 10;
export const mapCost = 30;
export const structCost = 40;

/** Size as cost counts it: characters, bytes, elements; 1 of everything else. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return sizeOfString(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value)) return value.length;
  if (!(value instanceof CelObject)) return sizeOfMap(value);
  if (value instanceof Bytes) return value.data.length;
  if (value instanceof CelMap) return value.entries.size;
  if (value instanceof FieldsObject) return value.fields().length;
  if (value instanceof Optional) return value.value === undefined ? 1 : sizeOf(value.value);
  return 'costSize' in value ? (value.costSize as number) : 1;
}

/** Going through a text that is so long. */
const through = (size: number) => Math.ceil(size * perCharacter);

const one: CallCost = () => 1;
const throughFirst: CallCost = (text) => through(sizeOf(text));
const throughFirstTwice: CallCost = (text) => Math.ceil(sizeOf(text) * 2 * perCharacter);

function matching(text: number, pattern: number): number {
  return through(1 + text) * Math.ceil(pattern * perPatternCharacter);
}

const matchingFirst: CallCost = (text, pattern) => matching(sizeOf(text), sizeOf(pattern));

/** Equal or in order: no further than the shorter goes. */
export function comparing(a: Value, b: Value): number {
  // Most of what is compared is a number or a short text.
  if (typeof a !== 'object' && typeof a !== 'string') return typeof b === 'string' && b === '' ? 0 : 1;
  return through(Math.min(sizeOf(a), sizeOf(b)));
}

/** The work of going over everything inside. */
function traversal(value: Value): number {
  if (typeof value === 'string') return Math.floor(value.length * perCharacter);
  if (value instanceof Bytes) return Math.floor(value.data.length * perCharacter);
  if (Array.isArray(value)) return value.reduce<number>((sum, element) => sum + traversal(element), 0);
  if (
    value instanceof CelMap ||
    (typeof value === 'object' && value !== null && !(value instanceof CelObject))
  )
    return keysOf(value).reduce<number>(
      (sum, key) => sum + traversal(key) + traversal(lookUp(value, key)!),
      0,
    );
  return 1;
}

const containment: CallCost = (range) => Math.ceil(2 * sizeOf(range) * perCharacter);

/** How long the text will be that `join` makes. */
function joinedSize(list: Value, separator: Value | undefined): number {
  if (!Array.isArray(list)) return 0;
  const between = separator === undefined ? 0 : sizeOf(separator) * Math.max(0, list.length - 1);
  return list.reduce<number>((sum, element) => sum + sizeOf(element), between);
}

/** Each element of one list is looked for in the other. */
const pairs =
  (times: number): CallCost =>
  (one, other) =>
    1 + sizeOf(one) * sizeOf(other) * times;

/** By function, whatever the overload. */
const byFunction: Readonly<Record<string, CallCost>> = {
  check: () => 350_000,
  ...sameFor(
    'serviceAccount path group resource subresource namespace name allowed reason error errored format.named sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast getScheme getHostname getHost getPort getEscapedPath getQuery',
    one,
  ),
  ...sameFor('fieldSelector labelSelector', (_, selector) => selectorCost(sizeOf(selector))),
  ...sameFor('isSorted sum max min indexOf lastIndexOf', (first) => traversal(first)),
  ...sameFor(
    'url lowerAscii upperAscii substring trim cidr isIP isCIDR quantity isQuantity semver isSemver',
    throughFirst,
  ),
  ...sameFor('replace split ip.isCanonical', throughFirstTwice),
  join: (list, separator) => Math.ceil(joinedSize(list, separator) * 2 * perCharacter),
  ...sameFor('find findAll', matchingFirst),
  ip: throughFirst,
  ...sameFor('sets.contains sets.intersects', pairs(1)),
  'sets.equivalent': pairs(2),
  validate: (format, text) => matching(sizeOf(text), (format as { patternSize?: number }).patternSize ?? 1),
};

/** By overload, where the function alone does not say. */
const byOverload: Readonly<Record<string, CallCost>> = {
  ...sameFor(
    'starts_with_string ends_with_string string_to_bytes bytes_to_string strings_quote string_format',
    throughFirst,
  ),
  in_list: (_, list) => sizeOf(list),
  ...sameFor(
    'less_string greater_string less_equals_string greater_equals_string less_bytes greater_bytes less_equals_bytes greater_equals_bytes equals not_equals',
    (a, b) => comparing(a, b),
  ),
  ...sameFor('add_string add_bytes', (a, b) => through(sizeOf(a) + sizeOf(b))),
  matches_string: matchingFirst,
  contains_string: (text, part) => through(sizeOf(text)) * through(sizeOf(part)),
  cidr_ip: one,
  cidr_contains_ip_ip: containment,
  cidr_contains_ip_string: (range, ip) => containment(range, ip) + through(sizeOf(ip)),
  cidr_contains_cidr: (range, other) => containment(range, other) + through(sizeOf(range)) + 1,
  cidr_contains_cidr_string: (range, other) =>
    containment(range, other) + through(sizeOf(range)) + 1 + through(sizeOf(other)),
};

function sameFor(names: string, cost: CallCost): Record<string, CallCost> {
  return Object.fromEntries(names.split(' ').map((name) => [name, cost]));
}

/** Each two characters may be a requirement, which is a struct and a list. */
function selectorCost(length: number): number {
  return listCost + through(length) + Math.ceil(length * 0.5) * (listCost + structCost);
}

/** Undefined where it is always 1. `overload` is known only where the types leave one alone. */
export function callCost(name: string, overload: string | undefined): CallCost | undefined {
  const cost =
    (overload === 'cidr_ip' ? one : byFunction[name]) ??
    (overload === undefined ? undefined : byOverload[overload]);
  return cost === one ? undefined : cost;
}
