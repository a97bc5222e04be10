// CEL interpreter: arithmetic, comparison and logical operators.
import { fail, noSuchOverload } from './errors.ts';
import { addToDuration, addToTimestamp, subtractTimestamps } from './time/arithmetic.ts';
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

type BigIntOperation = (left: bigint, right: bigint) => bigint;

/** Arithmetic on uints, doubles, and ints beyond the safe integers. */
function arithmetic(
  left: Value,
  right: Value,
  onBigInts: BigIntOperation,
  onDoubles: ((left: number, right: number) => number) | undefined,
): Value {
  if (isInt(left) && isInt(right)) return toInt(onBigInts(BigInt(left), BigInt(right)));
  if (left instanceof Double && right instanceof Double && onDoubles)
    return new Double(onDoubles(left.value, right.value));
  if (left instanceof Uint && right instanceof Uint) return toUint(onBigInts(left.value, right.value));
  return noSuchOverload();
}

export function add(left: Value, right: Value): Value {
  if (typeof left === 'number' && typeof right === 'number') {
    const sum = left + right;
    if (Number.isSafeInteger(sum)) return sum;
  }
  if (typeof left === 'string' && typeof right === 'string') return left + right;
  if (isList(left) && isList(right)) return concatLists(left, right);
  if (left instanceof Bytes && right instanceof Bytes)
    return new Bytes(Buffer.concat([left.data, right.data]));
  if (left instanceof Duration && right instanceof Duration) return addToDuration(left, right.nanos);
  if (left instanceof Timestamp && right instanceof Duration) return addToTimestamp(left, right.nanos);
  if (left instanceof Duration && right instanceof Timestamp) return addToTimestamp(right, left.nanos);
  return arithmetic(
    left,
    right,
    (a, b) => a + b,
    (a, b) => a + b,
  );
}

/** For a keyed list (list-type map or set), elements of the right operand replace those of the left with the same key. */
function concatLists(left: readonly Value[], right: readonly Value[]): Value {
  if (!(left instanceof KeyedList)) return left.concat(right);
  const result = KeyedList.from(left) as KeyedList;
  result.keyOf = left.keyOf;
  const indexByKey = new Map(left.map((element, i) => [left.keyOf(element), i]));
  for (const element of right) {
    const index = indexByKey.get(left.keyOf(element));
    if (index === undefined) result.push(element);
    else result[index] = element;
  }
  return result;
}

function subtract(left: Value, right: Value): Value {
  if (typeof left === 'number' && typeof right === 'number') {
    const difference = left - right;
    if (Number.isSafeInteger(difference)) return difference;
  }
  if (left instanceof Duration && right instanceof Duration) return addToDuration(left, -right.nanos);
  if (left instanceof Timestamp && right instanceof Duration) return addToTimestamp(left, -right.nanos);
  if (left instanceof Timestamp && right instanceof Timestamp) return subtractTimestamps(left, right);
  return arithmetic(
    left,
    right,
    (a, b) => a - b,
    (a, b) => a - b,
  );
}

function multiply(left: Value, right: Value): Value {
  if (typeof left === 'number' && typeof right === 'number') {
    const product = left * right;
    // Adding 0 turns -0, the product of zero and a negative number, into the int 0.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return arithmetic(
    left,
    right,
    (a, b) => a * b,
    (a, b) => a * b,
  );
}

function divide(left: Value, right: Value): Value {
  if (isZero(right)) fail('division by zero');
  if (typeof left === 'number' && typeof right === 'number') return Math.trunc(left / right) + 0;
  return arithmetic(
    left,
    right,
    (a, b) => a / b,
    (a, b) => a / b,
  );
}

function modulo(left: Value, right: Value): Value {
  if (isZero(right)) fail('modulus by zero');
  if (typeof left === 'number' && typeof right === 'number') return (left % right) + 0;
  return arithmetic(left, right, (a, b) => a % b, undefined);
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

function compareOrFail(left: Value, right: Value): number {
  const order = compare(left, right);
  if (order !== undefined) return order;
  const isNotANumber = (value: Value) => value instanceof Double && Number.isNaN(value.value);
  const isNumber = (value: Value) => isInt(value) || value instanceof Double || value instanceof Uint;
  if (isNumber(left) && isNumber(right) && (isNotANumber(left) || isNotANumber(right)))
    return fail('NaN values cannot be ordered');
  return noSuchOverload();
}

function isLess(left: Value, right: Value): Value {
  return typeof left === 'number' && typeof right === 'number'
    ? left < right
    : compareOrFail(left, right) < 0;
}

function isLessOrEqual(left: Value, right: Value): Value {
  return typeof left === 'number' && typeof right === 'number'
    ? left <= right
    : compareOrFail(left, right) <= 0;
}

function isGreater(left: Value, right: Value): Value {
  return typeof left === 'number' && typeof right === 'number'
    ? left > right
    : compareOrFail(left, right) > 0;
}

function isGreaterOrEqual(left: Value, right: Value): Value {
  return typeof left === 'number' && typeof right === 'number'
    ? left >= right
    : compareOrFail(left, right) >= 0;
}

export const binaryOperations: ReadonlyMap<string, (left: Value, right: Value) => Value> = new Map([
  ['_+_', add],
  ['_-_', subtract],
  ['_*_', multiply],
  ['_/_', divide],
  ['_%_', modulo],
  ['_<_', isLess],
  ['_<=_', isLessOrEqual],
  ['_>_', isGreater],
  ['_>=_', isGreaterOrEqual],
]);

export const unaryOperations: ReadonlyMap<string, (value: Value) => Value> = new Map([
  ['!_', not],
  ['-_', negate],
]);
