import {
  combinedResource,
  nonResourceURLMatches,
  type ReadonlyPolicyRule,
  type RequestAttributes,
  ruleAllows,
} from '../../apis/rbac/rule-evaluation.ts';

/** No rule allows it. */
export const noRule = -1;

/** Rules that name more combinations than this are looked at one by one instead of being spelled out, as are all after so many. */
const mostCombinations = 2048;
const mostInAll = 50_000;

/** Where the first rule stands for all objects of a resource, and for those of some names. */
interface Entry {
  all: number;
  named: Map<string, number> | undefined;
}

/**
 * Many rules, arranged so that finding the first that allows a request takes a handful of lookups, however many they are.
 * A rule goes by its place: that of the grant it comes from.
 */
export class RuleIndex {
  readonly #byVerb = new Map<string, Map<string, Map<string, Entry>>>();
  readonly #paths = new Map<string, Map<string, number>>();
  readonly #patterns: { readonly verb: string; readonly pattern: string; readonly place: number }[] = [];
  readonly #wide: { readonly rule: ReadonlyPolicyRule; readonly place: number }[] = [];
  #size = 0;

  /** Rules are added in the order of their places. */
  add(rule: ReadonlyPolicyRule, place: number): void {
    const count = combinations(rule);
    if (count > mostCombinations || this.#size + count > mostInAll) {
      this.#wide.push({ rule, place });
      return;
    }
    this.#size += count;
    for (const verb of rule.verbs ?? []) {
      for (const group of rule.apiGroups ?? []) {
        for (const resource of rule.resources ?? []) this.#addResource(verb, group, resource, rule, place);
      }
      for (const url of rule.nonResourceURLs ?? []) this.#addPath(verb, url, place);
    }
  }

  /** The place of the first rule that allows this, or `none`. */
  find(asked: RequestAttributes): number {
    let best = noRule;
    for (let i = 0; i < 2; i++) {
      const verb = i === 0 ? asked.verb : '*';
      best = first(
        best,
        asked.isResource ? this.#findResource(verb, asked) : this.#findPath(verb, asked.path),
      );
    }
    for (const { rule, place } of this.#wide) {
      if (best !== noRule && best <= place) break;
      if (ruleAllows(rule, asked)) return place;
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
      best = first(best, placeOf(resources.get(combinedResource(resource, subresource)), name));
      best = first(best, placeOf(resources.get('*'), name));
      if (subresource !== '') best = first(best, placeOf(resources.get(`*/${subresource}`), name));
    }
    return best;
  }

  #findPath(verb: string, path: string): number {
    let best = this.#paths.get(verb)?.get(path) ?? noRule;
    for (const { verb: allowed, pattern, place } of this.#patterns) {
      if (allowed === verb && nonResourceURLMatches(pattern, path)) best = first(best, place);
    }
    return best;
  }

  #addResource(verb: string, group: string, resource: string, rule: ReadonlyPolicyRule, place: number): void {
    const groups = getOrAdd(this.#byVerb, verb, () => new Map<string, Map<string, Entry>>());
    const resources = getOrAdd(groups, group, () => new Map<string, Entry>());
    const entry = getOrAdd(resources, resource, () => ({ all: noRule, named: undefined }) as Entry);
    if (!rule.resourceNames?.length) {
      if (entry.all === noRule) entry.all = place;
      return;
    }
    entry.named ??= new Map();
    for (const name of rule.resourceNames) if (!entry.named.has(name)) entry.named.set(name, place);
  }

  #addPath(verb: string, url: string, place: number): void {
    if (url.endsWith('*')) {
      this.#patterns.push({ verb, pattern: url, place });
      return;
    }
    const paths = getOrAdd(this.#paths, verb, () => new Map<string, number>());
    if (!paths.has(url)) paths.set(url, place);
  }
}

function placeOf(entry: Entry | undefined, name: string): number {
  if (entry === undefined) return noRule;
  return entry.named === undefined ? entry.all : first(entry.all, entry.named.get(name) ?? noRule);
}

function first(one: number, other: number): number {
  return one === noRule || (other !== noRule && other < one) ? other : one;
}

function combinations({
  verbs,
  apiGroups,
  resources,
  resourceNames,
  nonResourceURLs,
}: ReadonlyPolicyRule): number {
  const objects = (apiGroups?.length ?? 0) * (resources?.length ?? 0) * (resourceNames?.length || 1);
  return (verbs?.length ?? 0) * (objects + (nonResourceURLs?.length ?? 0));
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
