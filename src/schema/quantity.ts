// Quantities (apimachinery's resource.Quantity): parsing, canonical form and arithmetic.
import { flatCopy } from '../base/flat-copy.ts';

/**
 * An exact decimal number with the suffix family it was written in: `500m`, `1.5Gi`, `1e3`. Values finer than nano are
 * rounded away from zero, so that a non-zero request stays non-zero.
 */
export interface Quantity {
  /** The number is `amount` × 10^`scale`. */
  readonly amount: bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
  /** Canonical form. */
  readonly text: string;
}

type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

export type QuantityProblem = { readonly problem: string };

/** Upstream's messages. */
const invalidFormat =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const invalidSuffix = "unable to parse quantity's suffix";

const decimalSuffixes = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const decimalSuffixOf = new Map([...decimalSuffixes].map(([suffix, exponent]) => [exponent, suffix]));
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

const maxInt64 = 2n ** 63n - 1n;
const nano = -9;
/** Bounds the exponent: a few digits of it would allocate gigabytes of zeros. */
const maxExponent = 1_000;
const maxLength = 256;

/** Memo: few distinct quantities occur in practice. Bounded to about 1 MB. */
const parsedQuantities = new Map<string, Quantity | QuantityProblem>();
const maxCachedQuantities = 2000;
const maxCachedLength = 32;

/** Parses a quantity. `problem` is upstream's error message. */
export function parseQuantity(text: string): Quantity | QuantityProblem {
  const cached = parsedQuantities.get(text);
  if (cached) return cached;
  if (text.length > maxCachedLength) return readQuantity(text);
  const key = flatCopy(text);
  const quantity = readQuantity(key);
  if (parsedQuantities.size === maxCachedQuantities) parsedQuantities.clear();
  parsedQuantities.set(key, quantity);
  return quantity;
}

function readQuantity(text: string): Quantity | QuantityProblem {
  if (text === '' || text.length > maxLength) return { problem: invalidFormat };
  const match = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/.exec(text);
  if (!match) return { problem: invalidFormat };
  const [, sign, integerPart = '', fraction = '', suffix = ''] = match;
  const unit = readSuffix(suffix);
  if (!unit) return { problem: invalidSuffix };

  const integerDigits = integerPart.replace(/^0+/, '');
  const digits = integerDigits + fraction;
  const magnitude = BigInt(digits === '' ? 0 : digits);
  const exact: Omit<Quantity, 'text'> =
    unit.format === 'BinarySI'
      ? { amount: magnitude * 1024n ** BigInt(unit.exponent), scale: -fraction.length, format: unit.format }
      : { amount: magnitude, scale: unit.exponent - fraction.length, format: unit.format };
  const limited = limit(exact);
  const signed = { ...limited, amount: sign === '-' ? -limited.amount : limited.amount };
  const keepsText =
    integerDigits !== '' &&
    isOnFastPath(digits.length, fraction.length, unit, exact.scale) &&
    isCanonical(magnitude, exact);
  return { ...signed, text: keepsText ? text : canonicalText(signed) };
}

interface Unit {
  readonly format: QuantityFormat;
  /** Base 10, or 1024 for BinarySI. */
  readonly exponent: number;
}

/** Undefined for an unknown suffix. */
function readSuffix(suffix: string): Unit | undefined {
  const decimal = decimalSuffixes.get(suffix);
  if (decimal !== undefined) return { format: 'DecimalSI', exponent: decimal };
  const binary = binarySuffixes.indexOf(suffix);
  if (binary > 0) return { format: 'BinarySI', exponent: binary };
  if (!/^[eE][+-]?[0-9]+$/.test(suffix)) return undefined;
  const exponent = Number(suffix.slice(1));
  return Math.abs(exponent) <= maxExponent ? { format: 'DecimalExponent', exponent } : undefined;
}

/** Caps BinarySI at int64, and rounds to nano. */
function limit(quantity: Omit<Quantity, 'text'>): Omit<Quantity, 'text'> {
  const roundedToNano = rounded(quantity, nano);
  const { format, amount, scale } = roundedToNano;
  if (format === 'BinarySI' && amount > maxInt64 * 10n ** BigInt(-scale)) {
    return { amount: maxInt64, scale: 0, format: 'BinarySI' };
  }
  return roundedToNano;
}

/** Rounds away from zero to a multiple of 10^`scale`. */
function rounded(quantity: Omit<Quantity, 'text'>, scale: number): Omit<Quantity, 'text'> {
  if (quantity.scale >= scale) return quantity;
  const step = 10n ** BigInt(scale - quantity.scale);
  const magnitude = quantity.amount < 0n ? -quantity.amount : quantity.amount;
  const up = (magnitude + step - 1n) / step;
  return { ...quantity, amount: quantity.amount < 0n ? -up : up, scale };
}

/** Whether the number is short enough for upstream's fast path, which keeps the text as written if it is canonical. */
function isOnFastPath(digits: number, fractionDigits: number, unit: Unit, scale: number): boolean {
  if (unit.format !== 'BinarySI') return digits <= 18 && scale >= nano;
  return fractionDigits === 0 && digits + Math.trunc(unit.exponent * 3) <= 14;
}

/** False if a larger suffix makes the text shorter, or no suffix represents the scale. */
function isCanonical(magnitude: bigint, { scale, format }: Omit<Quantity, 'text'>): boolean {
  return format === 'BinarySI' ? magnitude % 8n !== 0n : scale % 3 === 0 && magnitude % 1000n !== 0n;
}

function canonicalText(quantity: Omit<Quantity, 'text'>): string {
  if (quantity.amount === 0n) return '0';
  if (quantity.format === 'BinarySI') {
    const binary = canonicalBinary(quantity);
    if (binary !== undefined) return binary;
  }
  let { amount, scale } = quantity;
  while (amount % 10n === 0n) {
    amount /= 10n;
    scale++;
  }
  // Suffixes and exponents are multiples of 3.
  const excess = ((scale % 3) + 3) % 3;
  amount *= 10n ** BigInt(excess);
  scale -= excess;
  if (quantity.format === 'DecimalExponent') return scale === 0 ? `${amount}` : `${amount}e${scale}`;
  // Beyond E there is no suffix, and upstream writes none.
  return `${amount}${decimalSuffixOf.get(scale) ?? ''}`;
}

/** Only integers of at least 1024 have a binary suffix; undefined for other numbers. */
function canonicalBinary({ amount, scale }: Omit<Quantity, 'text'>): string | undefined {
  const unit = 10n ** BigInt(-scale);
  if (amount % unit !== 0n) return undefined;
  let number = amount / unit;
  if (number > -1024n && number < 1024n) return undefined;
  let exponent = 0;
  while (number % 1024n === 0n) {
    number /= 1024n;
    exponent++;
  }
  return `${number}${binarySuffixes[exponent]}`;
}

/** Rounded up to milli-units, as ResourceLists are. */
export function roundedToMilli(quantity: Quantity): Quantity {
  if (quantity.scale >= -3) return quantity;
  const milli = rounded(quantity, -3);
  return { ...milli, text: canonicalText(milli) };
}

/** The number in units of 10^`scale`, rounded away from zero: upstream's ScaledValue, and MilliValue for -3. */
export function valueAtScale(quantity: Quantity, scale: number): bigint {
  const { amount, scale: actualScale } = rounded(quantity, scale);
  return amount * 10n ** BigInt(actualScale - scale);
}

/** The quantity `amount` × 10^`scale`. */
export function quantityOf(amount: bigint, scale: number, format: QuantityFormat = 'DecimalSI'): Quantity {
  const quantity = { amount, scale, format };
  return { ...quantity, text: canonicalText(quantity) };
}

/** A comparator, as for Array.sort. */
export function compareQuantities(one: Quantity, other: Quantity): number {
  const scale = Math.min(one.scale, other.scale);
  const difference =
    one.amount * 10n ** BigInt(one.scale - scale) - other.amount * 10n ** BigInt(other.scale - scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The nearest double. */
export function quantityToNumber({ amount, scale }: Quantity): number {
  return Number(`${amount}e${scale}`);
}

/** The sum, in the suffix family of the first non-zero operand. */
export function addQuantities(one: Quantity, other: Quantity): Quantity {
  const scale = Math.min(one.scale, other.scale);
  const amount =
    one.amount * 10n ** BigInt(one.scale - scale) + other.amount * 10n ** BigInt(other.scale - scale);
  const { format } = one.amount === 0n ? other : one;
  const sum = { amount, scale, format };
  return { ...sum, text: canonicalText(sum) };
}

export function subtractQuantities(one: Quantity, other: Quantity): Quantity {
  return addQuantities(one, { ...other, amount: -other.amount });
}
