// CEL cost model: the cost of a function call. Every overload declares one, as an estimate for the compiler and as a
// function of the actual arguments for the interpreter.
import type { Call, Expr } from '../ast.ts';
import type { CelType } from '../types.ts';
import type { Value } from '../values.ts';
import type { Range } from './range.ts';

/** The cost of creating a list, a map or a struct. One unit is about one variable lookup. */
export const listCost = 10;
export const mapCost = 30;
export const structCost = 40;

/**
 * The cost of one overload. Estimates decide whether an expression may be stored, and runtime costs whether it stays within
 * its budget, so both must be the numbers of cel-go and of the Kubernetes libraries.
 */
export interface CallCost {
  /** Before evaluation: the cost of the call, without its arguments unless the result says so. */
  readonly estimate: (call: EstimatedCall, sizes: SizeEstimator) => CallEstimate;
  /** During evaluation: charged before the call runs. */
  readonly runtime: RuntimeCost;
}

/** The arguments of a call, starting with the receiver of a member function. `second` is ignored by unary functions. */
export type RuntimeCost = (first: Value, second: Value, third?: Value) => number;

/** A call whose cost is estimated. */
export interface EstimatedCall {
  readonly expr: Call;
  /** The receiver of a member function. */
  readonly target: Expr | undefined;
  /** Costs and sizes of the arguments, without the receiver. */
  readonly argCosts: readonly Range[];
  readonly argSizes: readonly Range[];
}

export interface CallEstimate {
  readonly cost: Range;
  /** The size of the result, if known. */
  readonly size?: Range;
  /** Set by operators that do not evaluate all arguments: `cost` then contains the cost of the arguments. */
  readonly includesArguments?: boolean;
}

/** The sizes of the keys and values in a list or map. */
export interface EntrySizes {
  readonly kind: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}

/** The types and sizes that the estimator has found for subexpressions. */
export interface SizeEstimator {
  typeOf(expr: Expr): CelType;
  /** Unbounded if unknown. */
  size(expr: Expr): Range;
  /** Undefined if unknown. */
  knownSize(expr: Expr): Range | undefined;
  /** The size at a path below an expression, for example `@items` of a list. */
  sizeBelow(expr: Expr, part: string): Range;
  entriesOf(expr: Expr): EntrySizes | undefined;
  setEntries(expr: Expr, entries: EntrySizes | undefined): void;
}
