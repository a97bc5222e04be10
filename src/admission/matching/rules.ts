// Admission: matches requests against RuleWithOperations, with matchPolicy Exact or Equivalent.
import type { Registry, ServedResource } from '../../kind/registry.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';

/** A rule of a policy, a binding or a webhook. Only those of policies and bindings speak of names. */
export interface MatchRule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
  readonly resourceNames?: readonly string[];
}

export type MatchPolicy = 'Exact' | 'Equivalent';

/** One way in which rules match requests for a target. */
export interface RuleMatch {
  /** The version that the rule speaks of: the objects are to be seen in it. */
  readonly as: ServedResource;
  /** Only objects of these names; undefined where the name does not matter. */
  readonly names: ReadonlySet<string> | undefined;
}

/** All matches of rules for a target; the first that fits the object's name counts. */
export function matchRules(
  rules: readonly MatchRule[],
  matchPolicy: MatchPolicy,
  registry: Registry,
  sort: AdmissionTarget,
): RuleMatch[] {
  const meant: RuleMatch[] = [];
  const look = (rule: MatchRule, as: ServedResource) => {
    if (speaksOf(rule, { ...sort, resource: as })) meant.push({ as, names: namesOf(rule) });
  };
  for (const rule of rules) look(rule, sort.resource);
  if (matchPolicy === 'Exact') return meant;
  const others = otherVersions(registry, sort);
  for (const rule of rules) for (const other of others) look(rule, other);
  return meant;
}

/** The match for an object's name, '' before a name is generated. */
export function matchByName(ways: readonly RuleMatch[], name: string): RuleMatch | undefined {
  for (const way of ways) if (way.names === undefined || way.names.has(name)) return way;
  return undefined;
}

function namesOf({ resourceNames = [] }: MatchRule): ReadonlySet<string> | undefined {
  return resourceNames.length === 0 ? undefined : new Set(resourceNames);
}

/** The same objects in other groups and versions, the one they are stored in first, where these have the same part of them. */
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
    .sort((one, other) => Number(other === resource.stored) - Number(one === resource.stored));
}

function speaksOf(rule: MatchRule, { resource, subresource, operation }: AdmissionTarget): boolean {
  return (
    names(rule.operations, operation) &&
    names(rule.apiGroups, resource.group) &&
    names(rule.apiVersions, resource.version) &&
    hasScope(rule.scope, resource.definition.namespaced) &&
    (rule.resources ?? []).some((pattern) => fits(pattern, resource.definition.plural, subresource))
  );
}

const names = (allowed: readonly string[] = [], one: string) =>
  allowed.includes('*') || allowed.includes(one);

const hasScope = (scope = '*', isNamespaced: boolean) =>
  scope === '*' || scope === '' || (scope === 'Namespaced') === isNamespaced;

/** `pods`, `pods/log`, `pods/*`, which means pods, too, `*`, which means nothing below anything, or both with a star. */
function fits(pattern: string, resource: string, subresource: string): boolean {
  const slash = pattern.indexOf('/');
  const [above, below] = slash < 0 ? [pattern, ''] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
  return (above === '*' || above === resource) && (below === '*' || below === subresource);
}
