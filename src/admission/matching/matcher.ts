// Admission: matches requests against the rules and selectors of a policy, a binding or a webhook.
// A request is matched in two steps: `Matcher.forTarget` evaluates the rules once per target (operation on a resource or
// subresource) and its callers cache the result; `TargetMatcher.match` evaluates names and selectors for each request.
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

export class Matcher {
  readonly #criteria: MatchCriteria;
  readonly #selectors: AdmissionSelectors;

  constructor(criteria: MatchCriteria) {
    this.#criteria = criteria;
    this.#selectors = new AdmissionSelectors(criteria.namespaceSelector, criteria.objectSelector);
  }

  /** The matcher of the requests for one target; undefined where none of them matches. */
  forTarget(registry: Registry, target: AdmissionTarget): TargetMatcher | undefined {
    const { rules, excludeRules = [], matchPolicy } = this.#criteria;
    const policy: MatchPolicy = matchPolicy === 'Exact' ? 'Exact' : 'Equivalent';
    const matches: readonly RuleMatch[] = rules
      ? matchRules(rules, policy, registry, target)
      : [{ resource: target.resource, resourceNames: undefined }];
    const exclusions = matchRules(excludeRules, policy, registry, target);
    const isFullyExcluded = exclusions.some(({ resourceNames }) => resourceNames === undefined);
    if (matches.length === 0 || isFullyExcluded) return undefined;
    return new TargetMatcher(matches, exclusions, this.#selectors);
  }
}

export class TargetMatcher {
  readonly #matches: readonly RuleMatch[];
  readonly #exclusions: readonly RuleMatch[];
  readonly #selectors: AdmissionSelectors;
  /** The matched resource, if it is the same for every request for the target; undefined if it depends on the request. */
  readonly #unconditionalMatch: ServedResource | undefined;

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
      exclusions.length === 0 && selectors.areEmpty && first?.resourceNames === undefined;
    this.#unconditionalMatch = matchesEverything ? first?.resource : undefined;
  }

  /**
   * The resource in the version that the matching rule names, into which the objects are converted; undefined where the
   * request does not match.
   */
  match(attributes: Attributes): ServedResource | undefined {
    if (this.#unconditionalMatch) return this.#unconditionalMatch;
    const { name } = attributes;
    if (matchByName(this.#exclusions, name)) return undefined;
    const match = matchByName(this.#matches, name);
    return match && this.#selectors.matches(attributes) ? match.resource : undefined;
  }
}
