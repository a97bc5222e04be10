// Admission CEL: compiles expressions and evaluates matchConditions within a cost budget.
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

/** The result of matchConditions: met, unmet, or the errors that left it open. */
export type MatchConditionsResult =
  | 'met'
  | 'unmet'
  | { readonly problems: readonly string[] }
  | 'too expensive';

export interface ExpressionBudget extends EvaluationOptions {
  /** The most that each expression may cost. */
  readonly costLimit: number;
  /** The remaining budget of all expressions together. */
  left: number;
}

/** The message for an exhausted cost budget. */
export const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run';

/** Holds a write to conditions: one that is not met decides, also where others cannot be evaluated. */
export function evaluateMatchConditions(
  conditions: readonly CompiledExpression[],
  inputs: object,
  budget: ExpressionBudget,
): MatchConditionsResult {
  const problems: string[] = [];
  let isMet = true;
  for (const condition of conditions) {
    const found = evaluate(condition, inputs, budget);
    if (found === 'too expensive') return found;
    if ('problem' in found) problems.push(found.problem);
    else if (found.value !== true) isMet = false;
  }
  if (!isMet) return 'unmet';
  return problems.length > 0 ? { problems } : 'met';
}

export type EvaluationOutcome = { readonly value: unknown } | { readonly problem: string } | 'too expensive';

/** Evaluates an expression within the budget. Problems have the wording of the response. */
export function evaluate(
  expression: CompiledExpression,
  inputs: object,
  budget: ExpressionBudget,
): EvaluationOutcome {
  const { source } = expression;
  if ('problem' in expression) return { problem: worded(source, expression.problem) };
  const result = expression.program.evaluate(inputs as Record<string, unknown>, budget);
  if (result.cost > budget.left) return 'too expensive';
  budget.left -= result.cost;
  return 'problem' in result ? { problem: worded(source, result.problem) } : { value: result.value };
}

const worded = (source: string, problem: string) => `expression '${source}' resulted in error: ${problem}`;
