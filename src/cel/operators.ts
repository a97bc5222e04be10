// CEL interpreter: arithmetic, order and logic operators.
import { fail, noSuchOverload } from './errors.ts';
import { addDurations, addToTimestamp, differenceOf } from './time/arithmetic.ts';
import {
  Bytes,
  compare,
  Double,
  Duration,
  isInt,
  isList,
  KeyedList,
  Timestamp,
  toInt,
  Uint,
  type Value,
} from './values.ts';

const maxUint = 2n ** 64n - 1n;

export function toUint(value: bigint): Uint {
  if (value < 0n || value > maxUint) fail('unsigned integer overflow');
  return new Uint(value);
}

type BigOperation = (one: bigint, other: bigint) => bigint;

/** Arithmetic on ints too large for numbers, uints and doubles. */
function arithmetic(
  one: Value,
  other: Value,
  exact: BigOperation,
  floating: ((one: number, other: number) => number) | undefined,
): Value {
  if (isInt(one) && isInt(other)) return toInt(exact(BigInt(one), BigInt(other)));
  if (one instanceof Double && other instanceof Double && floating)
    return new Double(floating(one.value, other.value));
  if (one instanceof Uint && other instanceof Uint) return toUint(exact(one.value, other.value));
  return noSuchOverload();
}

export function add(one: Value, other: Value): Value {
  if (typeof one === 'number' && typeof other === 'number') {
    const sum = one + other;
    if (Number.isSafeInteger(sum)) return sum;
  }
  if (typeof one === 'string' && typeof other === 'string') return one + other;
  if (isList(one) && isList(other)) return joined(one, other);
  if (one instanceof Bytes && other instanceof Bytes) return new Bytes(Buffer.concat([one.data, other.data]));
  if (one instanceof Duration && other instanceof Duration) return addDurations(one, other.nanos);
  if (one instanceof Timestamp && other instanceof Duration) return addToTimestamp(one, other.nanos);
  if (one instanceof Duration && other instanceof Timestamp) return addToTimestamp(other, one.nanos);
  return arithmetic(
    one,
    other,
    (a, b) => a + b,
    (a, b) => a + b,
  );
}

/** For a keyed list (list-type map or set), elements of the right operand replace those of the left with the same key. */
function joined(one: readonly Value[], other: readonly Value[]): Value {
  if (!(one instanceof KeyedList)) return one.concat(other);
  const result = KeyedList.from(one) as KeyedList;
  result.keyOf = one.keyOf;
  const places = new Map(one.map((element, i) => [one.keyOf(element), i]));
  for (const element of other) {
    const place = places.get(one.keyOf(element));
    if (place === undefined) result.push(element);
    else result[place] = element;
  }
  return result;
}

function subtract(one: Value, other: Value): Value {
  if (typeof one === 'number' && typeof other === 'number') {
    const difference = one - other;
    if (Number.isSafeInteger(difference)) return difference;
  }
  if (one instanceof Duration && other instanceof Duration) return addDurations(one, -other.nanos);
  if (one instanceof Timestamp && other instanceof Duration) return addToTimestamp(one, -other.nanos);
  if (one instanceof Timestamp && other instanceof Timestamp) return differenceOf(one, other);
  return arithmetic(
    one,
    other,
    (a, b) => a - b,
    (a, b) => a - b,
  );
}

function multiply(one: Value, other: Value): Value {
  if (typeof one === 'number' && typeof other === 'number') {
    const product = one * other;
    // Zero times a negative number is -0, which is no int.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return arithmetic(
    one,
    other,
    (a, b) => a * b,
    (a, b) => a * b,
  );
}

function divide(one: Value, other: Value): Value {
  if (isZero(other)) fail('division by zero');
  if (typeof one === 'number' && typeof other === 'number') return Math.trunc(one / other) + 0;
  return arithmetic(
    one,
    other,
    (a, b) => a / b,
    (a, b) => a / b,
  );
}

function modulo(one: Value, other: Value): Value {
  if (isZero(other)) fail('modulus by zero');
  if (typeof one === 'number' && typeof other === 'number') return (one % other) + 0;
  return arithmetic(one, other, (a, b) => a % b, undefined);
}

const isZero = (value: Value) => value === 0 || (value instanceof Uint && value.value === 0n);

function negate(value: Value): Value {
  if (typeof value === 'number') return 0 - value;
  if (typeof value === 'bigint') return toInt(-value);
  return value instanceof Double ? new Double(-value.value) : noSuchOverload();
}

function not(value: Value): Value {
  return typeof value === 'boolean' ? !value : noSuchOverload();
}

function ordering(one: Value, other: Value): number {
  const order = compare(one, other);
  if (order !== undefined) return order;
  const isNotANumber = (value: Value) => value instanceof Double && Number.isNaN(value.value);
  const isNumber = (value: Value) => isInt(value) || value instanceof Double || value instanceof Uint;
  if (isNumber(one) && isNumber(other) && (isNotANumber(one) || isNotANumber(other)))
    return fail('NaN values cannot be ordered');
  return noSuchOverload();
}

function less(one: Value, other: Value): Value {
  return typeof one === 'number' && typeof other === 'number' ? one < other : ordering(one, other) < 0;
}

function lessOrEqual(one: Value, other: Value): Value {
  return typeof one === 'number' && typeof other === 'number' ? one <= other : ordering(one, other) <= 0;
}

function greater(one: Value, other: Value): Value {
  return typeof one === 'number' && typeof other === 'number' ? one > other : ordering(one, other) > 0;
}

function greaterOrEqual(one: Value, other: Value): Value {
  return typeof one === 'number' && typeof other === 'number' ? one >= other : ordering(one, other) >= 0;
}

export const binaryOperations: ReadonlyMap<string, (one: Value, other: Value) => Value> = new Map([
  ['_+_', add],
  ['_-_', subtract],
  ['_*_', multiply],
  ['_/_', divide],
  ['_%_', modulo],
  ['_<_', less],
  ['_<=_', lessOrEqual],
  ['_>_', greater],
  ['_>=_', greaterOrEqual],
]);

export const unaryOperations: ReadonlyMap<string, (value: Value) => Value> = new Map([
  ['!_', not],
  ['-_', negate],
]);
