// JSON schema validation of numbers: multipleOf, maximum and minimum.
import { RawNumber } from '../../codec/json/json-value.ts';
import { FormattedValue } from '../../errors/field-error.ts';
import { goFloat } from '../../errors/go-float.ts';
import type { JSONSchemaProps } from './json-schema.ts';

export interface NumberProblem {
  /** The value in the message. */
  readonly shown: FormattedValue;
  /** The message after the name of the field, or instead of it. */
  readonly why: (name: string) => string;
}

type Limits = Pick<
  JSONSchemaProps,
  'multipleOf' | 'maximum' | 'minimum' | 'exclusiveMaximum' | 'exclusiveMinimum'
>;

/**
 * What is wrong with a number. The release compares 64-bit integers with limits that it cuts to such integers, so that no
 * integer is a multiple of 0.1; and all other numbers as floats, with a tolerance.
 */
export function numberProblems(value: number | RawNumber, limits: Limits, isExact: boolean): NumberProblem[] {
  if (isWithin(value, limits)) return [];
  const kind = isExact ? decimals : isInt64(value) ? integers : floats;
  return [...kind(value, limits)];
}

/** Fast path: no limits, or integers that JavaScript compares exactly. */
function isWithin(value: number | RawNumber, limits: Limits): boolean {
  const { multipleOf, maximum, minimum, exclusiveMaximum, exclusiveMinimum } = limits;
  if (maximum === undefined && minimum === undefined && multipleOf === undefined) return true;
  if (!Number.isSafeInteger(value)) return false;
  const number = value as number;
  const isSafe = (limit: number | undefined) => limit === undefined || Number.isSafeInteger(limit);
  if (!isSafe(maximum) || !isSafe(minimum) || !isSafe(multipleOf)) return false;
  if (maximum !== undefined && (exclusiveMaximum ? number >= maximum : number > maximum)) return false;
  if (minimum !== undefined && (exclusiveMinimum ? number <= minimum : number < minimum)) return false;
  return multipleOf === undefined || (multipleOf > 0 && number % multipleOf === 0);
}

/** Compares two numbers: negative, 0 or positive as the first is less, equal or greater. */
function* bounds(
  { maximum, minimum, exclusiveMaximum = false, exclusiveMinimum = false }: Limits,
  compare: (limit: number) => number,
  show: (limit: number) => string,
  badValue: FormattedValue,
): Generator<NumberProblem> {
  const problem = (what: string) => ({
    shown: badValue,
    why: (name: string) => `${name} in body should be ${what}`,
  });
  if (maximum !== undefined && compare(maximum) > (exclusiveMaximum ? -1 : 0)) {
    yield problem(`less than ${exclusiveMaximum ? '' : 'or equal to '}${show(maximum)}`);
  }
  if (minimum !== undefined && compare(minimum) < (exclusiveMinimum ? 1 : 0)) {
    yield problem(`greater than ${exclusiveMinimum ? '' : 'or equal to '}${show(minimum)}`);
  }
}

const multiple = (badValue: FormattedValue, factor: string): NumberProblem => ({
  shown: badValue,
  why: (name) => `${name} in body should be a multiple of ${factor}`,
});

const noFactor = (factor: string): NumberProblem => ({
  shown: new FormattedValue(factor),
  why: (name) => `factor MultipleOf declared for ${name} must be positive: ${factor}`,
});

const lowestInt64 = -(2n ** 63n);

/** JSON integers that fit 64 bits. */
const isInt64 = (value: number | RawNumber) =>
  value instanceof RawNumber
    ? /^-?\d+$/.test(value.text)
    : Number.isInteger(value) && Math.abs(value) < 2 ** 63;

function toInt64(limit: number): bigint {
  return Math.abs(limit) < 2 ** 63 ? BigInt(Math.trunc(limit)) : lowestInt64;
}

function* integers(value: number | RawNumber, limits: Limits): Generator<NumberProblem> {
  const number = BigInt(String(value));
  const badValue = new FormattedValue(String(number));
  if (limits.multipleOf !== undefined) {
    const factor = toInt64(limits.multipleOf);
    if (factor <= 0n) yield noFactor(String(factor));
    else if (number % factor !== 0n) yield multiple(badValue, String(factor));
  }
  const compare = (limit: number) => sign(number - toInt64(limit));
  yield* bounds(limits, compare, (limit) => String(toInt64(limit)), badValue);
}

function* floats(value: number | RawNumber, limits: Limits): Generator<NumberProblem> {
  const number = Number(value);
  const badValue = new FormattedValue(goFloat(number));
  const { multipleOf: factor } = limits;
  if (factor !== undefined) {
    if (factor <= 0) yield noFactor(goFloat(factor));
    else if (!isNearInteger(factor < 1 ? (1 / factor) * number : number / factor)) {
      yield multiple(badValue, goFloat(factor));
    }
  }
  const compare = (limit: number) => (number < limit ? -1 : number > limit ? 1 : 0);
  yield* bounds(limits, compare, goFloat, badValue);
}

const tolerance = 1e-9;

function isNearInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const whole = Math.trunc(value);
  if (whole === value) return true;
  if (whole === 0) return false;
  return Math.abs(value - whole) / (Math.abs(value) + Math.abs(whole)) < tolerance;
}

/** A decimal number: `digits` times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function* decimals(value: number | RawNumber, limits: Limits): Generator<NumberProblem> {
  const number = toDecimal(String(value));
  const badValue = new FormattedValue(isInt64(value) ? String(value) : goFloat(Number(value)));
  const { multipleOf: factor } = limits;
  const show = (limit: number) => (isInt64(limit) ? String(limit) : goFloat(limit));
  if (factor !== undefined) {
    if (factor <= 0) yield noFactor(show(factor));
    else {
      const [dividend, divisor] = aligned(number, toDecimal(String(factor)));
      if (dividend % divisor !== 0n) yield multiple(badValue, show(factor));
    }
  }
  const compare = (limit: number) => {
    const [one, other] = aligned(number, toDecimal(String(limit)));
    return sign(one - other);
  };
  yield* bounds(limits, compare, show, badValue);
}

function toDecimal(text: string): Decimal {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

/** Two numbers as integers of the same unit. Those of JavaScript differ by at most 10 to the power of about 650. */
function aligned(one: Decimal, other: Decimal): [bigint, bigint] {
  const exponent = Math.min(one.exponent, other.exponent);
  const scaled = (number: Decimal) => number.digits * 10n ** BigInt(number.exponent - exponent);
  return [scaled(one), scaled(other)];
}

const sign = (number: bigint) => (number < 0n ? -1 : number > 0n ? 1 : 0);
