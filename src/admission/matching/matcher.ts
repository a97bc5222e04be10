// Admission: matches requests against the rules and selectors of a policy, a binding or a webhook.
import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import type { Registry, ServedResource } from '../../kind/registry.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import type { Attributes } from '../attributes.ts';
import { type MatchPolicy, type MatchRule, matchByName, matchRules, type RuleMatch } from './rules.ts';
import { AdmissionSelectors } from './selectors.ts';

/** The match constraints of a policy, a binding or a webhook. */
export interface MatchCriteria {
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  /** Absent: every request matches. */
  readonly rules?: readonly MatchRule[];
  readonly excludeRules?: readonly MatchRule[];
  readonly matchPolicy?: string;
}

/** Matches requests. The rules are evaluated once per target; names and selectors for each request. */
export class Matcher {
  readonly #criteria: MatchCriteria;
  readonly #selectors: AdmissionSelectors;

  constructor(criteria: MatchCriteria) {
    this.#criteria = criteria;
    this.#selectors = new AdmissionSelectors(criteria.namespaceSelector, criteria.objectSelector);
  }

  /** The matcher of one target; undefined where no request for it matches. */
  for(registry: Registry, target: AdmissionTarget): TargetMatcher | undefined {
    const { rules, excludeRules = [], matchPolicy } = this.#criteria;
    const policy: MatchPolicy = matchPolicy === 'Exact' ? 'Exact' : 'Equivalent';
    const matches: readonly RuleMatch[] = rules
      ? matchRules(rules, policy, registry, target)
      : [{ resource: target.resource, resourceNames: undefined }];
    const exclusions = matchRules(excludeRules, policy, registry, target);
    const matchesNothing =
      matches.length === 0 || exclusions.some(({ resourceNames }) => resourceNames === undefined);
    return matchesNothing ? undefined : new TargetMatcher(matches, exclusions, this.#selectors);
  }
}

export class TargetMatcher {
  readonly #matches: readonly RuleMatch[];
  readonly #exclusions: readonly RuleMatch[];
  readonly #selectors: AdmissionSelectors;
  /** The resource in the matched version, if every request for the target matches; else undefined. */
  readonly #matchForAll: ServedResource | undefined;

  constructor(
    matches: readonly RuleMatch[],
    exclusions: readonly RuleMatch[],
    selectors: AdmissionSelectors,
  ) {
    this.#matches = matches;
    this.#exclusions = exclusions;
    this.#selectors = selectors;
    const [first] = matches;
    const matchesEverything =
      exclusions.length === 0 && selectors.selectAll && first?.resourceNames === undefined;
    this.#matchForAll = matchesEverything ? first?.resource : undefined;
  }

  /**
   * The version in which the request matches and into which its objects are converted; undefined where it does not match.
   */
  match(attributes: Attributes): ServedResource | undefined {
    if (this.#matchForAll) return this.#matchForAll;
    const { name } = attributes;
    if (matchByName(this.#exclusions, name)) return undefined;
    const match = matchByName(this.#matches, name);
    return match && this.#selectors.select(attributes) ? match.resource : undefined;
  }
}
