import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import { selects } from '../../kind/meta/label-selector-match.ts';
import type { Rule } from './rule.ts';

/** What matters of a ClusterRole for gathering. */
export interface GatheredRole {
  readonly name: string;
  readonly uid: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly rules: readonly Rule[];
  /** Which roles it gathers from, if it does. */
  readonly selectors: readonly LabelSelector[] | undefined;
}

/** The rules that a role gathers: selector by selector, those of the roles it selects by name, each rule once. */
export function aggregatedRules(role: GatheredRole, all: Iterable<GatheredRole>): Rule[] {
  const others = [...all]
    .filter(({ name }) => name !== role.name)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const gathered = new Map<string, Rule>();
  for (const selector of role.selectors ?? []) {
    for (const { labels, rules } of others) {
      if (!selects(selector, labels)) continue;
      for (const rule of rules) {
        // Rules come from objects as they are stored, where what is the same is written alike.
        const text = JSON.stringify(rule);
        if (!gathered.has(text)) gathered.set(text, rule);
      }
    }
  }
  return [...gathered.values()];
}

/** Whether a role gathers from another, as this is or was. */
export function gathersFrom(role: GatheredRole, other: GatheredRole): boolean {
  return role.name !== other.name && !!role.selectors?.some((selector) => selects(selector, other.labels));
}
