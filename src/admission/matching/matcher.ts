// Admission: matches requests against the rules and selectors of a policy, a binding or a webhook.
import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import type { Registry, ServedResource } from '../../kind/registry.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import type { Attributes } from '../attributes.ts';
import { type MatchPolicy, type MatchRule, matchByName, matchRules, type RuleMatch } from './rules.ts';
import { WriteSelectors } from './selectors.ts';

/** Which writes a policy, a binding or a webhook is for. */
export interface Criteria {
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  /** Left out: every write. */
  readonly rules?: readonly MatchRule[];
  readonly excluded?: readonly MatchRule[];
  readonly matchPolicy?: string;
}

/** Matches requests. The part that does not depend on the single object is computed once for each target. */
export class Matcher {
  readonly #criteria: Criteria;
  readonly #selectors: WriteSelectors;

  constructor(criteria: Criteria) {
    this.#criteria = criteria;
    this.#selectors = new WriteSelectors(criteria.namespaceSelector, criteria.objectSelector);
  }

  /** The matcher of one target; undefined where no request for it matches. */
  for(registry: Registry, sort: AdmissionTarget): SortMatcher | undefined {
    const { rules, excluded = [], matchPolicy } = this.#criteria;
    const policy: MatchPolicy = matchPolicy === 'Exact' ? 'Exact' : 'Equivalent';
    const ways: readonly RuleMatch[] = rules
      ? matchRules(rules, policy, registry, sort)
      : [{ as: sort.resource, names: undefined }];
    const exceptions = matchRules(excluded, policy, registry, sort);
    const never = ways.length === 0 || exceptions.some(({ names }) => names === undefined);
    return never ? undefined : new SortMatcher(ways, exceptions, this.#selectors);
  }
}

export class SortMatcher {
  readonly #ways: readonly RuleMatch[];
  readonly #exceptions: readonly RuleMatch[];
  readonly #selectors: WriteSelectors;
  /** Set where every request for the target matches. */
  readonly #always: ServedResource | undefined;

  constructor(ways: readonly RuleMatch[], exceptions: readonly RuleMatch[], selectors: WriteSelectors) {
    this.#ways = ways;
    this.#exceptions = exceptions;
    this.#selectors = selectors;
    const [first] = ways;
    const isOpen = exceptions.length === 0 && selectors.selectAll && first?.names === undefined;
    this.#always = isOpen ? first?.as : undefined;
  }

  /**
   * The version in which the request matches and into which its objects are converted; undefined where it does not match.
   */
  match(attributes: Attributes): ServedResource | undefined {
    if (this.#always) return this.#always;
    const { name } = attributes;
    if (matchByName(this.#exceptions, name)) return undefined;
    const way = matchByName(this.#ways, name);
    return way && this.#selectors.select(attributes) ? way.as : undefined;
  }
}
