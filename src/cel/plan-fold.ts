// CEL planner: comprehensions (all, exists, map, filter, …).
import { accumulatorName, type Call, type Comprehension, type Expr } from './ast.ts';
import { listCost } from './cost/call-cost.ts';
import { EvaluationProblem, fail, noSuchOverload } from './errors.ts';
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

/** Where the variables of a macro lie: the element, or with two the index or key and the value. */
interface Variables {
  readonly first: number;
  readonly second?: number;
}

/** The elements of a comprehension's range. */
class Elements {
  readonly length: number;
  readonly #range: Value;
  readonly #list: readonly Value[] | undefined;
  readonly #keys: readonly Value[];

  constructor(range: Value) {
    this.#range = range;
    this.#list = isList(range) ? range : undefined;
    this.#keys = this.#list ? none : keysOfRange(range);
    this.length = this.#list ? this.#list.length : this.#keys.length;
  }

  /** Gives the variables the values for one element. */
  put(machine: Machine, at: number, { first, second }: Variables): void {
    machine.pass();
    const list = this.#list;
    if (second === undefined) machine.slots[first] = list ? fromJson(list[at]) : this.#keys[at]!;
    else {
      machine.slots[first] = list ? at : this.#keys[at]!;
      machine.slots[second] = list ? fromJson(list[at]) : lookUp(this.#range, this.#keys[at]!)!;
    }
  }
}

const none: readonly Value[] = [];

/**
 * Compiles a macro. All are folds, but those that come with the language are known by their shape, and run without
 * building a value for every step. They cost what the fold costs.
 */
export function planFold(expr: Comprehension, planner: SubexpressionPlanner): Step {
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

/** `cel.bind`: a fold over nothing. */
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
  const planned = (slot: number): Step => {
    const result = planner.plan(expr.result).step;
    return (machine) => {
      machine.slots[slot] = new Lazy(init);
      return result(machine);
    };
  };
  return planner.withLocal(expr.accumulator, planned, true);
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
  variables: Variables,
): Step {
  if (expr.accumulator === accumulatorName) {
    const quantified = quantifierStep(expr, planner, range, variables);
    if (quantified) return quantified;
    const gathered = gatheringStep(expr, planner, range, variables);
    if (gathered) return gathered;
  }
  return foldStep(expr, planner, range, accumulator, variables);
}

/** Any fold, step by step. */
function foldStep(
  expr: Comprehension,
  planner: SubexpressionPlanner,
  range: Step,
  accumulator: number,
  variables: Variables,
): Step {
  const init = planner.plan(expr.init).step;
  const condition = planner.plan(expr.condition).step;
  const step = planner.plan(expr.step).step;
  const result = planner.plan(expr.result).step;
  return (machine) => {
    const elements = new Elements(range(machine));
    machine.slots[accumulator] = init(machine);
    for (let at = 0; at < elements.length; at++) {
      elements.put(machine, at, variables);
      if (condition(machine) !== true) break;
      machine.slots[accumulator] = step(machine);
    }
    return result(machine);
  };
}

const isCall = (expr: Expr, name: string): expr is Call => expr.node === 'call' && expr.name === name;

/** `all` and `exists`: one element that decides is enough, also where the predicate fails for others. */
function quantifierStep(
  { step, condition, init }: Comprehension,
  planner: SubexpressionPlanner,
  range: Step,
  variables: Variables,
): Step | undefined {
  if (!isCall(condition, '@not_strictly_false') || init.node !== 'literal') return undefined;
  const isAll = isCall(step, '_&&_');
  if (!isAll && !isCall(step, '_||_')) return undefined;
  const predicate = planner.plan((step as Call).args[1]!).step;
  const decisive = !isAll;
  // The condition looks at the accumulator, in `exists` through a `!`.
  const conditionCost = isAll ? 2 : 3;
  return (machine) => {
    const elements = new Elements(range(machine));
    let problem: EvaluationProblem | undefined;
    let at = 0;
    for (; at < elements.length; at++) {
      elements.put(machine, at, variables);
      machine.charge(conditionCost + 1);
      try {
        const value = predicate(machine);
        if (value === decisive) break;
        if (value !== !decisive) problem ??= new EvaluationProblem('no such overload');
      } catch (caught) {
        if (!(caught instanceof EvaluationProblem)) throw caught;
        problem ??= caught;
      }
    }
    if (at < elements.length) {
      // With elements left, the condition is looked at once more before the loop ends.
      machine.charge(at + 1 < elements.length ? conditionCost + 1 : 1);
      return decisive;
    }
    machine.charge(1);
    if (problem) throw problem;
    return !decisive;
  };
}

/** `map`, `filter` and the `transform` macros: what they gather is added to in place, not copied for each element. */
function gatheringStep(
  { step, init, result }: Comprehension,
  planner: SubexpressionPlanner,
  range: Step,
  variables: Variables,
): Step | undefined {
  const isFiltered = isCall(step, '_?_:_');
  const addition = isFiltered ? step.args[1]! : step;
  if (result.node !== 'ident') return undefined;
  const filter = isFiltered ? planner.plan(step.args[0]!).step : undefined;
  let start: () => Gathering;
  if (isCall(addition, '_+_') && addition.args[1]!.node === 'list' && init.node === 'list') {
    const element = planner.plan(addition.args[1]!.elements[0]!);
    // A list of a constant is a constant, and costs nothing; the accumulator and the sum cost 1 each.
    const cost = element.constant === undefined ? 2 + listCost : 2;
    start = () => new ListGathering(element.step, cost);
  } else if (isCall(addition, 'cel.@mapInsert') && init.node === 'map') {
    const parts = addition.args.slice(1).map((arg) => planner.plan(arg).step);
    start = () => new MapGathering(parts);
  } else return undefined;
  return (machine) => {
    const elements = new Elements(range(machine));
    const gathering = start();
    for (let at = 0; at < elements.length; at++) {
      elements.put(machine, at, variables);
      const isWanted = filter ? filter(machine) : true;
      if (isWanted === true) gathering.add(machine);
      else if (isWanted !== false) noSuchOverload();
    }
    machine.charge(1);
    return gathering.result();
  };
}

interface Gathering {
  add(machine: Machine): void;
  result(): Value;
}

class ListGathering implements Gathering {
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

class MapGathering implements Gathering {
  readonly #parts: readonly Step[];
  readonly #map = new Map<MapKey, readonly [Value, Value]>();

  constructor(parts: readonly Step[]) {
    this.#parts = parts;
  }

  add(machine: Machine): void {
    const [first, second] = this.#parts;
    const key = first!(machine);
    if (second) this.#insert(key, second(machine));
    else if (!isMap(key)) noSuchOverload();
    else for (const inner of keysOf(key)) this.#insert(inner, lookUp(key, inner)!);
    machine.charge(2);
  }

  #insert(key: Value, value: Value): void {
    const known = mapKey(key);
    if (known === undefined) fail('unsupported key type');
    if (this.#map.has(known)) fail(`insert failed: key ${String(known)} already exists`);
    this.#map.set(known, [key, value]);
  }

  result(): Value {
    return new CelMap(this.#map);
  }
}
