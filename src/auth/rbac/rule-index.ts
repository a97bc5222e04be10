// RBAC: index of policy rules, so that finding the first rule that allows a request takes a few lookups.
import {
  combinedResource,
  nonResourceURLMatches,
  type ReadonlyPolicyRule,
  type RequestAttributes,
  ruleAllows,
} from '../../apis/rbac/rule-evaluation.ts';

export const noRule = -1;

/** Rules with more combinations of verb, group and resource than this are evaluated unindexed, as are all beyond the total. */
const maxCombinations = 2048;
const maxTotalCombinations = 50_000;

/** The positions of the first rules for all objects of a resource, and for named ones. */
interface Entry {
  all: number;
  named: Map<string, number> | undefined;
}

/** A rule's position is that of its grant. */
export class RuleIndex {
  readonly #byVerb = new Map<string, Map<string, Map<string, Entry>>>();
  readonly #paths = new Map<string, Map<string, number>>();
  readonly #patterns: { readonly verb: string; readonly pattern: string; readonly position: number }[] = [];
  readonly #unindexed: { readonly rule: ReadonlyPolicyRule; readonly position: number }[] = [];
  #size = 0;

  /** Rules must be added in the order of their positions. */
  add(rule: ReadonlyPolicyRule, position: number): void {
    const count = combinations(rule);
    if (count > maxCombinations || this.#size + count > maxTotalCombinations) {
      this.#unindexed.push({ rule, position });
      return;
    }
    this.#size += count;
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
    for (let i = 0; i < 2; i++) {
      const verb = i === 0 ? attributes.verb : '*';
      best = first(
        best,
        attributes.isResource ? this.#findResource(verb, attributes) : this.#findPath(verb, attributes.path),
      );
    }
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
      best = first(best, positionOf(resources.get(combinedResource(resource, subresource)), name));
      best = first(best, positionOf(resources.get('*'), name));
      if (subresource !== '') best = first(best, positionOf(resources.get(`*/${subresource}`), name));
    }
    return best;
  }

  #findPath(verb: string, path: string): number {
    let best = this.#paths.get(verb)?.get(path) ?? noRule;
    for (const { verb: allowed, pattern, position } of this.#patterns) {
      if (allowed === verb && nonResourceURLMatches(pattern, path)) best = first(best, position);
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
    const entry = getOrAdd(resources, resource, () => ({ all: noRule, named: undefined }) as Entry);
    if (!rule.resourceNames?.length) {
      if (entry.all === noRule) entry.all = position;
      return;
    }
    entry.named ??= new Map();
    for (const name of rule.resourceNames) if (!entry.named.has(name)) entry.named.set(name, position);
  }

  #addPath(verb: string, url: string, position: number): void {
    if (url.endsWith('*')) {
      this.#patterns.push({ verb, pattern: url, position });
      return;
    }
    const paths = getOrAdd(this.#paths, verb, () => new Map<string, number>());
    if (!paths.has(url)) paths.set(url, position);
  }
}

function positionOf(entry: Entry | undefined, name: string): number {
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
