// CEL cost model: costs that several functions share. A cost that only one library uses is in that library.
import { CelObject } from '../types.ts';
import {
  Bytes,
  CelMap,
  CelOptional,
  FieldsObject,
  keysOf,
  lookUp,
  sizeOfMap,
  sizeOfString,
  type Value,
} from '../values.ts';
import type { CallCost, EstimatedCall, RuntimeCost, SizeEstimator } from './call-cost.ts';
import { exactly, plus, type Range, scaled, times } from './range.ts';

/** The cost of traversing one character of a string. */
export const perCharacter = 0.1;
/** The cost of one character of a regular expression: about four characters make one step. */
export const perPatternCharacter = 0.25;

/**
 * The size of a value in the cost model: characters, bytes or elements; `costSize` of a library's type that has one;
 * otherwise 1.
 */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return sizeOfString(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value)) return value.length;
  if (!(value instanceof CelObject)) return sizeOfMap(value);
  if (value instanceof Bytes) return value.data.length;
  if (value instanceof CelMap) return value.entries.size;
  if (value instanceof FieldsObject) return value.fields().length;
  if (value instanceof CelOptional) return value.value === undefined ? 1 : sizeOf(value.value);
  return 'costSize' in value ? (value.costSize as number) : 1;
}

/** Traversing a string of this size. */
export const traversalCost = (size: number) => Math.ceil(size * perCharacter);
export const traversalCostRange = (size: Range) => scaled(size, perCharacter);

/** The size of a member call's target, or of the first argument of a global call. */
export const targetSize = ({ target, argSizes }: EstimatedCall, sizes: SizeEstimator) =>
  target ? sizes.size(target) : (argSizes[0] ?? exactly(1));

/** The same cost for every call. */
export const fixed = (cost: number): CallCost => ({
  estimate: () => ({ cost: exactly(cost) }),
  runtime: () => cost,
});

/** One unit, the cost of a call that does not depend on its arguments. */
export const nominal: CallCost = fixed(1);

const traversalOfFirst: RuntimeCost = (text) => traversalCost(sizeOf(text));

/** A member function that reads its target once and returns a string of about the same size. */
export const traversesTarget: CallCost = {
  estimate: (call, sizes) => {
    const size = targetSize(call, sizes);
    return { cost: traversalCostRange(size), size };
  },
  runtime: traversalOfFirst,
};

/**
 * A call whose estimate follows the first argument after the target, and whose runtime cost follows its first
 * operand.
 */
export const traversesArgument: CallCost = {
  estimate: ({ argSizes }) => ({ cost: traversalCostRange(argSizes[0]!) }),
  runtime: traversalOfFirst,
};

/** Matching a regular expression against a string. */
export const matchingCostRange = (text: Range, pattern: Range): Range =>
  times(traversalCostRange(plus(text, exactly(1))), scaled(pattern, perPatternCharacter));

export const matchingCost = (text: number, pattern: number): number =>
  traversalCost(1 + text) * Math.ceil(pattern * perPatternCharacter);

export const matchingArguments: RuntimeCost = (text, pattern) => matchingCost(sizeOf(text), sizeOf(pattern));

/** Equality and order: the shorter of both operands is traversed. */
export function comparisonCost(a: Value, b: Value): number {
  // Fast path: most operands are numbers or short strings.
  if (typeof a !== 'object' && typeof a !== 'string') return typeof b === 'string' && b === '' ? 0 : 1;
  return traversalCost(Math.min(sizeOf(a), sizeOf(b)));
}

export const comparison: CallCost = {
  estimate: ({ argSizes: [left, right] }) => {
    const max = Math.min(left!.max, right!.max);
    return { cost: traversalCostRange({ min: max > 0 ? 1 : 0, max }) };
  },
  runtime: comparisonCost,
};

/** The work of visiting everything inside a value. */
function deepSize(value: Value): number {
  if (typeof value === 'string') return Math.floor(value.length * perCharacter);
  if (value instanceof Bytes) return Math.floor(value.data.length * perCharacter);
  if (Array.isArray(value)) return value.reduce<number>((sum, element) => sum + deepSize(element), 0);
  if (
    value instanceof CelMap ||
    (typeof value === 'object' && value !== null && !(value instanceof CelObject))
  )
    return keysOf(value).reduce<number>((sum, key) => sum + deepSize(key) + deepSize(lookUp(value, key)!), 0);
  return 1;
}

/** A member function of a list or a string that visits every element. */
export const visitsElements: CallCost = {
  estimate: ({ target }, sizes) => {
    if (!target) return { cost: exactly(1) };
    const size = sizes.size(target);
    const element = sizes.typeOf(target).params[0];
    if (!element) return { cost: traversalCostRange(size) };
    const isLong = element.kind === 'string' || element.kind === 'bytes';
    const elementCost = isLong
      ? plus(exactly(1), traversalCostRange(sizes.sizeBelow(target, '@items')))
      : exactly(1);
    return { cost: times(size, elementCost) };
  },
  runtime: (first) => deepSize(first),
};
