// ValidatingAdmissionPolicy: the CEL variable `variables` (spec.variables), whose fields are evaluated lazily and once.
import type { types, Value } from '../../cel/index.ts';
import type { Cel } from '../../cel/on-demand.ts';
import type { CompiledExpression, ExpressionBudget } from '../matching/conditions.ts';

/** The value of a variable, or its evaluation error. */
type EvaluatedVariable = { readonly value: Value } | { readonly problem: string };

/**
 * The value of `variables`: each field is evaluated on first access and cached, so the budget is charged for it once. An
 * error is cached, too, and thrown at each access.
 */
export function lazyVariables(
  cel: Cel,
  variables: ReadonlyMap<string, CompiledExpression>,
  requestVariables: object,
  budget: ExpressionBudget,
): object {
  const evaluated = new Map<string, EvaluatedVariable>();
  const evaluate = (compiled: CompiledExpression): EvaluatedVariable => {
    if ('problem' in compiled) return { problem: compiled.problem };
    const result = compiled.program.evaluate(requestVariables as Record<string, unknown>, budget);
    budget.remaining -= result.cost;
    return 'problem' in result ? { problem: result.problem } : { value: result.value };
  };
  return new (class extends cel.FieldsObject {
    override get type(): types.CelType {
      return cel.types.dyn;
    }

    override get(name: string): Value | undefined {
      let variable = evaluated.get(name);
      if (!variable) {
        const compiled = variables.get(name);
        if (!compiled) return undefined;
        variable = evaluate(compiled);
        evaluated.set(name, variable);
      }
      if ('value' in variable) return variable.value;
      throw new cel.EvaluationError(`composited variable "${name}" fails to evaluate: ${variable.problem}`);
    }

    override fields(): readonly string[] {
      return [...variables.keys()];
    }
  })();
}
