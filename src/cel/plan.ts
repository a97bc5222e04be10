// CEL planner: compiles an AST to closures (steps) that charge the runtime cost of cel-go as they run. cel-go charges the
// lookup of a variable or field to the expression that uses it; `?:` and `a[b]` do not charge it, and take `unchargedStep`.
import { hasAnyField, hasField, selectAnyField, selectField, selectIndex, selectOptional } from './access.ts';
import { type Call, type Expr, type Ident, qualifiedName, type Select } from './ast.ts';
import type { CallReference, CheckedExpr } from './checker.ts';
import { candidateNames } from './checker.ts';
import { listCost, mapCost } from './cost/call-cost.ts';
import { comparisonCost } from './cost/models.ts';
import { type FunctionDeclaration, runtimeCostOf } from './declarations.ts';
import { EvaluationError, fail, noSuchOverload } from './errors.ts';
import { unescapeName } from './escaping.ts';
import type { Lazy } from './lazy.ts';
import { Machine, type Step } from './machine.ts';
import { binaryOperations, unaryOperations } from './operators.ts';
import { planCall } from './plan-call.ts';
import { planComprehension } from './plan-comprehension.ts';
import {
  attributePlan,
  binaryStep,
  constant,
  type ExprPlan,
  evaluateLogical,
  isIn,
  isPrimitive,
  type LocalOptions,
  literalValue,
  optionalListStep,
  optionalOr,
  qualifiedPlan,
  type SubexpressionPlanner,
  selectChain,
  unaryStep,
  variableStep,
} from './plan-parts.ts';
import type { CelType } from './types.ts';
import {
  CelMap,
  CelOptional,
  equal,
  isList,
  type MapKey,
  mapKey,
  typeOfValue,
  type Value,
} from './values.ts';

export interface PlannerResolver {
  /** The container of cel-go: the namespace in which unqualified names are looked up. */
  readonly container: string;
  /** Whether fields whose names are no CEL identifiers are selected by escaped names (`__dot__`), as in CRD rules. */
  readonly escapedFields: boolean;
  /** The function that converts the host's value of a variable; undefined if the variable does not exist. */
  adaptor(name: string): ((hostValue: unknown) => Value) | undefined;
  findType(name: string): CelType | undefined;
  function(name: string): FunctionDeclaration | undefined;
}

/** A comprehension variable, and the slot of the Machine that holds its value during evaluation. */
interface LocalSlot {
  readonly name: string;
  readonly slot: number;
  /** Whether the slot holds a `Lazy`. */
  readonly isLazy: boolean;
}

export interface PlannedProgram {
  readonly step: Step;
  /** The number of slots that an evaluation needs for comprehension variables. */
  readonly slotCount: number;
}

/** `checked` has the overloads that the type checker resolved; without it they are resolved at runtime. */
export function plan(expr: Expr, resolver: PlannerResolver, checked?: CheckedExpr): PlannedProgram {
  const planner = new Planner(resolver, checked);
  const { step } = planner.plan(expr);
  return { step, slotCount: planner.slotCount };
}

class Planner implements SubexpressionPlanner {
  readonly #resolver: PlannerResolver;
  readonly #checked: CheckedExpr | undefined;
  readonly #locals: LocalSlot[] = [];
  slotCount = 0;

  constructor(resolver: PlannerResolver, checked: CheckedExpr | undefined) {
    this.#resolver = resolver;
    this.#checked = checked;
  }

  plan(expr: Expr): ExprPlan {
    switch (expr.node) {
      case 'literal':
        return constant(literalValue(expr.literal));
      case 'ident':
        return this.#planIdent(expr);
      case 'select':
        return this.#planSelect(expr);
      case 'call':
        return this.#planCallExpr(expr);
      case 'list':
        return this.#planList(expr.elements, expr.optional);
      case 'map':
        return this.#planMap(expr);
      case 'struct':
        // No message types exist; the checker reports this, but unchecked expressions get here.
        return { step: () => fail(`unknown type: ${expr.typeName}`) };
      case 'comprehension':
        return { step: planComprehension(expr, this) };
    }
  }

  withLocal<T>(name: string, planWith: (slot: number) => T, { isLazy = false }: LocalOptions = {}): T {
    const slot = this.slotCount++;
    this.#locals.push({ name, slot, isLazy });
    const result = planWith(slot);
    this.#locals.pop();
    return result;
  }

  #findLocal(name: string): LocalSlot | undefined {
    return this.#locals.findLast((local) => local.name === name);
  }

  #planIdent(expr: Ident): ExprPlan {
    const variableOrType = this.#planVariableOrType(expr.id, expr.name);
    return variableOrType ?? attributePlan(() => fail(`no such attribute(s): ${expr.name}`));
  }

  /** A variable or type by its qualified name. */
  #planVariableOrType(id: number, name: string): ExprPlan | undefined {
    const local = this.#findLocal(name);
    if (local) {
      const { slot } = local;
      if (!local.isLazy) return attributePlan((machine) => machine.slots[slot]!);
      return attributePlan((machine) => (machine.slots[slot] as Lazy).value(machine));
    }
    const checkedName = this.#checked?.names.get(id);
    const candidates =
      checkedName !== undefined ? [checkedName] : candidateNames(this.#resolver.container, name);
    for (const candidate of candidates) {
      const adapt = this.#resolver.adaptor(candidate);
      if (adapt) return attributePlan(variableStep(candidate, adapt));
      const type = this.#resolver.findType(candidate);
      if (type) return constant(type);
    }
    return undefined;
  }

  #planSelect(expr: Select): ExprPlan {
    // `a.b` may be the qualified name of a variable. The checker has decided that, if it ran.
    const name = expr.testOnly ? undefined : qualifiedName(expr);
    if (name !== undefined && (!this.#checked || this.#checked.names.has(expr.id))) {
      const variable = this.#planVariableOrType(expr.id, name);
      if (variable) return variable;
    }
    const operand = this.plan(expr.operand);
    const { field } = expr;
    const names = this.#fieldNames(field);
    if (expr.testOnly) {
      const { step } = operand;
      if (names) return { step: (machine) => hasAnyField(step(machine), names) };
      return { step: (machine) => hasField(step(machine), field) };
    }
    if (names) return qualifiedPlan(operand, (value) => selectAnyField(value, names));
    // `a.b.c` is charged once, as one attribute.
    return operand.unchargedStep && operand.chain
      ? selectChain(operand.chain, field)
      : qualifiedPlan(operand, (value) => selectField(value, field));
  }

  /** The names that a possibly escaped field name may mean; undefined if only itself. */
  #fieldNames(field: string): readonly string[] | undefined {
    if (!this.#resolver.escapedFields) return undefined;
    const others = unescapeName(field);
    return others.length > 0 ? [field, ...others] : undefined;
  }

  #planList(elements: readonly Expr[], optional: ReadonlySet<number>): ExprPlan {
    const plans = elements.map((element) => this.plan(element));
    if (optional.size > 0) return { step: optionalListStep(plans, optional) };
    if (plans.every((element) => element.constant !== undefined))
      return constant(plans.map((element) => element.constant!));
    const steps = plans.map(({ step }) => step);
    return {
      step: (machine) => {
        const list: Value[] = [];
        for (const step of steps) list.push(step(machine));
        machine.charge(listCost);
        return list;
      },
    };
  }

  #planMap(expr: Expr & { readonly node: 'map' }): ExprPlan {
    const entries = expr.entries.map(({ key, value, optional }) => ({
      key: this.plan(key),
      value: this.plan(value),
      optional,
    }));
    const build = (machine: Machine): Value => {
      const map = new Map<MapKey, readonly [Value, Value]>();
      for (const entry of entries) {
        const key = entry.key.step(machine);
        const lookupKey = mapKey(key);
        if (lookupKey === undefined) return fail(`unsupported key type: ${typeOfValue(key).name}`);
        if (map.has(lookupKey)) return fail(`Failed with repeated key`);
        const value = entry.value.step(machine);
        if (!entry.optional) map.set(lookupKey, [key, value]);
        else if (!(value instanceof CelOptional)) noSuchOverload();
        else if (value.value !== undefined) map.set(lookupKey, [key, value.value]);
      }
      return new CelMap(map);
    };
    const isConstant = entries.every(
      ({ key, value, optional }) => key.constant !== undefined && value.constant !== undefined && !optional,
    );
    if (isConstant) return foldConstant(build);
    return {
      step: (machine) => {
        const map = build(machine);
        machine.charge(mapCost);
        return map;
      },
    };
  }

  #planCallExpr(expr: Call): ExprPlan {
    switch (expr.name) {
      case '_&&_':
        return { step: this.#planAnd(expr) };
      case '_||_':
        return { step: this.#planOr(expr) };
      case '_?_:_':
        return this.#planConditional(expr);
      case '_==_':
      case '_!=_':
        return { step: this.#planEquality(expr) };
      case '@in':
        return this.#planMembership(expr);
      case '_[_]':
        return this.#planIndex(expr);
      case '_[?_]':
      case '_?._':
        return this.#planOptionalIndex(expr);
      case '@not_strictly_false':
        return { step: this.#planNotStrictlyFalse(expr) };
    }
    return this.#planFunction(expr);
  }

  /** The operands of nested calls of the same operator, as one list. */
  #planOperands(expr: Call): Step[] {
    const terms: Step[] = [];
    const collect = (term: Expr) => {
      if (term.node === 'call' && term.name === expr.name && term.args.length === 2)
        term.args.forEach(collect);
      else terms.push(this.plan(term).step);
    };
    collect(expr);
    return terms;
  }

  #planAnd(expr: Call): Step {
    const terms = this.#planOperands(expr);
    const decisive = false;
    return (machine) => evaluateLogical(terms, machine, decisive);
  }

  #planOr(expr: Call): Step {
    const terms = this.#planOperands(expr);
    const decisive = true;
    return (machine) => evaluateLogical(terms, machine, decisive);
  }

  #planConditional(expr: Call): ExprPlan {
    const [condition, whenTrue, whenFalse] = expr.args.map((arg) => this.plan(arg));
    const test = condition!.step;
    const yes = whenTrue!.unchargedStep ?? whenTrue!.step;
    const no = whenFalse!.unchargedStep ?? whenFalse!.step;
    const step: Step = (machine) => {
      const decision = test(machine);
      if (decision === true) return yes(machine);
      return decision === false ? no(machine) : noSuchOverload();
    };
    return { step, unchargedStep: step };
  }

  #planEquality(expr: Call): Step {
    const [left, right] = expr.args.map((arg) => this.plan(arg).step) as [Step, Step];
    const expected = expr.name === '_==_';
    return (machine) => {
      const a = left(machine);
      const b = right(machine);
      machine.charge(comparisonCost(a, b));
      return equal(a, b) === expected;
    };
  }

  /** `value in container`. A constant list of primitive values becomes a set. */
  #planMembership(expr: Call): ExprPlan {
    const [element, container] = expr.args.map((arg) => this.plan(arg)) as [ExprPlan, ExprPlan];
    const { step } = element;
    const constantContainer = container.constant;
    if (
      constantContainer !== undefined &&
      isList(constantContainer) &&
      this.#hasOnlyOverload(expr, 'in_list')
    ) {
      const list = constantContainer;
      if (list.every(isPrimitive)) {
        // Numbers of different types are equal if their values are, as in map keys.
        const set = new Set(list.map((item) => (item === null ? null : mapKey(item))));
        return {
          step: (machine) => {
            const value = step(machine);
            const key = value === null ? null : mapKey(value);
            return key !== undefined && set.has(key);
          },
        };
      }
    }
    const containerStep = container.step;
    const cost = runtimeCostOf(this.#checked?.calls.get(expr.id)?.overloads ?? []);
    return {
      step: (machine) => {
        const value = step(machine);
        const members = containerStep(machine);
        machine.charge(cost ? cost(value, members) : 1);
        return isIn(value, members);
      },
    };
  }

  #hasOnlyOverload(expr: Call, overload: string): boolean {
    const overloads = this.#checked?.calls.get(expr.id)?.overloads;
    return overloads?.length === 1 && overloads[0]!.id === overload;
  }

  #planIndex(expr: Call): ExprPlan {
    const [operand, key] = expr.args.map((arg) => this.plan(arg)) as [ExprPlan, ExprPlan];
    if (key.constant !== undefined) {
      const constantKey = key.constant;
      return qualifiedPlan(operand, (value) => selectIndex(value, constantKey));
    }
    const keyStep = key.unchargedStep ?? key.step;
    return qualifiedPlan(operand, (value, machine) => selectIndex(value, keyStep(machine)));
  }

  #planOptionalIndex(expr: Call): ExprPlan {
    const [operand, key] = expr.args.map((arg) => this.plan(arg)) as [ExprPlan, ExprPlan];
    const field = expr.name === '_?._' ? key.constant : undefined;
    const names = typeof field === 'string' ? this.#fieldNames(field) : undefined;
    if (names) {
      return qualifiedPlan(operand, (value) => {
        const presentName = names.find((name) => selectOptional(value, name) !== CelOptional.none);
        return selectOptional(value, presentName ?? names[0]!);
      });
    }
    const keyStep = key.unchargedStep ?? key.step;
    return qualifiedPlan(operand, (value, machine) => selectOptional(value, keyStep(machine)));
  }

  /** The condition of `all` and `exists`: true unless its argument is false, also for an error. */
  #planNotStrictlyFalse(expr: Call): Step {
    const { step } = this.plan(expr.args[0]!);
    return (machine) => {
      try {
        const value = step(machine);
        machine.charge(1);
        return value !== false;
      } catch (problem) {
        if (problem instanceof EvaluationError) return true;
        throw problem;
      }
    };
  }

  /** The function of a call, from the checker or, unchecked, by name. */
  #resolveFunction(expr: Call): CallReference | undefined {
    const checkedReference = this.#checked?.calls.get(expr.id);
    if (checkedReference) return checkedReference;
    const byName = (name: string) => {
      for (const candidate of candidateNames(this.#resolver.container, name)) {
        const declaration = this.#resolver.function(candidate);
        if (declaration) return declaration;
      }
      return undefined;
    };
    const prefix = expr.target && qualifiedName(expr.target);
    const namespaced = prefix === undefined ? undefined : byName(`${prefix}.${expr.name}`);
    const declaration = namespaced ?? byName(expr.name);
    if (!declaration) return undefined;
    const isMember = expr.target !== undefined && !namespaced;
    const overloads = declaration.overloads.filter((overload) => overload.isMember === isMember);
    return { function: declaration, overloads, isNamespaced: namespaced !== undefined };
  }

  #planFunction(expr: Call): ExprPlan {
    const reference = this.#resolveFunction(expr);
    if (!reference) return { step: () => fail(`unbound function: ${expr.name}`) };
    const operands = expr.target && !reference.isNamespaced ? [expr.target, ...expr.args] : expr.args;
    const args = operands.map((operand) => this.plan(operand));
    const { name } = reference.function;
    if (name === 'or' || name === 'orValue') return { step: optionalOr(args[0]!.step, args[1]!.step, name) };
    const cost = runtimeCostOf(reference.overloads);
    const unary = unaryOperations.get(name);
    const binary = binaryOperations.get(name);
    const steps = args.map(({ step }) => step);
    if (unary) return { step: unaryStep(steps[0]!, unary) };
    if (binary) return { step: binaryStep(steps[0]!, steps[1]!, binary, cost) };
    const step = planCall(name, reference.overloads, steps, cost);
    const isFoldable = conversions.has(name) && args.length === 1 && args[0]!.constant !== undefined;
    return isFoldable ? foldConstant(step) : { step };
  }
}

/** Conversions that are folded if their argument is a constant. */
const conversions = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);

/**
 * Evaluates a constant expression at compile time. An error would occur in every evaluation, so it is a compile
 * error.
 */
function foldConstant(step: Step): ExprPlan {
  return constant(step(new Machine({}, 0, Number.POSITIVE_INFINITY)));
}
