// CEL quantity library of Kubernetes: resource quantities such as `quantity('1.5Gi')`, with comparison and addition.
// The leading dot of an overload id marks a member function (see LibraryBuilder).
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  quantityToNumber,
} from '../../schema/quantity.ts';
import { nominal, traversesArgument } from '../cost/models.ts';
import { type Library, LibraryBuilder } from '../declarations.ts';
import { fail } from '../errors.ts';
import { CelObject, type CelType, struct } from '../types.ts';
import { Double, toInt, type Value } from '../values.ts';

export const quantityType = struct('service.Quantity');

export class QuantityValue extends CelObject {
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }

  override get type(): CelType {
    return quantityType;
  }

  override equals(other: unknown): boolean {
    return other instanceof QuantityValue && compareQuantities(this.quantity, other.quantity) === 0;
  }
}

export function parseQuantityOrFail(text: string): QuantityValue {
  const parsed = parseQuantity(text);
  return 'problem' in parsed ? fail(parsed.problem) : new QuantityValue(parsed);
}

/** The value as an int; undefined if it is fractional or does not fit 64 bits. */
function toInteger({ quantity: { amount, scale } }: QuantityValue): Value | undefined {
  const unit = 10n ** BigInt(Math.abs(scale));
  if (scale < 0 && amount % unit !== 0n) return undefined;
  const value = scale < 0 ? amount / unit : amount * unit;
  return BigInt.asIntN(64, value) === value ? toInt(value) : undefined;
}

const intQuantity = (value: number | bigint, sign: bigint): Quantity => ({
  amount: BigInt(value) * sign,
  scale: 0,
  format: 'DecimalExponent',
  text: '',
});
const negated = ({ quantity }: QuantityValue): Quantity => ({ ...quantity, amount: -quantity.amount });
const sum = (left: QuantityValue, right: Quantity) => new QuantityValue(addQuantities(left.quantity, right));
const compareValues = (left: QuantityValue, right: QuantityValue) =>
  compareQuantities(left.quantity, right.quantity);

export const quantities: Library = new LibraryBuilder(quantityType)
  .add('quantity', 'string_to_quantity', 'string -> Quantity', traversesArgument, parseQuantityOrFail)
  .add(
    'isQuantity',
    'is_quantity_string',
    'string -> bool',
    traversesArgument,
    (text: string) => !('problem' in parseQuantity(text)),
  )
  .add('sign', 'quantity_sign', 'Quantity -> int', nominal, ({ quantity: { amount } }: QuantityValue) =>
    amount > 0n ? 1 : amount < 0n ? -1 : 0,
  )
  .add(
    'isInteger',
    '.quantity_is_integer',
    'Quantity -> bool',
    nominal,
    (value: QuantityValue) => toInteger(value) !== undefined,
  )
  .add('asInteger', '.quantity_get_int', 'Quantity -> int', nominal, (value: QuantityValue) => {
    const integer = toInteger(value);
    return integer === undefined ? fail('cannot convert value to integer') : integer;
  })
  .add(
    'asApproximateFloat',
    '.quantity_get_float',
    'Quantity -> double',
    nominal,
    ({ quantity }: QuantityValue) => new Double(quantityToNumber(quantity)),
  )
  .add(
    'isGreaterThan',
    '.quantity_is_greater_than',
    'Quantity, Quantity -> bool',
    nominal,
    (left: QuantityValue, right: QuantityValue) => compareValues(left, right) > 0,
  )
  .add(
    'isLessThan',
    '.quantity_is_less_than',
    'Quantity, Quantity -> bool',
    nominal,
    (left: QuantityValue, right: QuantityValue) => compareValues(left, right) < 0,
  )
  .add('compareTo', '.quantity_compare_to', 'Quantity, Quantity -> int', nominal, compareValues)
  .add(
    'add',
    '.quantity_add',
    'Quantity, Quantity -> Quantity',
    nominal,
    (left: QuantityValue, right: QuantityValue) => sum(left, right.quantity),
  )
  .add(
    'add',
    '.quantity_add_int',
    'Quantity, int -> Quantity',
    nominal,
    (left: QuantityValue, right: number | bigint) => sum(left, intQuantity(right, 1n)),
  )
  .add(
    'sub',
    '.quantity_sub',
    'Quantity, Quantity -> Quantity',
    nominal,
    (left: QuantityValue, right: QuantityValue) => sum(left, negated(right)),
  )
  .add(
    'sub',
    '.quantity_sub_int',
    'Quantity, int -> Quantity',
    nominal,
    (left: QuantityValue, right: number | bigint) => sum(left, intQuantity(right, -1n)),
  )
  .library();
