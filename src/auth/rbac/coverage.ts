import { hasOrAll, pathMatches, type Rule } from './rule.ts';

/** Everybody else waits while rules are compared: no more of them than this. */
const mostComparisons = 4_000_000;
/** To find that a permission is missing, and to say so, takes as long as so many comparisons. */
const costOfMissing = 40;

/** What is wanted is too much to be compared with what is held. */
export class TooManyPermissions extends Error {}

/**
 * What of the wanted rules the held ones do not allow, taken apart into single permissions. Throws TooManyPermissions where
 * finding out takes more than `most` comparisons.
 */
export function missingRules(held: readonly Rule[], wanted: readonly Rule[], most = mostComparisons): Rule[] {
  const missing: Rule[] = [];
  let left = most;
  const spend = (comparisons: number) => {
    left -= comparisons;
    if (left < 0) throw new TooManyPermissions();
  };
  for (const rule of wanted) {
    spend(held.length);
    if (held.some((one) => coversWhole(one, rule))) continue;
    spend(permissionsIn(rule) * (held.length + costOfMissing));
    missing.push(...missingOnResources(held, rule), ...missingOnPaths(held, rule));
  }
  return missing;
}

/** Puts permissions for the same resource together again. */
export function compact(rules: readonly Rule[]): Rule[] {
  const others: Rule[] = [];
  const simple = new Map<string, Rule & { verbs: string[] }>();
  for (const rule of rules) {
    if (rule.nonResourceURLs) {
      others.push(rule);
      continue;
    }
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]);
    const known = simple.get(key);
    if (!known) simple.set(key, { ...rule, verbs: [...(rule.verbs ?? [])] });
    else known.verbs.push(...(rule.verbs ?? []));
  }
  return [...others, ...simple.values()];
}

function permissionsIn({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: Rule): number {
  const objects = (apiGroups?.length ?? 0) * (resources?.length ?? 0) * (resourceNames?.length || 1);
  return (verbs?.length ?? 0) * (objects + (nonResourceURLs?.length ?? 0));
}

function* missingOnResources(held: readonly Rule[], wanted: Rule): Generator<Rule> {
  const { verbs = [], apiGroups = [], resources = [], resourceNames } = wanted;
  for (const group of apiGroups) {
    for (const resource of resources) {
      const near = held.filter((rule) => hasOrAll(rule.apiGroups, group) && coversResource(rule, resource));
      for (const verb of verbs) {
        const able = near.filter((rule) => hasOrAll(rule.verbs, verb));
        const missing = { verbs: [verb], apiGroups: [group], resources: [resource] };
        if (!resourceNames?.length) {
          if (!able.some((rule) => coversName(rule, undefined))) yield missing;
          continue;
        }
        for (const name of resourceNames) {
          if (!able.some((rule) => coversName(rule, name))) yield { ...missing, resourceNames: [name] };
        }
      }
    }
  }
}

function* missingOnPaths(held: readonly Rule[], { verbs = [], nonResourceURLs = [] }: Rule): Generator<Rule> {
  for (const url of nonResourceURLs) {
    const near = held.filter((rule) => coversPath(rule, url));
    for (const verb of verbs) {
      if (!near.some((rule) => hasOrAll(rule.verbs, verb))) yield { verbs: [verb], nonResourceURLs: [url] };
    }
  }
}

/** Whether one rule alone allows all of another: the usual case for who may do everything. */
function coversWhole(one: Rule, other: Rule): boolean {
  const names = other.resourceNames?.length ? other.resourceNames : [undefined];
  return (
    every(other.verbs, (verb) => hasOrAll(one.verbs, verb)) &&
    every(other.apiGroups, (group) => hasOrAll(one.apiGroups, group)) &&
    every(other.resources, (resource) => coversResource(one, resource)) &&
    every(other.nonResourceURLs, (url) => coversPath(one, url)) &&
    names.every((name) => coversName(one, name))
  );
}

const every = (values: readonly string[] | undefined, test: (value: string) => boolean) =>
  (values ?? []).every(test);

function coversResource({ resources = [] }: Rule, wanted: string): boolean {
  if (hasOrAll(resources, wanted)) return true;
  const slash = wanted.indexOf('/');
  return slash >= 0 && resources.includes(`*${wanted.slice(slash)}`);
}

function coversPath({ nonResourceURLs = [] }: Rule, wanted: string): boolean {
  return nonResourceURLs.some((url) => pathMatches(url, wanted));
}

/** Objects of all names need a rule without names. */
function coversName({ resourceNames }: Rule, name: string | undefined): boolean {
  return !resourceNames?.length || (name !== undefined && resourceNames.includes(name));
}
