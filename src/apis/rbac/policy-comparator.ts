// RBAC: computes which rules a set of held rules does not cover, for the privilege escalation check (upstream:
// validation.Covers). A rule covers another if it allows every request that the other allows.
import { includesOrWildcard, nonResourceURLMatches, type ReadonlyPolicyRule } from './rule-evaluation.ts';

/** Bounds the comparisons of one check, because it blocks the event loop. */
const maxComparisons = 4_000_000;
/** Reporting an uncovered permission takes about as long as this many comparisons. */
const uncoveredCost = 40;

/** The comparison exceeds its budget. */
export class TooManyPermissions extends Error {}

/**
 * Returns the permissions of the requested rules that the held rules do not cover, one rule for each permission. Throws
 * TooManyPermissions if that takes more than `budget` comparisons.
 */
export function uncoveredRules(
  held: readonly ReadonlyPolicyRule[],
  requested: readonly ReadonlyPolicyRule[],
  budget = maxComparisons,
): ReadonlyPolicyRule[] {
  const uncovered: ReadonlyPolicyRule[] = [];
  let remainingBudget = budget;
  const spend = (comparisons: number) => {
    remainingBudget -= comparisons;
    if (remainingBudget < 0) throw new TooManyPermissions();
  };
  for (const rule of requested) {
    spend(held.length);
    if (held.some((heldRule) => ruleCovers(heldRule, rule))) continue;
    spend(permissionCount(rule) * (held.length + uncoveredCost));
    for (const permission of uncoveredResources(held, rule)) uncovered.push(permission);
    for (const permission of uncoveredNonResourceURLs(held, rule)) uncovered.push(permission);
  }
  return uncovered;
}

/** Merges rules for the same resources and names into one with all their verbs. */
export function compactRules(rules: readonly ReadonlyPolicyRule[]): ReadonlyPolicyRule[] {
  const nonResourceRules: ReadonlyPolicyRule[] = [];
  const mergedRules = new Map<string, ReadonlyPolicyRule & { verbs: string[] }>();
  for (const rule of rules) {
    if (rule.nonResourceURLs) {
      nonResourceRules.push(rule);
      continue;
    }
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]);
    const merged = mergedRules.get(key);
    if (!merged) mergedRules.set(key, { ...rule, verbs: [...(rule.verbs ?? [])] });
    else for (const verb of rule.verbs ?? []) merged.verbs.push(verb);
  }
  return [...nonResourceRules, ...mergedRules.values()];
}

/** The number of single permissions in a rule: one verb on one resource, object or URL. */
function permissionCount({
  verbs,
  apiGroups,
  resources,
  resourceNames,
  nonResourceURLs,
}: ReadonlyPolicyRule): number {
  const objects = (apiGroups?.length ?? 0) * (resources?.length ?? 0) * (resourceNames?.length || 1);
  return (verbs?.length ?? 0) * (objects + (nonResourceURLs?.length ?? 0));
}

function* uncoveredResources(
  held: readonly ReadonlyPolicyRule[],
  requested: ReadonlyPolicyRule,
): Generator<ReadonlyPolicyRule> {
  const { verbs = [], apiGroups = [], resources = [], resourceNames } = requested;
  for (const group of apiGroups) {
    for (const resource of resources) {
      const candidates = held.filter(
        (rule) => includesOrWildcard(rule.apiGroups, group) && coversResource(rule, resource),
      );
      for (const verb of verbs) {
        const matching = candidates.filter((rule) => includesOrWildcard(rule.verbs, verb));
        const permission = { verbs: [verb], apiGroups: [group], resources: [resource] };
        if (!resourceNames?.length) {
          if (!matching.some((rule) => coversName(rule, undefined))) yield permission;
          continue;
        }
        for (const name of resourceNames) {
          if (!matching.some((rule) => coversName(rule, name)))
            yield { ...permission, resourceNames: [name] };
        }
      }
    }
  }
}

function* uncoveredNonResourceURLs(
  held: readonly ReadonlyPolicyRule[],
  { verbs = [], nonResourceURLs = [] }: ReadonlyPolicyRule,
): Generator<ReadonlyPolicyRule> {
  for (const url of nonResourceURLs) {
    const candidates = held.filter((rule) => coversNonResourceURL(rule, url));
    for (const verb of verbs) {
      if (!candidates.some((rule) => includesOrWildcard(rule.verbs, verb)))
        yield { verbs: [verb], nonResourceURLs: [url] };
    }
  }
}

/** Whether a single rule covers another, which is the usual case for administrators. */
function ruleCovers(held: ReadonlyPolicyRule, requested: ReadonlyPolicyRule): boolean {
  const { verbs = [], apiGroups = [], resources = [], nonResourceURLs = [], resourceNames } = requested;
  const names = resourceNames?.length ? resourceNames : [undefined];
  return (
    verbs.every((verb) => includesOrWildcard(held.verbs, verb)) &&
    apiGroups.every((group) => includesOrWildcard(held.apiGroups, group)) &&
    resources.every((resource) => coversResource(held, resource)) &&
    nonResourceURLs.every((url) => coversNonResourceURL(held, url)) &&
    names.every((name) => coversName(held, name))
  );
}

// `*/log` covers the subresource log of every resource.
function coversResource({ resources = [] }: ReadonlyPolicyRule, requested: string): boolean {
  if (includesOrWildcard(resources, requested)) return true;
  const slash = requested.indexOf('/');
  return slash >= 0 && resources.includes(`*${requested.slice(slash)}`);
}

function coversNonResourceURL({ nonResourceURLs = [] }: ReadonlyPolicyRule, requested: string): boolean {
  return nonResourceURLs.some((url) => nonResourceURLMatches(url, requested));
}

/** A request for objects of any name (undefined) needs a rule without resourceNames. */
function coversName({ resourceNames }: ReadonlyPolicyRule, name: string | undefined): boolean {
  return !resourceNames?.length || (name !== undefined && resourceNames.includes(name));
}
