// ValidatingAdmissionPolicy: compiles the CEL expressions of a policy, each with the variables that it may read.
import type { ValidatingAdmissionPolicySpec } from '../../apis/admissionregistration/validatingadmissionpolicy-schema.ts';
import type { AdmissionEnvironments, Environment } from '../../cel/index.ts';
import type { Cel } from '../../cel/on-demand.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { type CompiledExpression, compileExpression } from '../matching/conditions.ts';

export interface CompiledValidation {
  readonly expression: CompiledExpression;
  /** The message if there is no messageExpression, or if it yields no usable text. */
  readonly message: string;
  readonly messageExpression: CompiledExpression | undefined;
  readonly reason: string | undefined;
}

export interface CompiledPolicy {
  readonly matchConditions: readonly CompiledExpression[];
  readonly variables: ReadonlyMap<string, CompiledExpression>;
  readonly validations: readonly CompiledValidation[];
  readonly auditAnnotations: readonly { readonly key: string; readonly value: CompiledExpression }[];
}

/** Compiles stored expressions. A compile error fails the evaluation, not the compilation. */
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
    const declared = { params, ...(variableTypes && { variables: variableTypes }) };
    const withAuthorizer = this.#environments.environmentFor({ ...declared, authorizer: true });
    // matchConditions cannot read `variables`, and messageExpression cannot read `authorizer`.
    const forConditions = this.#environments.environmentFor({ params, authorizer: true });
    const forMessages = this.#environments.environmentFor({ ...declared, authorizer: false });
    const variables = new Map<string, CompiledExpression>();
    for (const { name, expression } of spec.variables ?? []) {
      const value = this.#compile(withAuthorizer, expression);
      // A variable may read the ones before it, so its type is declared before the next one is compiled.
      variableTypes!.define(name, 'program' in value ? value.program.type : types.dyn);
      variables.set(name, value);
    }
    return {
      matchConditions: (spec.matchConditions ?? []).map(({ expression }) =>
        this.#compile(forConditions, expression),
      ),
      variables,
      validations: (spec.validations ?? []).map(
        ({ expression, message = '', messageExpression, reason }) => ({
          expression: this.#compile(withAuthorizer, expression),
          message: message.trim() || `failed expression: ${expression.trim()}`,
          messageExpression: messageExpression ? this.#compile(forMessages, messageExpression) : undefined,
          reason,
        }),
      ),
      auditAnnotations: (spec.auditAnnotations ?? []).map(({ key, valueExpression }) => ({
        key,
        value: this.#compile(withAuthorizer, valueExpression),
      })),
    };
  }

  #compile(environment: Environment, source: string): CompiledExpression {
    return compileExpression(this.cel, environment, source);
  }
}
