// ClusterRole aggregation: the rules that an aggregationRule collects.

import type { ReadonlyPolicyRule } from '../../apis/rbac/rule-evaluation.ts';
import { CooperativeYield } from '../../base/cooperative-yield.ts';
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

/**
 * Collects the rules of the selected roles: by selector, then by role name, each rule once. Pauses in between, because a role
 * may have very many selectors.
 */
export async function aggregatedRules(
  role: AggregatableRole,
  allRoles: Iterable<AggregatableRole>,
): Promise<ReadonlyPolicyRule[]> {
  const yielding = new CooperativeYield();
  let others = [...allRoles]
    .filter(({ name }) => name !== role.name)
    .sort((left, right) => (left.name < right.name ? -1 : 1));
  const rulesByJson = new Map<string, ReadonlyPolicyRule>();
  for (const selector of role.selectors ?? []) {
    const pause = yielding.next();
    if (pause) await pause;
    const selected = new Set(others.filter(({ labels }) => labelSelectorMatches(selector, labels)));
    if (selected.size === 0) continue;
    // A role that is selected again adds nothing.
    others = others.filter((other) => !selected.has(other));
    // The stored form is canonical: equal rules have equal JSON.
    for (const rule of [...selected].flatMap(({ rules }) => rules)) {
      const json = JSON.stringify(rule);
      if (!rulesByJson.has(json)) rulesByJson.set(json, rule);
    }
  }
  return [...rulesByJson.values()];
}
