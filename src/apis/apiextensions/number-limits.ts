// JSON schema validation of numbers: multipleOf, maximum and minimum.
import { RawNumber } from '../../codec/json/json-value.ts';
import { FormattedValue } from '../../errors/field-error.ts';
import { goFloat } from '../../errors/go-float.ts';
import type { JSONSchemaProps } from './json-schema.ts';

export interface NumberProblem {
  /** The value as the error message prints it. */
  readonly badValue: FormattedValue;
  /** The error message for a field of this name. */
  readonly detail: (name: string) => string;
}

type Limits = Pick<
  JSONSchemaProps,
  'multipleOf' | 'maximum' | 'minimum' | 'exclusiveMaximum' | 'exclusiveMinimum'
>;

/**
 * The violated limits of a number. kube-apiserver truncates the limits of a 64-bit integer to integers, so that it
 * rejects every integer for multipleOf 0.1, and compares all other numbers as floats with a tolerance. `isExact`
 * compares decimals exactly instead.
 */
export function numberProblems(value: number | RawNumber, limits: Limits, isExact: boolean): NumberProblem[] {
  if (isTriviallyValid(value, limits)) return [];
  if (isExact) return [...decimalProblems(value, limits)];
  return [...(isInt64(value) ? integerProblems(value, limits) : floatProblems(value, limits))];
}

/** Fast path: no limits, or a valid integer that JavaScript compares exactly. False if the slow path has to decide. */
function isTriviallyValid(value: number | RawNumber, limits: Limits): boolean {
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

/** Validates maximum and minimum. `compare` returns -1, 0 or 1 if the value is less than, equal to or above the limit. */
function* boundProblems(
  { maximum, minimum, exclusiveMaximum = false, exclusiveMinimum = false }: Limits,
  compare: (limit: number) => number,
  format: (limit: number) => string,
  badValue: FormattedValue,
): Generator<NumberProblem> {
  const problem = (bound: string) => ({
    badValue,
    detail: (name: string) => `${name} in body should be ${bound}`,
  });
  if (maximum !== undefined && compare(maximum) > (exclusiveMaximum ? -1 : 0)) {
    yield problem(`less than ${exclusiveMaximum ? '' : 'or equal to '}${format(maximum)}`);
  }
  if (minimum !== undefined && compare(minimum) < (exclusiveMinimum ? 1 : 0)) {
    yield problem(`greater than ${exclusiveMinimum ? '' : 'or equal to '}${format(minimum)}`);
  }
}

const notMultiple = (badValue: FormattedValue, factor: string): NumberProblem => ({
  badValue,
  detail: (name) => `${name} in body should be a multiple of ${factor}`,
});

const invalidFactor = (factor: string): NumberProblem => ({
  badValue: new FormattedValue(factor),
  detail: (name) => `factor MultipleOf declared for ${name} must be positive: ${factor}`,
});

const lowestInt64 = -(2n ** 63n);

/**
 * Whether a JSON number is an integer that fits 64 bits. RawNumber keeps one that a JavaScript number cannot represent.
 */
const isInt64 = (value: number | RawNumber) =>
  value instanceof RawNumber
    ? /^-?\d+$/.test(value.text)
    : Number.isInteger(value) && Math.abs(value) < 2 ** 63;

/** Truncates a limit to an integer, or to the lowest one if it does not fit. */
function toInt64(limit: number): bigint {
  return Math.abs(limit) < 2 ** 63 ? BigInt(Math.trunc(limit)) : lowestInt64;
}

function* integerProblems(value: number | RawNumber, limits: Limits): Generator<NumberProblem> {
  const number = BigInt(String(value));
  const badValue = new FormattedValue(String(number));
  if (limits.multipleOf !== undefined) {
    const factor = toInt64(limits.multipleOf);
    if (factor <= 0n) yield invalidFactor(String(factor));
    else if (number % factor !== 0n) yield notMultiple(badValue, String(factor));
  }
  const compare = (limit: number) => sign(number - toInt64(limit));
  yield* boundProblems(limits, compare, (limit) => String(toInt64(limit)), badValue);
}

function* floatProblems(value: number | RawNumber, limits: Limits): Generator<NumberProblem> {
  const number = Number(value);
  const badValue = new FormattedValue(goFloat(number));
  const { multipleOf: factor } = limits;
  if (factor !== undefined) {
    if (factor <= 0) yield invalidFactor(goFloat(factor));
    else if (!isNearInteger(factor < 1 ? (1 / factor) * number : number / factor)) {
      yield notMultiple(badValue, goFloat(factor));
    }
  }
  const compare = (limit: number) => Number(number > limit) - Number(number < limit);
  yield* boundProblems(limits, compare, goFloat, badValue);
}

/** The relative difference below which a quotient counts as an integer. */
const tolerance = 1e-9;

function isNearInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const integerPart = Math.trunc(value);
  if (integerPart === value) return true;
  if (integerPart === 0) return false;
  return Math.abs(value - integerPart) / (Math.abs(value) + Math.abs(integerPart)) < tolerance;
}

/** A decimal number: `digits` times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function* decimalProblems(value: number | RawNumber, limits: Limits): Generator<NumberProblem> {
  const number = toDecimal(String(value));
  const badValue = new FormattedValue(isInt64(value) ? String(value) : goFloat(Number(value)));
  const { multipleOf: factor } = limits;
  const format = (limit: number) => (isInt64(limit) ? String(limit) : goFloat(limit));
  if (factor !== undefined) {
    if (factor <= 0) yield invalidFactor(format(factor));
    else {
      const [dividend, divisor] = aligned(number, toDecimal(String(factor)));
      if (dividend % divisor !== 0n) yield notMultiple(badValue, format(factor));
    }
  }
  const compare = (limit: number) => {
    const [a, b] = aligned(number, toDecimal(String(limit)));
    return sign(a - b);
  };
  yield* boundProblems(limits, compare, format, badValue);
}

function toDecimal(text: string): Decimal {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const [integerPart = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(integerPart + fraction), exponent: Number(power) - fraction.length };
}

/** Scales two decimals to integers with a common exponent. Exponents of JavaScript numbers differ by at most about 650. */
function aligned(a: Decimal, b: Decimal): [bigint, bigint] {
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = (number: Decimal) => number.digits * 10n ** BigInt(number.exponent - exponent);
  return [scaled(a), scaled(b)];
}

const sign = (number: bigint) => Number(number > 0n) - Number(number < 0n);
