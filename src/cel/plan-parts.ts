// CEL planner: building blocks of planned expressions.
import { selectField } from './access.ts';
import type { Expr } from './ast.ts';
import { listCost, type RuntimeCost } from './cost/call-cost.ts';
import { EvaluationProblem, fail, noSuchOverload } from './errors.ts';
import type { Machine, Step } from './machine.ts';
import {
  Bytes,
  CelMap,
  Double,
  equal,
  fromJson,
  isList,
  isMap,
  lookUp,
  Optional,
  toInt,
  Uint,
  type Value,
} from './values.ts';

/**
 * A part of an expression, compiled. The reference counts the cost of looking something up (`own`) apart from that of
 * what it is looked up in (`free`), and leaves it out in some places: in the branches of `?:` and in `a[b]`.
 */
export interface Plan {
  readonly step: Step;
  /** The value, where it is known without evaluating. It costs nothing then. */
  readonly constant?: Value;
  readonly free?: Step;
  /** Where it is a chain of fields of something. */
  readonly chain?: Chain;
}

/** Plans subexpressions: the part of the planner that comprehensions use. */
export interface SubexpressionPlanner {
  plan(expr: Expr): Plan;
  /** Plans with a local variable in scope; the callback gets the slot that holds its value. */
  withLocal<T>(name: string, planned: (slot: number) => T, isLazy?: boolean): T;
}

interface Chain {
  readonly start: Step;
  readonly fields: readonly string[];
}

export function constant(value: Value): Plan {
  return { step: () => value, constant: value };
}

export function literalValue(literal: (Expr & { node: 'literal' })['literal']): Value {
  switch (literal.kind) {
    case 'int':
      return toInt(literal.value);
    case 'uint':
      return new Uint(literal.value);
    case 'double':
      return new Double(literal.value);
    case 'bytes':
      return new Bytes(literal.value);
    default:
      return literal.value;
  }
}

/** One step for all of `a.b.c`. */
export function chained({ start, fields: before }: Chain, field: string): Plan {
  const fields = [...before, field];
  const free: Step = (machine) => {
    let value = start(machine);
    for (let i = 0; i < fields.length; i++) {
      if (machine.isSpent) {
        const from = value;
        value = lookedUpForNothing(machine, () => selectField(from, fields[i]!));
        continue;
      }
      machine.cost++;
      value = selectField(value, fields[i]!);
      if (value === Optional.none) machine.cost--;
    }
    return value;
  };
  return { ...attribute(free), chain: { start, fields } };
}

/** Looking up an absent field costs nothing, so it works with an exhausted budget; everything else exceeds the limit. */
function lookedUpForNothing(machine: Machine, find: () => Value): Value {
  let found: Value | undefined;
  try {
    found = find();
  } catch (problem) {
    if (!(problem instanceof EvaluationProblem)) throw problem;
  }
  if (found !== Optional.none) machine.charge(1);
  return Optional.none;
}

/** Something that is looked up: that costs 1 of its own. */
export function attribute(free: Step): Plan {
  return {
    free,
    chain: { start: free, fields: [] },
    step: (machine) => {
      machine.charge(1);
      return free(machine);
    },
  };
}

/** A lookup in another value. In a computed value it costs one unit more. */
export function qualified(operand: Plan, qualify: (value: Value, machine: Machine) => Value): Plan {
  const inner = operand.free ?? operand.step;
  const own = operand.free && operand.free === operand.step ? 0 : 1;
  const free: Step = (machine) => {
    const value = inner(machine);
    if (machine.isSpent) return lookedUpForNothing(machine, () => qualify(value, machine));
    machine.cost++;
    const result = qualify(value, machine);
    if (result === Optional.none) machine.cost--;
    return result;
  };
  if (own === 0) return { step: free, free };
  return {
    free,
    step: (machine) => {
      machine.charge(1);
      return free(machine);
    },
  };
}

export function variableStep(name: string, adapt: (given: unknown) => Value): Step {
  if (adapt === fromJson) {
    return (machine) => {
      const given = machine.variables[name];
      if (typeof given === 'object' || typeof given === 'number') return fromJson(given);
      return given === undefined ? fail(`no such attribute(s): ${name}`) : (given as Value);
    };
  }
  return (machine) => {
    const given = machine.variables[name];
    return given === undefined ? fail(`no such attribute(s): ${name}`) : adapt(given);
  };
}

/** `&&` and `||`: one term that decides is enough, whatever the others are, also where they fail. */
export function decide(terms: readonly Step[], machine: Machine, decisive: boolean): boolean {
  let problem: EvaluationProblem | undefined;
  for (let i = 0; i < terms.length; i++) {
    try {
      const value = terms[i]!(machine);
      if (value === decisive) return decisive;
      if (value !== !decisive) problem ??= new EvaluationProblem('no such overload');
    } catch (caught) {
      if (!(caught instanceof EvaluationProblem)) throw caught;
      problem ??= caught;
    }
  }
  if (problem) throw problem;
  return !decisive;
}

export function isPrimitive(value: Value): boolean {
  return (
    value === null || (typeof value !== 'object' ? true : value instanceof Double || value instanceof Uint)
  );
}

export function isIn(value: Value, within: Value): boolean {
  if (isList(within)) {
    for (const element of within) if (equal(value, fromJson(element))) return true;
    return false;
  }
  if (within instanceof CelMap) return within.has(value);
  if (!isMap(within)) return noSuchOverload();
  return lookUp(within, value) !== undefined;
}

export function optionalListStep(plans: readonly Plan[], optional: ReadonlySet<number>): Step {
  return (machine) => {
    const list: Value[] = [];
    plans.forEach(({ step }, i) => {
      const value = step(machine);
      if (!optional.has(i)) list.push(value);
      else if (!(value instanceof Optional)) noSuchOverload();
      else if (value.value !== undefined) list.push(value.value);
    });
    machine.charge(listCost);
    return list;
  };
}

/** The second is evaluated only where the first is nothing. */
export function optionalOr(first: Step, second: Step, name: 'or' | 'orValue'): Step {
  return (machine) => {
    const value = first(machine);
    if (!(value instanceof Optional)) return noSuchOverload();
    if (value.value === undefined) return second(machine);
    return name === 'or' ? value : value.value;
  };
}

export function unaryStep(operand: Step, operation: (value: Value) => Value): Step {
  return (machine) => {
    machine.charge(1);
    return operation(operand(machine));
  };
}

export function binaryStep(
  one: Step,
  other: Step,
  operation: (one: Value, other: Value) => Value,
  cost: RuntimeCost | undefined,
): Step {
  if (!cost) {
    return (machine) => {
      // Paid also where an operand cannot be evaluated.
      machine.charge(1);
      const a = one(machine);
      const b = other(machine);
      if (Array.isArray(a) && Array.isArray(b)) machine.copy(a.length + b.length);
      return operation(a, b);
    };
  }
  return (machine) => {
    const a = one(machine);
    const b = other(machine);
    machine.charge(cost(a, b));
    return operation(a, b);
  };
}
