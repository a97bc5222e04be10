// CEL planner: comprehensions (all, exists, map, filter, …).
import { accumulatorName, type Call, type Comprehension, type Expr } from './ast.ts';
import { listCost } from './cost/call-cost.ts';
import { EvaluationError, fail, noSuchOverload } from './errors.ts';
import { Lazy } from './lazy.ts';
import type { Machine, Step } from './machine.ts';
import type { SubexpressionPlanner } from './plan-parts.ts';
import {
  CelMap,
  fromJson,
  isList,
  isMap,
  keysOf,
  lookUp,
  type MapKey,
  mapKey,
  typeOfValue,
  type Value,
} from './values.ts';

/** Slots of the iteration variables. */
interface VariableSlots {
  /** The element of a list or key of a map; with two variables the index or key. */
  readonly first: number;
  /** The value, with two variables. */
  readonly second?: number;
}

/** The elements of the range of a comprehension. */
class RangeElements {
  readonly length: number;
  readonly #range: Value;
  readonly #list: readonly Value[] | undefined;
  readonly #keys: readonly Value[];

  constructor(range: Value) {
    this.#range = range;
    this.#list = isList(range) ? range : undefined;
    this.#keys = this.#list ? noValues : keysOfRange(range);
    this.length = this.#list ? this.#list.length : this.#keys.length;
  }

  /** Assigns one element to the iteration variables. */
  assign(machine: Machine, index: number, { first, second }: VariableSlots): void {
    machine.countIteration();
    const list = this.#list;
    if (second === undefined) machine.slots[first] = list ? fromJson(list[index]) : this.#keys[index]!;
    else {
      machine.slots[first] = list ? index : this.#keys[index]!;
      machine.slots[second] = list ? fromJson(list[index]) : lookUp(this.#range, this.#keys[index]!)!;
    }
  }
}

const noValues: readonly Value[] = [];

/**
 * Plans a comprehension. The expansions of the standard macros are recognized by their shape and run without building a
 * value for every step. They are charged the cost of the fold.
 */
export function planComprehension(expr: Comprehension, planner: SubexpressionPlanner): Step {
  if (isBind(expr)) return planBind(expr, planner);
  const range = planner.plan(expr.range).step;
  return planner.withLocal(expr.accumulator, (accumulator) =>
    planner.withLocal(expr.variable, (first) => {
      if (expr.variable2 === undefined) return planLoop(expr, planner, range, accumulator, { first });
      return planner.withLocal(expr.variable2, (second) =>
        planLoop(expr, planner, range, accumulator, { first, second }),
      );
    }),
  );
}

/** `cel.bind` is a fold over an empty list. */
function isBind({ range, condition }: Comprehension): boolean {
  return (
    range.node === 'list' &&
    range.elements.length === 0 &&
    condition.node === 'literal' &&
    condition.literal.value === false
  );
}

function planBind(expr: Comprehension, planner: SubexpressionPlanner): Step {
  const init = planner.plan(expr.init).step;
  const planInSlot = (slot: number): Step => {
    const result = planner.plan(expr.result).step;
    return (machine) => {
      machine.slots[slot] = new Lazy(init);
      return result(machine);
    };
  };
  return planner.withLocal(expr.accumulator, planInSlot, { isLazy: true });
}

function keysOfRange(range: Value): readonly Value[] {
  if (isMap(range)) return keysOf(range);
  const { kind } = typeOfValue(range);
  return fail(`got 'types.${kind[0]!.toUpperCase()}${kind.slice(1)}', expected iterable type`);
}

function planLoop(
  expr: Comprehension,
  planner: SubexpressionPlanner,
  range: Step,
  accumulator: number,
  variables: VariableSlots,
): Step {
  if (expr.accumulator === accumulatorName) {
    const quantifier = quantifierStep(expr, planner, range, variables);
    if (quantifier) return quantifier;
    const accumulating = accumulatingStep(expr, planner, range, variables);
    if (accumulating) return accumulating;
  }
  return foldStep(expr, planner, range, accumulator, variables);
}

/** A general fold. */
function foldStep(
  expr: Comprehension,
  planner: SubexpressionPlanner,
  range: Step,
  accumulator: number,
  variables: VariableSlots,
): Step {
  const init = planner.plan(expr.init).step;
  const condition = planner.plan(expr.condition).step;
  const step = planner.plan(expr.step).step;
  const result = planner.plan(expr.result).step;
  return (machine) => {
    const elements = new RangeElements(range(machine));
    machine.slots[accumulator] = init(machine);
    for (let index = 0; index < elements.length; index++) {
      elements.assign(machine, index, variables);
      if (condition(machine) !== true) break;
      machine.slots[accumulator] = step(machine);
    }
    return result(machine);
  };
}

const isCall = (expr: Expr, name: string): expr is Call => expr.node === 'call' && expr.name === name;

/**
 * `all` and `exists`: one decisive element is enough, even if the predicate fails for others. Undefined if the
 * comprehension has another shape.
 */
function quantifierStep(
  { step, condition, init }: Comprehension,
  planner: SubexpressionPlanner,
  range: Step,
  variables: VariableSlots,
): Step | undefined {
  if (!isCall(condition, '@not_strictly_false') || init.node !== 'literal') return undefined;
  const isAll = isCall(step, '_&&_');
  if (!isAll && !isCall(step, '_||_')) return undefined;
  const predicate = planner.plan((step as Call).args[1]!).step;
  const decisive = !isAll;
  // The condition reads the accumulator, in `exists` with a `!`.
  const conditionCost = isAll ? 2 : 3;
  return (machine) => {
    const elements = new RangeElements(range(machine));
    let problem: EvaluationError | undefined;
    let index = 0;
    for (; index < elements.length; index++) {
      elements.assign(machine, index, variables);
      machine.charge(conditionCost + 1);
      try {
        const value = predicate(machine);
        if (value === decisive) break;
        if (value !== !decisive) problem ??= new EvaluationError('no such overload');
      } catch (caught) {
        if (!(caught instanceof EvaluationError)) throw caught;
        problem ??= caught;
      }
    }
    if (index < elements.length) {
      // If elements are left, the fold evaluates the condition once more before it ends.
      machine.charge(index + 1 < elements.length ? conditionCost + 1 : 1);
      return decisive;
    }
    machine.charge(1);
    if (problem) throw problem;
    return !decisive;
  };
}

/**
 * `map`, `filter` and the `transform` macros: the accumulator is extended in place, not copied for each element. Undefined
 * if the comprehension has another shape.
 */
function accumulatingStep(
  { step, init, result }: Comprehension,
  planner: SubexpressionPlanner,
  range: Step,
  variables: VariableSlots,
): Step | undefined {
  const isFiltered = isCall(step, '_?_:_');
  const addition = isFiltered ? step.args[1]! : step;
  if (result.node !== 'ident') return undefined;
  const filter = isFiltered ? planner.plan(step.args[0]!).step : undefined;
  let start: () => Accumulator;
  if (isCall(addition, '_+_') && addition.args[1]!.node === 'list' && init.node === 'list') {
    const element = planner.plan(addition.args[1]!.elements[0]!);
    // A list of a constant is a constant and costs nothing; accumulator and addition cost 1 each.
    const cost = element.constant === undefined ? 2 + listCost : 2;
    start = () => new ListAccumulator(element.step, cost);
  } else if (isCall(addition, 'cel.@mapInsert') && init.node === 'map') {
    const operands = addition.args.slice(1).map((arg) => planner.plan(arg).step);
    start = () => new MapAccumulator(operands);
  } else return undefined;
  return (machine) => {
    const elements = new RangeElements(range(machine));
    const accumulator = start();
    for (let index = 0; index < elements.length; index++) {
      elements.assign(machine, index, variables);
      const passesFilter = filter ? filter(machine) : true;
      if (passesFilter === true) accumulator.add(machine);
      else if (passesFilter !== false) noSuchOverload();
    }
    machine.charge(1);
    return accumulator.result();
  };
}

interface Accumulator {
  add(machine: Machine): void;
  result(): Value;
}

class ListAccumulator implements Accumulator {
  readonly #element: Step;
  readonly #cost: number;
  readonly #list: Value[] = [];

  constructor(element: Step, cost: number) {
    this.#element = element;
    this.#cost = cost;
  }

  add(machine: Machine): void {
    this.#list.push(this.#element(machine));
    machine.charge(this.#cost);
  }

  result(): Value {
    return this.#list;
  }
}

/** Inserts a key and a value, or with a single operand the entries of a map. */
class MapAccumulator implements Accumulator {
  readonly #operands: readonly Step[];
  readonly #map = new Map<MapKey, readonly [Value, Value]>();

  constructor(operands: readonly Step[]) {
    this.#operands = operands;
  }

  add(machine: Machine): void {
    const [keyOrMap, value] = this.#operands;
    const inserted = keyOrMap!(machine);
    if (value) this.#insert(inserted, value(machine));
    else if (!isMap(inserted)) noSuchOverload();
    else for (const key of keysOf(inserted)) this.#insert(key, lookUp(inserted, key)!);
    machine.charge(2);
  }

  #insert(key: Value, value: Value): void {
    const lookupKey = mapKey(key);
    if (lookupKey === undefined) fail('unsupported key type');
    if (this.#map.has(lookupKey)) fail(`insert failed: key ${String(lookupKey)} already exists`);
    this.#map.set(lookupKey, [key, value]);
  }

  result(): Value {
    return new CelMap(this.#map);
  }
}
