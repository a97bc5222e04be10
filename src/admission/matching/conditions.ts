// Admission CEL: compiles the expressions of policies and webhooks and evaluates them within a cost budget;
// matchConditions.
import type { Environment, EvaluationOptions, Program } from '../../cel/index.ts';
import type { Cel } from '../../cel/on-demand.ts';

/** A compiled expression, or its compile error. */
export type CompiledExpression = { readonly source: string } & (
  | { readonly program: Program }
  | { readonly problem: string }
);

/** Compiles a stored expression. A compile error fails the evaluation, not the caller. */
export function compileExpression(cel: Cel, environment: Environment, source: string): CompiledExpression {
  const compiled = environment.compile(source);
  return compiled instanceof cel.Issues
    ? { source, problem: `compilation error: compilation failed: ${compiled.text}` }
    : { source, program: compiled };
}

/**
 * Whether all matchConditions are true. `problems`: the errors of those that could not be evaluated. 'too expensive': the
 * cost budget is exhausted.
 */
export type MatchConditionsResult =
  | 'met'
  | 'unmet'
  | { readonly problems: readonly string[] }
  | 'too expensive';

export interface ExpressionBudget extends EvaluationOptions {
  /** The cost limit of each expression. */
  readonly costLimit: number;
  /** The remaining budget of all expressions together. */
  remaining: number;
}

/** The message for an exhausted cost budget. */
export const outOfBudgetMessage =
  'validation failed due to running out of cost budget, no further validation rules will be run';

/** One false condition makes the result 'unmet', even if others could not be evaluated. */
export function evaluateMatchConditions(
  conditions: readonly CompiledExpression[],
  variables: object,
  budget: ExpressionBudget,
): MatchConditionsResult {
  const problems: string[] = [];
  let isMet = true;
  for (const condition of conditions) {
    const outcome = evaluateExpression(condition, variables, budget);
    if (outcome === 'too expensive') return outcome;
    if ('problem' in outcome) problems.push(outcome.problem);
    else if (outcome.value !== true) isMet = false;
  }
  if (!isMet) return 'unmet';
  return problems.length > 0 ? { problems } : 'met';
}

export type EvaluationOutcome = { readonly value: unknown } | { readonly problem: string } | 'too expensive';

/** Evaluates an expression and subtracts its cost from the budget. Problems have the wording of the response. */
export function evaluateExpression(
  expression: CompiledExpression,
  variables: object,
  budget: ExpressionBudget,
): EvaluationOutcome {
  const { source } = expression;
  if ('problem' in expression) return { problem: formatProblem(source, expression.problem) };
  const result = expression.program.evaluate(variables as Record<string, unknown>, budget);
  if (result.cost > budget.remaining) return 'too expensive';
  budget.remaining -= result.cost;
  return 'problem' in result ? { problem: formatProblem(source, result.problem) } : { value: result.value };
}

const formatProblem = (source: string, problem: string) =>
  `expression '${source}' resulted in error: ${problem}`;
