// ValidatingAdmissionPolicy: the compiled CEL expressions of a policy.
import type { ValidatingAdmissionPolicySpec } from '../../apis/admissionregistration/validatingadmissionpolicy-schema.ts';
import type { AdmissionEnvironments, Environment } from '../../cel/index.ts';
import type { Cel } from '../../cel/on-demand.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { type CompiledExpression, compileExpression } from '../matching/conditions.ts';

export interface CompiledValidation {
  readonly check: CompiledExpression;
  /** The message where messageExpression gives none. */
  readonly message: string;
  readonly messageExpression: CompiledExpression | undefined;
  readonly reason: string | undefined;
}

export interface CompiledPolicy {
  readonly conditions: readonly CompiledExpression[];
  readonly variables: ReadonlyMap<string, CompiledExpression>;
  readonly validations: readonly CompiledValidation[];
  readonly annotations: readonly { readonly key: string; readonly value: CompiledExpression }[];
}

/** Compiles stored expressions. A compile error fails the evaluation. */
export class PolicyCompiler {
  readonly cel: Cel;
  readonly #environments: AdmissionEnvironments;

  constructor(cel: Cel, { name: serviceName, rules: { escapedFieldNames } }: Dialect) {
    this.cel = cel;
    this.#environments = new cel.AdmissionEnvironments({ serviceName, escapedFields: escapedFieldNames });
  }

  compile(spec: ValidatingAdmissionPolicySpec): CompiledPolicy {
    const { types, VariableTypes } = this.cel;
    const variableTypes = (spec.variables ?? []).length > 0 ? new VariableTypes() : undefined;
    const params = spec.paramKind !== undefined;
    const environment = (authorizer: boolean) =>
      this.#environments.for({ params, authorizer, ...(variableTypes && { variables: variableTypes }) });
    // matchConditions cannot read `variables`, and messageExpression cannot read `authorizer`.
    const withoutVariables = this.#environments.for({ params, authorizer: true });
    const withAuthorizer = environment(true);
    const withoutAuthorizer = environment(false);
    const variables = new Map<string, CompiledExpression>();
    for (const { name, expression } of spec.variables ?? []) {
      const value = this.#compile(withAuthorizer, expression);
      variableTypes!.define(name, 'program' in value ? value.program.type : types.dyn);
      variables.set(name, value);
    }
    return {
      conditions: (spec.matchConditions ?? []).map(({ expression }) =>
        this.#compile(withoutVariables, expression),
      ),
      variables,
      validations: (spec.validations ?? []).map(
        ({ expression, message = '', messageExpression, reason }) => ({
          check: this.#compile(withAuthorizer, expression),
          message: message.trim() || `failed expression: ${expression.trim()}`,
          messageExpression: messageExpression
            ? this.#compile(withoutAuthorizer, messageExpression)
            : undefined,
          reason,
        }),
      ),
      annotations: (spec.auditAnnotations ?? []).map(({ key, valueExpression }) => ({
        key,
        value: this.#compile(withAuthorizer, valueExpression),
      })),
    };
  }

  #compile(environment: Environment, source: string): CompiledExpression {
    return compileExpression(this.cel, environment, source);
  }
}
