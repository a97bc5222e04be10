// CEL planner: building blocks of planned expressions.
import { selectField } from './access.ts';
import type { Expr } from './ast.ts';
import { listCost, type RuntimeCost } from './cost/call-cost.ts';
import { EvaluationError, fail, noSuchOverload } from './errors.ts';
import type { Machine, Step } from './machine.ts';
import {
  Bytes,
  CelMap,
  CelOptional,
  Double,
  equal,
  fromJson,
  isList,
  isMap,
  lookUp,
  toInt,
  Uint,
  type Value,
} from './values.ts';

/** A planned subexpression. */
export interface ExprPlan {
  readonly step: Step;
  /** The value of a constant, which costs nothing. */
  readonly constant?: Value;
  /**
   * Of an attribute: `step` without the charge for the lookup. cel-go charges it separately from the operand, and not in
   * the branches of `?:` and in `a[b]`.
   */
  readonly unchargedStep?: Step;
  /** Set for a chain of field selections. */
  readonly chain?: FieldChain;
}

/** Plans subexpressions: the part of the planner that comprehensions use. */
export interface SubexpressionPlanner {
  plan(expr: Expr): ExprPlan;
  /** Plans with a local variable in scope; the callback gets the slot that holds its value. */
  withLocal<T>(name: string, planWith: (slot: number) => T, options?: LocalOptions): T;
}

export interface LocalOptions {
  /** Whether the slot holds a `Lazy`. */
  readonly isLazy?: boolean;
}

/** `start.a.b.c`. */
interface FieldChain {
  readonly start: Step;
  readonly fields: readonly string[];
}

export function constant(value: Value): ExprPlan {
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

/** A single step for the selections `a.b.c`. */
export function selectChain({ start, fields: precedingFields }: FieldChain, field: string): ExprPlan {
  const fields = [...precedingFields, field];
  const unchargedStep: Step = (machine) => {
    let value = start(machine);
    for (let i = 0; i < fields.length; i++) {
      if (machine.isBudgetExhausted) {
        const from = value;
        value = lookUpWithoutBudget(machine, () => selectField(from, fields[i]!));
        continue;
      }
      machine.cost++;
      value = selectField(value, fields[i]!);
      // An optional lookup that finds nothing is free.
      if (value === CelOptional.none) machine.cost--;
    }
    return value;
  };
  return { ...attributePlan(unchargedStep), chain: { start, fields } };
}

/**
 * A lookup when the cost budget is exhausted. An optional lookup that finds nothing is free, so it still returns
 * optional.none; every other lookup, even one that fails, exceeds the limit.
 */
function lookUpWithoutBudget(machine: Machine, look: () => Value): Value {
  let result: Value | undefined;
  try {
    result = look();
  } catch (problem) {
    if (!(problem instanceof EvaluationError)) throw problem;
  }
  if (result !== CelOptional.none) machine.charge(1);
  return CelOptional.none;
}

/** An attribute lookup, which costs 1. */
export function attributePlan(unchargedStep: Step): ExprPlan {
  return {
    unchargedStep,
    chain: { start: unchargedStep, fields: [] },
    step: (machine) => {
      machine.charge(1);
      return unchargedStep(machine);
    },
  };
}

/** A qualifier of another plan, such as a field or index. On a computed value it costs 1 more. */
export function qualifiedPlan(
  operand: ExprPlan,
  qualify: (value: Value, machine: Machine) => Value,
): ExprPlan {
  const inner = operand.unchargedStep ?? operand.step;
  // The plan of `?:` has no lookup charge, its steps are the same: then a qualifier of it has none either.
  const hasLookupCharge = operand.unchargedStep !== operand.step;
  const unchargedStep: Step = (machine) => {
    const value = inner(machine);
    if (machine.isBudgetExhausted) return lookUpWithoutBudget(machine, () => qualify(value, machine));
    machine.cost++;
    const result = qualify(value, machine);
    // An optional lookup that finds nothing is free.
    if (result === CelOptional.none) machine.cost--;
    return result;
  };
  if (!hasLookupCharge) return { step: unchargedStep, unchargedStep };
  return {
    unchargedStep,
    step: (machine) => {
      machine.charge(1);
      return unchargedStep(machine);
    },
  };
}

/** Reads a variable of the host and converts it to a CEL value. */
export function variableStep(name: string, adapt: (hostValue: unknown) => Value): Step {
  // Fast path: of JSON values only objects and numbers need a conversion.
  if (adapt === fromJson) {
    return (machine) => {
      const hostValue = machine.variables[name];
      if (typeof hostValue === 'object' || typeof hostValue === 'number') return fromJson(hostValue);
      return hostValue === undefined ? fail(`no such attribute(s): ${name}`) : (hostValue as Value);
    };
  }
  return (machine) => {
    const hostValue = machine.variables[name];
    return hostValue === undefined ? fail(`no such attribute(s): ${name}`) : adapt(hostValue);
  };
}

/** `&&` and `||`: one operand with the decisive value (false for `&&`) is enough, even if others fail. */
export function evaluateLogical(operands: readonly Step[], machine: Machine, decisive: boolean): boolean {
  let problem: EvaluationError | undefined;
  for (let i = 0; i < operands.length; i++) {
    try {
      const value = operands[i]!(machine);
      if (value === decisive) return decisive;
      if (value !== !decisive) problem ??= new EvaluationError('no such overload');
    } catch (caught) {
      if (!(caught instanceof EvaluationError)) throw caught;
      problem ??= caught;
    }
  }
  if (problem) throw problem;
  return !decisive;
}

export function isPrimitive(value: Value): boolean {
  if (value === null || typeof value !== 'object') return true;
  return value instanceof Double || value instanceof Uint;
}

export function isIn(value: Value, container: Value): boolean {
  if (isList(container)) {
    for (const element of container) if (equal(value, fromJson(element))) return true;
    return false;
  }
  if (container instanceof CelMap) return container.has(value);
  if (!isMap(container)) return noSuchOverload();
  return lookUp(container, value) !== undefined;
}

export function optionalListStep(plans: readonly ExprPlan[], optional: ReadonlySet<number>): Step {
  return (machine) => {
    const list: Value[] = [];
    plans.forEach(({ step }, i) => {
      const value = step(machine);
      if (!optional.has(i)) list.push(value);
      else if (!(value instanceof CelOptional)) noSuchOverload();
      else if (value.value !== undefined) list.push(value.value);
    });
    machine.charge(listCost);
    return list;
  };
}

/** Evaluates the alternative only if the optional is empty. */
export function optionalOr(optional: Step, alternative: Step, name: 'or' | 'orValue'): Step {
  return (machine) => {
    const value = optional(machine);
    if (!(value instanceof CelOptional)) return noSuchOverload();
    if (value.value === undefined) return alternative(machine);
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
  left: Step,
  right: Step,
  operation: (left: Value, right: Value) => Value,
  cost: RuntimeCost | undefined,
): Step {
  if (!cost) {
    return (machine) => {
      // Charged even if an operand fails.
      machine.charge(1);
      const a = left(machine);
      const b = right(machine);
      if (Array.isArray(a) && Array.isArray(b)) machine.countCopied(a.length + b.length);
      return operation(a, b);
    };
  }
  return (machine) => {
    const a = left(machine);
    const b = right(machine);
    machine.charge(cost(a, b));
    return operation(a, b);
  };
}
