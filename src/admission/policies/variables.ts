// ValidatingAdmissionPolicy: the CEL variable variables, evaluated lazily and once.
import type { types, Value } from '../../cel/index.ts';
import type { Cel } from '../../cel/on-demand.ts';
import type { CompiledExpression, ExpressionBudget } from '../matching/conditions.ts';

/** The value of a variable, or its evaluation error. */
type Known = { readonly value: Value } | { readonly problem: string };

/** The value of `variables`: each is evaluated when an expression first looks at it, and then no more. */
export function lazyVariables(
  cel: Cel,
  variables: ReadonlyMap<string, CompiledExpression>,
  inputs: object,
  budget: ExpressionBudget,
): object {
  const known = new Map<string, Known>();
  const evaluate = (compiled: CompiledExpression): Known => {
    if ('problem' in compiled) return { problem: compiled.problem };
    const result = compiled.program.evaluate(inputs as Record<string, unknown>, budget);
    budget.left -= result.cost;
    return 'problem' in result ? { problem: result.problem } : { value: result.value };
  };
  return new (class extends cel.FieldsObject {
    override get type(): types.CelType {
      return cel.types.dyn;
    }

    override get(name: string): Value | undefined {
      let found = known.get(name);
      if (!found) {
        const compiled = variables.get(name);
        if (!compiled) return undefined;
        found = evaluate(compiled);
        known.set(name, found);
      }
      if ('value' in found) return found.value;
      throw new cel.EvaluationProblem(`composited variable "${name}" fails to evaluate: ${found.problem}`);
    }

    override fields(): readonly string[] {
      return [...variables.keys()];
    }
  })();
}
