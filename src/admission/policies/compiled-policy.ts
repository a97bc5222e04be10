// ValidatingAdmissionPolicy: the compiled CEL expressions of a policy.
import type { ValidatingAdmissionPolicySpec } from '../../apis/admissionregistration/validatingadmissionpolicy-schema.ts';
import type { AdmissionEnvironments, AdmissionScope, Environment } from '../../cel/index.ts';
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

/** A policy's expressions, ready to be evaluated. */
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
    const known = (spec.variables ?? []).length > 0 ? new VariableTypes() : undefined;
    const scope = (more: Pick<AdmissionScope, 'authorizer'>, variables = known) =>
      this.#environments.for({
        params: spec.paramKind !== undefined,
        ...more,
        ...(variables && { variables }),
      });
    const outside = this.#environments.for({ params: spec.paramKind !== undefined, authorizer: true });
    const full = scope({ authorizer: true });
    const ofMessages = scope({ authorizer: false });
    const variables = new Map<string, CompiledExpression>();
    for (const { name, expression } of spec.variables ?? []) {
      const value = this.#compile(full, expression);
      known!.define(name, 'program' in value ? value.program.type : types.dyn);
      variables.set(name, value);
    }
    return {
      conditions: (spec.matchConditions ?? []).map(({ expression }) => this.#compile(outside, expression)),
      variables,
      validations: (spec.validations ?? []).map(
        ({ expression, message = '', messageExpression, reason }) => ({
          check: this.#compile(full, expression),
          message: message.trim() || `failed expression: ${expression.trim()}`,
          messageExpression: messageExpression ? this.#compile(ofMessages, messageExpression) : undefined,
          reason,
        }),
      ),
      annotations: (spec.auditAnnotations ?? []).map(({ key, valueExpression }) => ({
        key,
        value: this.#compile(full, valueExpression),
      })),
    };
  }

  #compile(environment: Environment, source: string): CompiledExpression {
    return compileExpression(this.cel, environment, source);
  }
}
