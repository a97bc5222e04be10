// ClusterRole aggregation: the rules that an aggregationRule collects.

import type { ReadonlyPolicyRule } from '../../apis/rbac/rule-evaluation.ts';
import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import { labelSelectorMatches } from '../../kind/meta/label-selector-match.ts';

/** The fields of a ClusterRole that aggregation reads. */
export interface AggregatableRole {
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly rules: readonly ReadonlyPolicyRule[];
  /** The selectors of its aggregationRule; undefined without one. */
  readonly selectors: readonly LabelSelector[] | undefined;
}

/** Collects the rules of the selected roles: by selector, then by role name, each rule once. */
export function aggregatedRules(
  role: AggregatableRole,
  allRoles: Iterable<AggregatableRole>,
): ReadonlyPolicyRule[] {
  const others = [...allRoles]
    .filter(({ name }) => name !== role.name)
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  const rulesByJson = new Map<string, ReadonlyPolicyRule>();
  for (const selector of role.selectors ?? []) {
    for (const { labels, rules } of others) {
      if (!labelSelectorMatches(selector, labels)) continue;
      for (const rule of rules) {
        // The stored form is canonical: equal rules have equal JSON.
        const json = JSON.stringify(rule);
        if (!rulesByJson.has(json)) rulesByJson.set(json, rule);
      }
    }
  }
  return [...rulesByJson.values()];
}

/** Whether the aggregationRule of `role` selects `other`. */
export function aggregatesFrom(role: AggregatableRole, other: AggregatableRole): boolean {
  return (
    role.name !== other.name &&
    !!role.selectors?.some((selector) => labelSelectorMatches(selector, other.labels))
  );
}
