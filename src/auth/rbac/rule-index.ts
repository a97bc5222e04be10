// RBAC: index of policy rules, so that finding the first rule that allows a request takes a few lookups.
import {
  combinedResource,
  nonResourceURLMatches,
  type ReadonlyPolicyRule,
  type RequestAttributes,
  ruleAllows,
} from '../../apis/rbac/rule-evaluation.ts';

export const noRule = -1;

/**
 * Bound the memory of an index: a rule with more combinations of verb, group and resource is evaluated unindexed, as are
 * all rules beyond the total.
 */
const maxCombinations = 2048;
const maxTotalCombinations = 50_000;
/** Approximate memory of a combination. */
const combinationBytes = 150;

/** An upper bound of the memory of the index of these rules, in bytes. */
export function estimateIndexBytes(ruleSets: readonly (readonly ReadonlyPolicyRule[])[]): number {
  let combinations = 0;
  for (const rules of ruleSets) {
    for (const rule of rules) {
      const count = countCombinations(rule);
      // A rule that is not indexed takes an entry in a list.
      combinations += count > maxCombinations ? 1 : count;
    }
  }
  return Math.min(combinations, maxTotalCombinations) * combinationBytes;
}

/** The positions of the first rules for one combination of verb, group and resource. */
interface Entry {
  /** Of rules without resourceNames. */
  forAnyName: number;
  byName: Map<string, number> | undefined;
}

/**
 * A rule's position is the index of its grant: lower ones win. `*` in a rule is an entry of its own, and is looked up
 * beside the request's value.
 */
export class RuleIndex {
  /** By verb, API group and resource. */
  readonly #byVerb = new Map<string, Map<string, Map<string, Entry>>>();
  /** Non-resource rules by verb and path. */
  readonly #exactPaths = new Map<string, Map<string, number>>();
  readonly #pathPatterns: { readonly verb: string; readonly pattern: string; readonly position: number }[] =
    [];
  readonly #unindexed: { readonly rule: ReadonlyPolicyRule; readonly position: number }[] = [];
  #totalCombinations = 0;

  /** Rules must be added in the order of their positions. */
  add(rule: ReadonlyPolicyRule, position: number): void {
    const count = countCombinations(rule);
    if (count > maxCombinations || this.#totalCombinations + count > maxTotalCombinations) {
      this.#unindexed.push({ rule, position });
      return;
    }
    this.#totalCombinations += count;
    for (const verb of rule.verbs ?? []) {
      for (const group of rule.apiGroups ?? []) {
        for (const resource of rule.resources ?? []) this.#addResource(verb, group, resource, rule, position);
      }
      for (const url of rule.nonResourceURLs ?? []) this.#addPath(verb, url, position);
    }
  }

  /** The position of the first rule that allows the request, or `noRule`. */
  find(attributes: RequestAttributes): number {
    let best = noRule;
    // First the request's verb, then `*`.
    for (let i = 0; i < 2; i++) {
      const verb = i === 0 ? attributes.verb : '*';
      best = lower(
        best,
        attributes.isResource ? this.#findResource(verb, attributes) : this.#findPath(verb, attributes.path),
      );
    }
    // The unindexed rules are in the order of their positions.
    for (const { rule, position } of this.#unindexed) {
      if (best !== noRule && best <= position) break;
      if (ruleAllows(rule, attributes)) return position;
    }
    return best;
  }

  #findResource(verb: string, { group, resource, subresource, name }: RequestAttributes): number {
    const groups = this.#byVerb.get(verb);
    if (groups === undefined) return noRule;
    let best = noRule;
    for (let i = 0; i < 2; i++) {
      const resources = groups.get(i === 0 ? group : '*');
      if (resources === undefined) continue;
      best = lower(best, findPosition(resources.get(combinedResource(resource, subresource)), name));
      best = lower(best, findPosition(resources.get('*'), name));
      if (subresource !== '') best = lower(best, findPosition(resources.get(`*/${subresource}`), name));
    }
    return best;
  }

  #findPath(verb: string, path: string): number {
    let best = this.#exactPaths.get(verb)?.get(path) ?? noRule;
    for (const { verb: allowed, pattern, position } of this.#pathPatterns) {
      if (allowed === verb && nonResourceURLMatches(pattern, path)) best = lower(best, position);
    }
    return best;
  }

  #addResource(
    verb: string,
    group: string,
    resource: string,
    rule: ReadonlyPolicyRule,
    position: number,
  ): void {
    const groups = getOrAdd(this.#byVerb, verb, () => new Map<string, Map<string, Entry>>());
    const resources = getOrAdd(groups, group, () => new Map<string, Entry>());
    const entry = getOrAdd(resources, resource, () => ({ forAnyName: noRule, byName: undefined }) as Entry);
    if (!rule.resourceNames?.length) {
      if (entry.forAnyName === noRule) entry.forAnyName = position;
      return;
    }
    entry.byName ??= new Map();
    for (const name of rule.resourceNames) if (!entry.byName.has(name)) entry.byName.set(name, position);
  }

  #addPath(verb: string, url: string, position: number): void {
    if (url.endsWith('*')) {
      this.#pathPatterns.push({ verb, pattern: url, position });
      return;
    }
    const paths = getOrAdd(this.#exactPaths, verb, () => new Map<string, number>());
    if (!paths.has(url)) paths.set(url, position);
  }
}

function findPosition(entry: Entry | undefined, name: string): number {
  if (entry === undefined) return noRule;
  return entry.byName === undefined
    ? entry.forAnyName
    : lower(entry.forAnyName, entry.byName.get(name) ?? noRule);
}

/** The lower position; `noRule` counts as the highest. */
function lower(left: number, right: number): number {
  return left === noRule || (right !== noRule && right < left) ? right : left;
}

function countCombinations({
  verbs,
  apiGroups,
  resources,
  resourceNames,
  nonResourceURLs,
}: ReadonlyPolicyRule): number {
  const resourceCombinations =
    (apiGroups?.length ?? 0) * (resources?.length ?? 0) * (resourceNames?.length || 1);
  return (verbs?.length ?? 0) * (resourceCombinations + (nonResourceURLs?.length ?? 0));
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
