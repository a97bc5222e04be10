// CEL cost model: static cost estimation of a checked expression, with the numbers of cel-go.
import { accumulatorName, type Call, type Comprehension, type Expr, type Select } from '../ast.ts';
import type { CheckedExpr } from '../checker.ts';
import type { CelType } from '../types.ts';
import { sizeOfString } from '../values.ts';
import { type EntrySizes, listCost, mapCost, type SizeEstimator, structCost } from './call-cost.ts';
import { nominal } from './models.ts';
import { exactly, plus, type Range, times, union, unknownSize } from './range.ts';

export type CostEstimate = Range;

/** Size limits of variables and their contents. */
export interface SizeHints {
  /**
   * The maximum number of elements or characters at a path: a variable, then fields, `@items`, `@keys`, `@values`.
   * Undefined if unknown.
   */
  maxSize(path: readonly string[]): number | undefined;
}

interface LocalVariable {
  readonly name: string;
  /** See `SizeHints.maxSize`. */
  readonly path: readonly string[] | undefined;
  readonly size?: Range | undefined;
  readonly entries?: EntrySizes | undefined;
}

export function estimateCost(checked: CheckedExpr, hints?: SizeHints): CostEstimate {
  return new Estimator(checked, hints).cost(checked.expr);
}

/** The overload of `a.?b`. */
const optionalSelection = { id: 'select_optional_field', cost: nominal };

/** The cost of a node depends on the sizes of its operands: `cost` also records the path and the size of each node. */
class Estimator implements SizeEstimator {
  readonly #checked: CheckedExpr;
  readonly #hints: SizeHints | undefined;
  /** By node id, as far as they are known. */
  readonly #paths = new Map<number, readonly string[]>();
  readonly #sizes = new Map<number, Range>();
  readonly #entries = new Map<number, EntrySizes>();
  /** Comprehension variables, the innermost last. */
  readonly #locals: LocalVariable[] = [];

  constructor(checked: CheckedExpr, hints: SizeHints | undefined) {
    this.#checked = checked;
    this.#hints = hints;
  }

  cost(expr: Expr): Range {
    switch (expr.node) {
      case 'literal':
        return exactly(0);
      case 'ident':
        return this.#estimateIdent(expr);
      case 'select':
        return this.#estimateSelect(expr);
      case 'call':
        return this.#estimateCall(expr);
      case 'list':
        return this.#estimateList(expr);
      case 'map':
        return this.#estimateMap(expr);
      case 'struct':
        return expr.fields.reduce((sum, { value }) => plus(sum, this.cost(value)), exactly(structCost));
      case 'comprehension':
        return isBind(expr) ? this.#estimateBind(expr) : this.#estimateComprehension(expr);
    }
  }

  typeOf(expr: Expr): CelType {
    return this.#checked.types.get(expr.id)!;
  }

  /** The path to the value of an expression for `SizeHints.maxSize`; undefined or empty for a computed value. */
  pathOf(expr: Expr): readonly string[] | undefined {
    if (expr.node === 'ident') {
      const local = this.#findLocal(expr.name);
      if (local) return local.path;
    }
    return this.#paths.get(expr.id);
  }

  #setPath(expr: Expr, parent: Expr, part: string): void {
    this.#paths.set(expr.id, [...(this.pathOf(parent) ?? []), part]);
  }

  #findLocal(name: string): LocalVariable | undefined {
    return this.#locals.findLast((local) => local.name === name);
  }

  #estimateIdent(expr: Expr & { readonly node: 'ident' }): Range {
    const local = this.#findLocal(expr.name);
    this.#paths.set(expr.id, local ? (local.path ?? []) : [this.#checked.names.get(expr.id) ?? expr.name]);
    return exactly(1);
  }

  #estimateSelect(expr: Select): Range {
    if (this.#checked.names.has(expr.id)) {
      this.#paths.set(expr.id, [this.#checked.names.get(expr.id)!]);
      return exactly(1);
    }
    const operand = this.cost(expr.operand);
    if (expr.testOnly) return operand;
    this.#setPath(expr, expr.operand, expr.field);
    const { kind } = this.typeOf(expr.operand);
    return kind === 'map' || kind === 'struct' || kind === 'param' ? plus(operand, exactly(1)) : operand;
  }

  #estimateList(expr: Expr & { readonly node: 'list' }): Range {
    let cost = exactly(listCost);
    let value: Range | undefined;
    for (const element of expr.elements) {
      cost = plus(cost, this.cost(element));
      const size = this.size(element);
      value = value ? union(value, size) : size;
    }
    this.#entries.set(expr.id, { kind: 'list', key: exactly(1), value: value ?? exactly(0) });
    return cost;
  }

  #estimateMap(expr: Expr & { readonly node: 'map' }): Range {
    let cost = exactly(mapCost);
    let sizes: EntrySizes | undefined;
    for (const entry of expr.entries) {
      cost = plus(plus(cost, this.cost(entry.key)), this.cost(entry.value));
      const key = this.size(entry.key);
      const value = this.size(entry.value);
      sizes = sizes
        ? { kind: 'map', key: union(sizes.key, key), value: union(sizes.value, value) }
        : { kind: 'map', key, value };
    }
    this.#entries.set(expr.id, sizes ?? { kind: 'map', key: exactly(0), value: exactly(0) });
    return cost;
  }

  #estimateBind(expr: Comprehension): Range {
    let cost = plus(this.cost(expr.range), this.cost(expr.init));
    this.#locals.push(this.#accumulatorVariable(expr));
    cost = plus(cost, this.cost(expr.result));
    this.#locals.pop();
    this.#copySizes(expr, expr.result);
    return cost;
  }

  #accumulatorVariable({ accumulator, init }: Comprehension): LocalVariable {
    return {
      name: accumulator,
      path: this.pathOf(init),
      size: this.knownSize(init),
      entries: this.entriesOf(init),
    };
  }

  #copySizes(target: Expr, source: Expr): void {
    const size = this.knownSize(source);
    if (size) this.#sizes.set(target.id, size);
    const entries = this.entriesOf(source);
    if (entries) this.#entries.set(target.id, entries);
  }

  #estimateComprehension(expr: Comprehension): Range {
    let cost = plus(this.cost(expr.range), this.cost(expr.init));
    this.#locals.push(this.#accumulatorVariable(expr));
    const variables = this.#iterationVariables(expr);
    this.#locals.push(...variables);
    const loop = plus(this.cost(expr.condition), this.cost(expr.step));
    this.#locals.length -= variables.length;
    cost = plus(cost, this.cost(expr.result));
    this.#locals.pop();
    const count = this.size(expr.range);
    this.#setFoldSize(expr, count);
    return plus(cost, times(count, loop));
  }

  /** A fold that builds a list or map has at most as many entries as its range. */
  #setFoldSize(expr: Comprehension, count: Range): void {
    if (expr.init.node === 'literal') {
      const size = this.knownSize(expr.init);
      if (size) this.#sizes.set(expr.id, size);
    } else if (expr.init.node === 'list' || expr.init.node === 'map') {
      this.#sizes.set(expr.id, count);
      const entries = this.entriesOf(expr.step);
      if (entries) this.#entries.set(expr.id, entries);
    }
  }

  /** Iteration variables have the sizes of the elements of the range. */
  #iterationVariables(expr: Comprehension): LocalVariable[] {
    const entries = this.entriesOf(expr.range);
    const path = this.pathOf(expr.range) ?? [];
    const isList = (entries?.kind ?? this.typeOf(expr.range).kind) === 'list';
    const key = { path: [...path, isList ? '@indices' : '@keys'], size: entries?.key };
    const value = { path: [...path, isList ? '@items' : '@values'], size: entries?.value };
    if (expr.variable2 !== undefined) {
      return [
        { name: expr.variable, ...key },
        { name: expr.variable2, ...value },
      ];
    }
    return [{ name: expr.variable, ...(isList ? value : key) }];
  }

  #estimateCall(expr: Call): Range {
    // `dyn(x)` has the size of `x`.
    if (expr.name === 'dyn' && !expr.target) {
      const cost = plus(exactly(1), this.cost(expr.args[0]!));
      this.#copySizes(expr, expr.args[0]!);
      return cost;
    }
    const reference = this.#checked.calls.get(expr.id);
    const target = reference?.isNamespaced ? undefined : expr.target;
    const argCosts = expr.args.map((arg) => this.cost(arg));
    const argSizes = expr.args.map((arg) => this.size(arg));
    if (!reference) return exactly(0);
    const targetCost = target ? this.cost(target) : exactly(0);
    // The checker types `a.?b` itself and resolves no overload for it.
    const overloads = expr.name === '_?._' ? [optionalSelection] : reference.overloads;
    let cost: Range | undefined;
    let size: Range | undefined;
    for (const overload of overloads) {
      const estimate = overload.cost.estimate({ expr, target, argCosts, argSizes }, this);
      const callCost = estimate.includesArguments ? estimate.cost : argCosts.reduce(plus, estimate.cost);
      cost = cost ? union(cost, callCost) : callCost;
      if (estimate.size) size = size ? union(size, estimate.size) : estimate.size;
      if (overload.id === 'index_list' || overload.id === 'index_map') {
        size = this.entriesOf(expr.args[0]!)?.value;
        this.#setPath(expr, expr.args[0]!, overload.id === 'index_list' ? '@items' : '@values');
      }
      size ??= this.knownSize(expr);
    }
    if (size) this.#sizes.set(expr.id, size);
    return plus(targetCost, cost ?? exactly(0));
  }

  setEntries(expr: Expr, entries: EntrySizes | undefined): void {
    if (entries) this.#entries.set(expr.id, entries);
  }

  entriesOf(expr: Expr): EntrySizes | undefined {
    const entries = this.#entries.get(expr.id);
    if (entries) return entries;
    return expr.node === 'ident' ? this.#findLocal(expr.name)?.entries : undefined;
  }

  size(expr: Expr): Range {
    return this.knownSize(expr) ?? unknownSize;
  }

  sizeBelow(expr: Expr, part: string): Range {
    const path = this.#visiblePath(expr);
    return (path && this.#hintedSize([...path, part])) ?? unknownSize;
  }

  #visiblePath(expr: Expr): readonly string[] | undefined {
    const path = this.pathOf(expr);
    return path?.[0] === accumulatorName ? undefined : path;
  }

  #hintedSize(path: readonly string[] | undefined): Range | undefined {
    if (!path || path.length === 0) return undefined;
    const max = this.#hints?.maxSize(path);
    return max === undefined ? undefined : { min: 0, max };
  }

  knownSize(expr: Expr): Range | undefined {
    const computed = this.#sizes.get(expr.id) ?? literalSize(expr);
    if (computed) return computed;
    const hinted = this.#hintedSize(this.pathOf(expr));
    if (hinted) {
      this.#sizes.set(expr.id, hinted);
      return hinted;
    }
    if (isScalar(this.typeOf(expr))) return exactly(1);
    return expr.node === 'ident' ? this.#findLocal(expr.name)?.size : undefined;
  }
}

/** `cel.bind` is a fold over an empty list. */
function isBind({ range, condition, accumulator }: Comprehension): boolean {
  return (
    accumulator !== accumulatorName &&
    range.node === 'list' &&
    range.elements.length === 0 &&
    condition.node === 'literal' &&
    condition.literal.value === false
  );
}

function literalSize(expr: Expr): Range | undefined {
  switch (expr.node) {
    case 'literal':
      if (expr.literal.kind === 'string') return exactly(sizeOfString(expr.literal.value));
      return exactly(expr.literal.kind === 'bytes' ? expr.literal.value.length : 1);
    case 'list':
      return exactly(expr.elements.length);
    case 'map':
      return exactly(expr.entries.length);
    default:
      return undefined;
  }
}

const scalarTypes = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

function isScalar(type: CelType): boolean {
  return type.isOptional ? isScalar(type.params[0]!) : scalarTypes.has(type.kind);
}
