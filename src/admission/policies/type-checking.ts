// ValidatingAdmissionPolicy: type-checks expressions against the kinds that a policy matches (status.typeChecking).
import type { MatchResources } from '../../apis/admissionregistration/rules.ts';
import type {
  ExpressionWarning,
  ValidatingAdmissionPolicySpec,
} from '../../apis/admissionregistration/validatingadmissionpolicy-schema.ts';
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import type { AdmissionEnvironments, Environment, types } from '../../cel/index.ts';
import type { Cel } from '../../cel/on-demand.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { Registry, ServedResource } from '../../kind/registry.ts';
import { resourceOfParamKind } from './params.ts';

/** messageExpression cannot read the variable `authorizer`. */
type ExpressionRole = 'validation' | 'message';

/** A policy is type-checked against at most this many kinds. */
const maxKinds = 10;

/** Compiles a policy's expressions with the static types of the kinds that it matches. */
export class TypeChecker {
  readonly #cel: Cel;
  readonly #registry: Registry;
  readonly #environments: AdmissionEnvironments;

  constructor(cel: Cel, registry: Registry, dialect: Dialect) {
    this.#cel = cel;
    this.#registry = registry;
    this.#environments = new cel.AdmissionEnvironments({
      serviceName: dialect.name,
      escapedFields: dialect.rules.escapedFieldNames,
    });
  }

  /** The warnings for status.typeChecking. */
  async warnings(spec: ValidatingAdmissionPolicySpec): Promise<ExpressionWarning[]> {
    const kinds = namedKinds(this.#registry, spec.matchConstraints)
      .map((resource) => ({ name: nameOf(resource), check: this.#checkerFor(spec, resource) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    if (kinds.length === 0) return [];
    const warnings: ExpressionWarning[] = [];
    const checkExpression = (fieldRef: string, expression: string, role: ExpressionRole) => {
      const issuesByKind = kinds.flatMap(({ name, check }) => {
        const issues = check(expression, role);
        return issues === undefined ? [] : [`${name}: ${issues}\n`];
      });
      if (issuesByKind.length > 0) warnings.push({ fieldRef, warning: issuesByKind.join('\n') });
    };
    const cooperativeYield = new CooperativeYield();
    for (const [i, { expression, messageExpression = '' }] of (spec.validations ?? []).entries()) {
      const yielding = cooperativeYield.next();
      if (yielding) await yielding;
      checkExpression(`spec.validations[${i}].expression`, expression, 'validation');
      if (messageExpression !== '') {
        checkExpression(`spec.validations[${i}].messageExpression`, messageExpression, 'message');
      }
    }
    return warnings;
  }

  /**
   * Returns a function that type-checks expressions for one kind and returns their issues; undefined if there are none.
   */
  #checkerFor(spec: ValidatingAdmissionPolicySpec, resource: ServedResource) {
    const { VariableTypes, Issues, types } = this.#cel;
    const variables = (spec.variables ?? []).length > 0 ? new VariableTypes() : undefined;
    const object = this.#typeOf(resource);
    const paramResource = spec.paramKind && resourceOfParamKind(this.#registry, spec.paramKind);
    const params = paramResource && this.#typeOf(paramResource);
    const newEnvironment = (options: { readonly authorizer: boolean }): Environment =>
      this.#environments
        .environmentFor({ params: false, ...options, ...(variables && { variables }) })
        .extend({
          object: { type: object },
          oldObject: { type: object },
          ...(params && { params: { type: params } }),
        });
    const withAuthorizer = newEnvironment({ authorizer: true });
    const withoutAuthorizer = newEnvironment({ authorizer: false });
    for (const { name, expression } of spec.variables ?? []) {
      const compiled = withAuthorizer.compile(expression);
      variables!.define(name, compiled instanceof Issues ? types.dyn : compiled.type);
    }
    return (expression: string, role: ExpressionRole): string | undefined => {
      const environment = role === 'message' ? withoutAuthorizer : withAuthorizer;
      const compiled = environment.compile(expression);
      return compiled instanceof Issues ? compiled.text : undefined;
    };
  }

  #typeOf({ kind, definition }: ServedResource): types.CelType {
    return this.#cel.celSchemaType(definition.schema, kind).type;
  }
}

const nameOf = ({ group, version, kind }: ServedResource) => `${group}/${version}, Kind=${kind}`;

/**
 * The kinds that rules name without wildcards, at most `maxKinds`. As upstream, the core group matches every group. A rule may name very
 * many resources: its lists are not iterated for each kind.
 */
function namedKinds(
  { resources }: Registry,
  { resourceRules = [] }: MatchResources = {},
): readonly ServedResource[] {
  const found = new Set<ServedResource>();
  for (const { apiGroups = [], apiVersions = [], resources: named = [] } of resourceRules) {
    const [groups, versions, plurals] = [new Set(apiGroups), new Set(apiVersions), new Set(named)];
    if (groups.has('*') || versions.has('*')) continue;
    const matchesAllGroups = groups.has('');
    const matching = resources.filter(
      ({ group, version, definition }) =>
        plurals.has(definition.plural) && versions.has(version) && (matchesAllGroups || groups.has(group)),
    );
    // By the named group, version and plural, as upstream iterates the sorted lists of the rule.
    const orderOf = ({ group, version, definition }: ServedResource) =>
      [matchesAllGroups ? '' : group, version, definition.plural].join('/');
    const ordered = matching.toSorted((a, b) =>
      orderOf(a) < orderOf(b) ? -1 : orderOf(a) > orderOf(b) ? 1 : 0,
    );
    for (const resource of ordered) {
      if (found.size === maxKinds) return [...found];
      found.add(resource);
    }
  }
  return [...found];
}
