// Admission: matches requests against RuleWithOperations, with matchPolicy Exact or Equivalent.
import type { Registry, ServedResource } from '../../kind/registry.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';

/** A rule of a policy, a binding or a webhook. Only rules of policies and bindings have resourceNames. */
export interface MatchRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
  readonly resourceNames?: readonly string[];
}

export type MatchPolicy = 'Exact' | 'Equivalent';

/** A match of one rule for a target. */
export interface RuleMatch {
  /** The resource in the version that the rule names; the objects are converted to it. */
  readonly resource: ServedResource;
  /** Undefined if objects of every name match. */
  readonly resourceNames: ReadonlySet<string> | undefined;
}

/**
 * The matches of all rules for a target, those in the version of the request first. For an object, the first match whose
 * resourceNames include its name counts (`matchByName`).
 */
export function matchRules(
  rules: readonly MatchRule[],
  matchPolicy: MatchPolicy,
  registry: Registry,
  target: AdmissionTarget,
): RuleMatch[] {
  const matches: RuleMatch[] = [];
  const addIfMatching = (rule: MatchRule, resource: ServedResource) => {
    if (!ruleMatches(rule, { ...target, resource })) return;
    const { resourceNames = [] } = rule;
    matches.push({ resource, resourceNames: resourceNames.length > 0 ? new Set(resourceNames) : undefined });
  };
  for (const rule of rules) addIfMatching(rule, target.resource);
  if (matchPolicy === 'Exact') return matches;
  const equivalents = equivalentResources(registry, target);
  for (const rule of rules) for (const equivalent of equivalents) addIfMatching(rule, equivalent);
  return matches;
}

/** The first match that includes the object's name, which is '' before a name is generated; undefined if none does. */
export function matchByName(matches: readonly RuleMatch[], name: string): RuleMatch | undefined {
  for (const match of matches)
    if (match.resourceNames === undefined || match.resourceNames.has(name)) return match;
  return undefined;
}

/** The same resource (by its storage prefix) in other groups and versions, the storage version first. */
function equivalentResources(
  { resources }: Registry,
  { resource, subresource }: AdmissionTarget,
): ServedResource[] {
  return resources
    .filter(
      (other) =>
        other !== resource &&
        other.prefix === resource.prefix &&
        (subresource === '' || other.subresource(subresource) !== undefined),
    )
    .sort((a, b) => Number(b === resource.stored) - Number(a === resource.stored));
}

function ruleMatches(rule: MatchRule, { resource, subresource, operation }: AdmissionTarget): boolean {
  return (
    includesOrWildcard(rule.operations, operation) &&
    includesOrWildcard(rule.apiGroups, resource.group) &&
    includesOrWildcard(rule.apiVersions, resource.version) &&
    hasScope(rule.scope, resource.definition.namespaced) &&
    (rule.resources ?? []).some((pattern) =>
      resourceMatches(pattern, resource.definition.plural, subresource),
    )
  );
}

const includesOrWildcard = (allowed: readonly string[] = [], value: string) =>
  allowed.includes('*') || allowed.includes(value);

const hasScope = (scope = '*', isNamespaced: boolean) =>
  scope === '*' || scope === '' || (scope === 'Namespaced') === isNamespaced;

// Patterns: `pods`, `pods/log`, `pods/*` (pods and its subresources), `*` (every resource, no subresource), `*/scale`.
function resourceMatches(pattern: string, resource: string, subresource: string): boolean {
  const slash = pattern.indexOf('/');
  const [resourcePattern, subresourcePattern] =
    slash < 0 ? [pattern, ''] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
  return (
    (resourcePattern === '*' || resourcePattern === resource) &&
    (subresourcePattern === '*' || subresourcePattern === subresource)
  );
}
