// ResourceQuota admission: scopes and limits of a quota against the usage of an object.
import type { ResourceQuota, ScopedResourceSelectorRequirement } from '../../../apis/core/resourcequota.ts';
import type { ApiObject } from '../../../kind/api-object.ts';
import { addQuantities, compareQuantities } from '../../../schema/quantity.ts';
import type { Evaluator } from './evaluator.ts';
import { partOf, type Usage, usageIn } from './usage.ts';

/** Whether the object is one that the quota counts by its scopes. */
export function isInScope({ spec }: ResourceQuota, evaluator: Evaluator, object: ApiObject): boolean {
  const scopes: ScopedResourceSelectorRequirement[] = [
    ...(spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' as const })),
    ...(spec.scopeSelector?.matchExpressions ?? []),
  ];
  return scopes.every((scope) => evaluator.isIn?.(scope, object) ?? false);
}

/** A quota's current limits and usage. */
export interface Account {
  readonly name: string;
  readonly hard: Usage;
  readonly used: Usage;
}

export const accountOf = ({ metadata, status }: ResourceQuota): Account => ({
  name: metadata.name ?? '',
  hard: usageIn(status?.hard),
  used: usageIn(status?.used),
});

/** The limits of the account that have to do with such objects. */
export const limitsOf = ({ hard }: Account, evaluator: Evaluator): string[] =>
  [...hard.keys()].filter((name) => evaluator.counts(name)).sort();

/** Why it cannot be said whether an object fits; undefined where it can. */
export function whyUncountable(
  account: Account,
  evaluator: Evaluator,
  object: ApiObject,
): string | undefined {
  const limits = limitsOf(account, evaluator);
  const unsaid = evaluator.unsaid?.(limits, object) ?? [];
  if (unsaid.length > 0) return `failed quota: ${account.name}: must specify ${unsaid.join('; ')}`;
  if (limits.every((name) => account.used.has(name))) return undefined;
  return `status unknown for quota: ${account.name}, resources: ${limits.join(',')}`;
}

/** Why there is no room for so much more; undefined where there is. */
export function whyTooMuch({ name: quota, hard, used }: Account, increase: Usage): string | undefined {
  const exceeded = [...increase.keys()].sort().filter((name) => {
    const limit = hard.get(name);
    if (!limit) return false;
    return compareQuantities(addQuantities(used.get(name)!, increase.get(name)!), limit) > 0;
  });
  if (exceeded.length === 0) return undefined;
  const shown = (usage: Usage) => exceeded.map((name) => `${name}=${usage.get(name)!.text}`).join(',');
  return `exceeded quota: ${quota}, requested: ${shown(increase)}, used: ${shown(used)}, limited: ${shown(hard)}`;
}

/** The part of an increase that the quota limits. */
export const chargeOf = ({ hard }: Account, increase: Usage): Usage =>
  partOf(increase, (name) => hard.has(name));

/** Whether spec.hard is not yet observed in status.hard. */
export const isNew = ({ spec, status }: ResourceQuota) => !isSameList(spec.hard, status?.hard);

export function isSameList(
  one: Readonly<Record<string, string>> = {},
  other: Readonly<Record<string, string>> = {},
): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}
