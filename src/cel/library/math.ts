// CEL math extension: math.greatest and math.least, rounding, signs and bit operations.
import type { Expr } from '../ast.ts';
import { nominal } from '../cost/models.ts';
import { type Library, LibraryBuilder } from '../declarations.ts';
import { fail } from '../errors.ts';
import { isNamespace, type Macro, MacroError } from '../macros.ts';
import { toUint } from '../operators.ts';
import { compareNumbers, Double, toInt, type Uint, type Value } from '../values.ts';

type Int = number | bigint;

/**
 * `math.greatest(…)` and `math.least(…)` accept any number of numbers, or one list of numbers. They expand to the internal
 * functions `math.@max` and `math.@min`.
 */
function extremeMacro(name: string, implementation: string): Macro {
  return {
    name,
    isMember: true,
    expand(nodes, target, args) {
      if (!isNamespace(target, 'math')) return undefined;
      if (args.length === 0) return new MacroError(`math.${name}() requires at least one argument`, target);
      if (args.length > 2) {
        for (const arg of args) {
          if (!mayBeNumber(arg))
            return new MacroError(`math.${name}() simple literal arguments must be numeric`, arg);
        }
        return nodes.call(implementation, [nodes.list(args)]);
      }
      const invalidArg = args.find((arg) => !mayBeNumber(arg) && !(args.length === 1 && mayBeList(arg)));
      if (invalidArg) {
        return new MacroError(
          args.length === 1
            ? `math.${name}() invalid single argument value`
            : `math.${name}() simple literal arguments must be numeric`,
          invalidArg,
        );
      }
      return nodes.call(implementation, args);
    },
  };
}

/** Whether an argument may be a number: only a literal shows that it is none. */
function mayBeNumber(expr: Expr): boolean {
  if (expr.node === 'literal') return ['int', 'uint', 'double'].includes(expr.literal.kind);
  return expr.node !== 'list' && expr.node !== 'map' && expr.node !== 'struct';
}

const mayBeList = (expr: Expr) =>
  expr.node === 'list' && expr.elements.length > 0 && expr.elements.every(mayBeNumber);

/** `math.@max` with sign 1, `math.@min` with sign -1. */
function extreme(sign: 1 | -1): (...values: Value[]) => Value {
  return (...values) => {
    const numbers = values.length === 1 && Array.isArray(values[0]) ? (values[0] as Value[]) : values;
    if (numbers.length === 0) return fail('math.@max(list) argument must not be empty');
    return numbers.reduce((best, value) => {
      const order = compareNumbers(value, best);
      if (order === undefined) return fail('no such overload');
      return order * sign > 0 ? value : best;
    });
  };
}

const numericTypes = ['double', 'int', 'uint'] as const;

function addMinMax(
  builder: LibraryBuilder,
  name: 'max' | 'min',
  select: (...values: Value[]) => Value,
): void {
  const id = `math_@${name}`;
  for (const left of numericTypes) {
    builder.add(`math.@${name}`, `${id}_${left}`, `${left} -> ${left}`, nominal, select);
    builder.add(`math.@${name}`, `${id}_list_${left}`, `list(${left}) -> ${left}`, nominal, select);
    for (const right of numericTypes) {
      const result = left === right ? left : 'dyn';
      builder.add(
        `math.@${name}`,
        `${id}_${left}_${right}`,
        `${left}, ${right} -> ${result}`,
        nominal,
        select,
      );
    }
  }
}

/** Rounds to the nearest integer, ties away from zero. */
function round(value: number): number {
  if (!Number.isFinite(value)) return value;
  const down = Math.trunc(value);
  return Math.abs(value - down) >= 0.5 ? down + Math.sign(value) : down;
}

const ofDouble = (operation: (value: number) => number) => (value: Double) =>
  new Double(operation(value.value));
const toBigInt = (value: Int) => BigInt(value);

function shiftLeft(value: bigint, count: Int): bigint {
  if (count < 0) return fail('math.bitShiftLeft() negative offset');
  return count >= 64 ? 0n : value << BigInt(count);
}

function shiftRight(value: bigint, count: Int): bigint {
  if (count < 0) return fail('math.bitShiftRight() negative offset');
  return count >= 64 ? 0n : BigInt.asUintN(64, value) >> BigInt(count);
}

const wrapToInt = (value: bigint) => toInt(BigInt.asIntN(64, value));
const wrapToUint = (value: bigint) => toUint(BigInt.asUintN(64, value));

function addBitOperations(builder: LibraryBuilder): void {
  const binaryOperations = [
    ['bitAnd', (a: bigint, b: bigint) => a & b],
    ['bitOr', (a: bigint, b: bigint) => a | b],
    ['bitXor', (a: bigint, b: bigint) => a ^ b],
  ] as const;
  for (const [name, operation] of binaryOperations) {
    builder
      .add(`math.${name}`, `math_${name}_int_int`, 'int, int -> int', nominal, (a: Int, b: Int) =>
        wrapToInt(operation(toBigInt(a), toBigInt(b))),
      )
      .add(`math.${name}`, `math_${name}_uint_uint`, 'uint, uint -> uint', nominal, (a: Uint, b: Uint) =>
        wrapToUint(operation(a.value, b.value)),
      );
  }
  builder
    .add('math.bitNot', 'math_bitNot_int_int', 'int -> int', nominal, (value: Int) =>
      wrapToInt(~toBigInt(value)),
    )
    .add('math.bitNot', 'math_bitNot_uint_uint', 'uint -> uint', nominal, (value: Uint) =>
      wrapToUint(~value.value),
    )
    .add(
      'math.bitShiftLeft',
      'math_bitShiftLeft_int_int',
      'int, int -> int',
      nominal,
      (value: Int, count: Int) => wrapToInt(shiftLeft(toBigInt(value), count)),
    )
    .add(
      'math.bitShiftLeft',
      'math_bitShiftLeft_uint_int',
      'uint, int -> uint',
      nominal,
      (value: Uint, count: Int) => wrapToUint(shiftLeft(value.value, count)),
    )
    .add(
      'math.bitShiftRight',
      'math_bitShiftRight_int_int',
      'int, int -> int',
      nominal,
      (value: Int, count: Int) => wrapToInt(shiftRight(toBigInt(value), count)),
    )
    .add(
      'math.bitShiftRight',
      'math_bitShiftRight_uint_int',
      'uint, int -> uint',
      nominal,
      (value: Uint, count: Int) => wrapToUint(shiftRight(value.value, count)),
    );
}

function build(): Library {
  const builder = new LibraryBuilder();
  addMinMax(builder, 'max', extreme(1));
  addMinMax(builder, 'min', extreme(-1));
  addBitOperations(builder);
  builder
    .add('math.ceil', 'math_ceil_double', 'double -> double', nominal, ofDouble(Math.ceil))
    .add('math.floor', 'math_floor_double', 'double -> double', nominal, ofDouble(Math.floor))
    .add('math.round', 'math_round_double', 'double -> double', nominal, ofDouble(round))
    .add('math.trunc', 'math_trunc_double', 'double -> double', nominal, ofDouble(Math.trunc))
    .add('math.sqrt', 'math_sqrt_double', 'double -> double', nominal, ofDouble(Math.sqrt))
    .add(
      'math.sqrt',
      'math_sqrt_int',
      'int -> double',
      nominal,
      (value: Int) => new Double(Math.sqrt(Number(value))),
    )
    .add(
      'math.sqrt',
      'math_sqrt_uint',
      'uint -> double',
      nominal,
      (value: Uint) => new Double(Math.sqrt(Number(value.value))),
    )
    .add(
      'math.isInf',
      'math_isInf_double',
      'double -> bool',
      nominal,
      ({ value }: Double) => Math.abs(value) === Number.POSITIVE_INFINITY,
    )
    .add('math.isNaN', 'math_isNaN_double', 'double -> bool', nominal, ({ value }: Double) =>
      Number.isNaN(value),
    )
    .add('math.isFinite', 'math_isFinite_double', 'double -> bool', nominal, ({ value }: Double) =>
      Number.isFinite(value),
    )
    .add('math.abs', 'math_abs_double', 'double -> double', nominal, ofDouble(Math.abs))
    .add('math.abs', 'math_abs_int', 'int -> int', nominal, (value: Int) =>
      toInt(value < 0 ? -toBigInt(value) : toBigInt(value)),
    )
    .add('math.abs', 'math_abs_uint', 'uint -> uint', nominal, (value: Uint) => value)
    .add('math.sign', 'math_sign_double', 'double -> double', nominal, ofDouble(Math.sign))
    .add('math.sign', 'math_sign_int', 'int -> int', nominal, (value: Int) =>
      value > 0 ? 1 : value < 0 ? -1 : 0,
    )
    .add('math.sign', 'math_sign_uint', 'uint -> uint', nominal, (value: Uint) =>
      toUint(value.value > 0n ? 1n : 0n),
    );
  return builder.library([extremeMacro('greatest', 'math.@max'), extremeMacro('least', 'math.@min')]);
}

export const math: Library = build();
