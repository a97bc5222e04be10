// CEL program: a compiled expression, ready for evaluation.
import type { Expr } from './ast.ts';
import type { CheckedExpr } from './checker.ts';
import { type CostEstimate, estimateCost, type SizeHints } from './cost/estimate.ts';
import { EvaluationError, Interruption } from './errors.ts';
import { Machine, type Step, type Variables } from './machine.ts';
import { type PlannerResolver, plan } from './plan.ts';
import { type CelType, dyn } from './types.ts';
import type { Value } from './values.ts';

export interface EvaluationOptions {
  /** The cost limit; evaluation stops there. */
  readonly costLimit?: number;
  /** Polled while comprehensions run. */
  readonly isCancelled?: () => boolean;
}

export type Evaluation =
  | { readonly value: Value; readonly cost: number }
  | {
      readonly problem: string;
      /** Set if the cost limit was exceeded or the evaluation was cancelled. */
      readonly interrupted?: 'cost' | 'cancelled';
      readonly cost: number;
    };

/** Stateless: one program serves all evaluations. */
export class Program {
  readonly expr: Expr;
  readonly checked: CheckedExpr | undefined;
  readonly #step: Step;
  readonly #slotCount: number;

  constructor(expr: Expr, resolver: PlannerResolver, checked?: CheckedExpr) {
    this.expr = expr;
    this.checked = checked;
    const planned = plan(expr, resolver, checked);
    this.#step = planned.step;
    this.#slotCount = planned.slotCount;
  }

  /** The static type of the result. */
  get type(): CelType {
    return this.checked?.type ?? dyn;
  }

  evaluate(variables: Variables, options: EvaluationOptions = {}): Evaluation {
    const machine = new Machine(
      variables,
      this.#slotCount,
      options.costLimit ?? Number.POSITIVE_INFINITY,
      options.isCancelled,
    );
    try {
      return { value: this.#step(machine), cost: machine.cost };
    } catch (problem) {
      if (problem instanceof EvaluationError) return { problem: problem.message, cost: machine.cost };
      if (problem instanceof Interruption) {
        return { problem: problem.message, interrupted: problem.reason, cost: machine.cost };
      }
      // JavaScript limits the length of strings and the depth of recursion too.
      if (problem instanceof RangeError) return { problem: problem.message, cost: machine.cost };
      throw problem;
    }
  }

  /** The minimum and maximum cost, given the size limits of schemas. */
  estimateCost(hints?: SizeHints): CostEstimate {
    if (!this.checked) throw new Error('only a checked expression can be estimated');
    return estimateCost(this.checked, hints);
  }
}
