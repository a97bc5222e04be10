// Validation of admission policies and webhooks: compiles their CEL expressions to find invalid ones.
import type { AdmissionEnvironments, types, VariableTypes } from '../../cel/index.ts';
import type { Cel } from '../../cel/on-demand.ts';
import type { MatchCondition, Variable } from './match-condition.ts';

/** Returns the detail of an "Invalid value" error for an expression, or undefined if the expression is valid. */
export type ExpressionCheck = (expression: string) => string | undefined;

/** The checks of a policy's expressions. Variables are checked in order: each may use the previous ones. */
export interface PolicyChecks {
  readonly condition: ExpressionCheck;
  variable(name: string, expression: string): string | undefined;
  readonly validation: ExpressionCheck;
  readonly message: ExpressionCheck;
  readonly annotation: ExpressionCheck;
}

/** The parts of a policy that expressions may refer to, or that are expressions. */
interface PolicyParts {
  readonly paramKind?: object;
  readonly variables?: readonly Variable[];
  readonly matchConditions?: readonly MatchCondition[];
  readonly validations?: readonly { readonly expression: string; readonly messageExpression?: string }[];
  readonly auditAnnotations?: readonly { readonly valueExpression: string }[];
}

/**
 * A new expression may only use what the previous release knows, too. Expressions that the stored object already has are
 * compiled with all libraries.
 */
export class AdmissionChecker {
  readonly #cel: Cel;
  readonly #forNew: AdmissionEnvironments;
  readonly #forStored: AdmissionEnvironments;

  constructor(cel: Cel, serviceName: string) {
    this.#cel = cel;
    this.#forNew = new cel.AdmissionEnvironments({ serviceName, minor: cel.compatibleMinor });
    this.#forStored = new cel.AdmissionEnvironments({ serviceName });
  }

  /** The checks for the expressions of `policy`, which replaces `old`. */
  checksOf(policy: PolicyParts, old?: PolicyParts): PolicyChecks {
    const { types, VariableTypes } = this.#cel;
    const params = policy.paramKind !== undefined;
    const variables = (policy.variables ?? []).length > 0 ? new VariableTypes() : undefined;
    const stored = expressionsOf(old);
    const scope: Scope = { params, authorizer: true, variables };
    const check =
      (expectedTypes: readonly types.CelType[], scopeOfCheck: Scope): ExpressionCheck =>
      (expression) =>
        this.#problem(expression, stored, scopeOfCheck, expectedTypes);
    return {
      condition: check([types.bool], { ...scope, variables: undefined }),
      variable: (name, expression) => {
        const { environment, compiled } = this.#compile(expression, stored, scope);
        const isValid = !(compiled instanceof this.#cel.Issues);
        variables?.define(name, isValid ? compiled.type : types.dyn);
        return isValid ? undefined : this.#cel.resultTypeError(environment, compiled, []);
      },
      validation: check([types.bool], scope),
      message: check([types.string], { ...scope, authorizer: false }),
      annotation: check([types.string, types.nullType], scope),
    };
  }

  /** The problem of an expression that does not compile, or whose type is not one of `expectedTypes`. */
  #problem(
    expression: string,
    stored: ReadonlySet<string>,
    scope: Scope,
    expectedTypes: readonly types.CelType[],
  ): string | undefined {
    const { environment, compiled } = this.#compile(expression, stored, scope);
    return this.#cel.resultTypeError(environment, compiled, expectedTypes);
  }

  #compile(expression: string, stored: ReadonlySet<string>, { params, authorizer, variables }: Scope) {
    const environments = stored.has(expression) ? this.#forStored : this.#forNew;
    const environment = environments.environmentFor({ params, authorizer, ...(variables && { variables }) });
    return { environment, compiled: environment.compile(expression) };
  }
}

/** What an expression may refer to. */
interface Scope {
  readonly params: boolean;
  readonly authorizer: boolean;
  readonly variables: VariableTypes | undefined;
}

/** The expressions of a stored policy. They stay valid even if a new policy could not use them. */
function expressionsOf(policy: PolicyParts = {}): ReadonlySet<string> {
  const { matchConditions = [], variables = [], validations = [], auditAnnotations = [] } = policy;
  return new Set([
    ...matchConditions.map(({ expression }) => expression),
    ...variables.map(({ expression }) => expression),
    ...validations.flatMap(({ expression, messageExpression = '' }) => [expression, messageExpression]),
    ...auditAnnotations.map(({ valueExpression }) => valueExpression),
  ]);
}
