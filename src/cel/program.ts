// CEL program: a compiled expression, ready for evaluation.
import type { Expr } from './ast.ts';
import type { Checked } from './checker.ts';
import { type CostEstimate, estimateCost, type SizeHints } from './cost/estimate.ts';
import { EvaluationProblem, Interruption } from './errors.ts';
import { Machine, type Step, type Variables } from './machine.ts';
import { plan, type Resolver } from './plan.ts';
import { type CelType, dyn } from './types.ts';
import type { Value } from './values.ts';

export interface EvaluationOptions {
  /** The cost limit; evaluation stops there. */
  readonly costLimit?: number;
  /** Polled while comprehensions run. */
  readonly isCancelled?: () => boolean;
}

/** How an evaluation ended. */
export type Evaluation =
  | { readonly value: Value; readonly cost: number }
  | {
      readonly problem: string;
      /** It was stopped, by its cost or from outside. */
      readonly interrupted?: 'cost' | 'cancelled';
      readonly cost: number;
    };

/** A compiled expression. It keeps nothing of an evaluation, so one is enough for all. */
export class Program {
  readonly expr: Expr;
  readonly checked: Checked | undefined;
  readonly #step: Step;
  readonly #slots: number;

  constructor(expr: Expr, resolver: Resolver, checked?: Checked) {
    this.expr = expr;
    this.checked = checked;
    const planned = plan(expr, resolver, checked);
    this.#step = planned.step;
    this.#slots = planned.slots;
  }

  /** The static type of the result. */
  get type(): CelType {
    return this.checked?.type ?? dyn;
  }

  evaluate(variables: Variables, options: EvaluationOptions = {}): Evaluation {
    const machine = new Machine(
      variables,
      this.#slots,
      options.costLimit ?? Number.POSITIVE_INFINITY,
      options.isCancelled,
    );
    try {
      return { value: this.#step(machine), cost: machine.cost };
    } catch (problem) {
      if (problem instanceof EvaluationProblem) return { problem: problem.message, cost: machine.cost };
      if (problem instanceof Interruption) {
        return { problem: problem.message, interrupted: problem.reason, cost: machine.cost };
      }
      // Texts and nesting have an end in JavaScript, too.
      if (problem instanceof RangeError) return { problem: problem.message, cost: machine.cost };
      throw problem;
    }
  }

  /** The least and the most that it may cost, by the sizes that schemas promise. */
  estimateCost(hints?: SizeHints): CostEstimate {
    if (!this.checked) throw new Error('only a checked expression can be estimated');
    return estimateCost(this.checked, hints);
  }
}
