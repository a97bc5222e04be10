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

/** All matches of rules for a target. Of those that include the object's name, the first one counts. */
export function matchRules(
  rules: readonly MatchRule[],
  matchPolicy: MatchPolicy,
  registry: Registry,
  target: AdmissionTarget,
): RuleMatch[] {
  const matches: RuleMatch[] = [];
  const addIfMatching = (rule: MatchRule, resource: ServedResource) => {
    if (ruleMatches(rule, { ...target, resource })) matches.push({ resource, resourceNames: namesOf(rule) });
  };
  for (const rule of rules) addIfMatching(rule, target.resource);
  if (matchPolicy === 'Exact') return matches;
  const otherResources = otherVersions(registry, target);
  for (const rule of rules) for (const other of otherResources) addIfMatching(rule, other);
  return matches;
}

/** The match for an object's name, '' before a name is generated. */
export function matchByName(matches: readonly RuleMatch[], name: string): RuleMatch | undefined {
  for (const match of matches)
    if (match.resourceNames === undefined || match.resourceNames.has(name)) return match;
  return undefined;
}

function namesOf({ resourceNames = [] }: MatchRule): ReadonlySet<string> | undefined {
  return resourceNames.length === 0 ? undefined : new Set(resourceNames);
}

/** The same resource in other groups and versions (matchPolicy Equivalent), the storage version first. */
function otherVersions(
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
