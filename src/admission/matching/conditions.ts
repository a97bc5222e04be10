// Admission CEL: compiles expressions and evaluates matchConditions within a cost budget.
import type { Environment, EvaluationOptions, Program } from '../../cel/index.ts';
import type { Cel } from '../../cel/on-demand.ts';

/** An expression that has been compiled, or what is wrong with it. */
export type Compiled = { readonly source: string } & (
  | { readonly program: Program }
  | { readonly problem: string }
);

/** What is stored is compiled; what cannot be fails when it is evaluated. */
export function compileExpression(cel: Cel, environment: Environment, source: string): Compiled {
  const compiled = environment.compile(source);
  return compiled instanceof cel.Issues
    ? { source, problem: `compilation error: compilation failed: ${compiled.text}` }
    : { source, program: compiled };
}

/** What conditions say of a write: that it is meant, or not, or why that cannot be told. */
export type Verdict = 'met' | 'unmet' | { readonly problems: readonly string[] } | 'too expensive';

export interface Budget extends EvaluationOptions {
  /** The most that each expression may cost. */
  readonly costLimit: number;
  /** What is left for all; it becomes less. */
  left: number;
}

/** What is said where expressions cost more than they may together. */
export const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run';

/** Holds a write to conditions: one that is not met decides, also where others cannot be evaluated. */
export function meets(conditions: readonly Compiled[], inputs: object, budget: Budget): Verdict {
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

export type Evaluated = { readonly value: unknown } | { readonly problem: string } | 'too expensive';

/** What an expression comes to within a budget. What is wrong is worded as clients hear it. */
export function evaluate(expression: Compiled, inputs: object, budget: Budget): Evaluated {
  const { source } = expression;
  if ('problem' in expression) return { problem: worded(source, expression.problem) };
  const result = expression.program.evaluate(inputs as Record<string, unknown>, budget);
  if (result.cost > budget.left) return 'too expensive';
  budget.left -= result.cost;
  return 'problem' in result ? { problem: worded(source, result.problem) } : { value: result.value };
}

const worded = (source: string, problem: string) => `expression '${source}' resulted in error: ${problem}`;
