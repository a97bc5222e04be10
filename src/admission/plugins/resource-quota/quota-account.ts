// ResourceQuota admission: checks whether an object is in the scopes of a quota, and whether its usage fits into the
// limits.
import type { ResourceQuota, ScopedResourceSelectorRequirement } from '../../../apis/core/resourcequota.ts';
import type { ApiObject } from '../../../kind/api-object.ts';
import { addQuantities, compareQuantities } from '../../../schema/quantity.ts';
import type { QuotaEvaluator } from './evaluator.ts';
import { filterUsage, parseUsage, type Usage } from './usage.ts';

/** Whether the object matches all scopes of the quota. */
export function isInScope({ spec }: ResourceQuota, evaluator: QuotaEvaluator, object: ApiObject): boolean {
  const scopes: ScopedResourceSelectorRequirement[] = [
    ...(spec.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' as const })),
    ...(spec.scopeSelector?.matchExpressions ?? []),
  ];
  return scopes.every((scope) => evaluator.matchesScope?.(scope, object) ?? false);
}

/** A quota's current limits and usage. */
export interface QuotaAccount {
  readonly name: string;
  readonly hard: Usage;
  readonly used: Usage;
}

export const accountOf = ({ metadata, status }: ResourceQuota): QuotaAccount => ({
  name: metadata.name ?? '',
  hard: parseUsage(status?.hard),
  used: parseUsage(status?.used),
});

/** The limited resource names that the evaluator computes usage for. */
export const limitsOf = ({ hard }: QuotaAccount, evaluator: QuotaEvaluator): string[] =>
  [...hard.keys()].filter((name) => evaluator.counts(name)).sort();

/**
 * The rejection if the object lacks requests or limits that the quota demands, or if status.used is not calculated yet;
 * undefined if its usage can be counted.
 */
export function uncountableMessage(
  account: QuotaAccount,
  evaluator: QuotaEvaluator,
  object: ApiObject,
): string | undefined {
  const limits = limitsOf(account, evaluator);
  const missing = evaluator.missingConstraints?.(limits, object) ?? [];
  if (missing.length > 0) return `failed quota: ${account.name}: must specify ${missing.join('; ')}`;
  if (limits.every((name) => account.used.has(name))) return undefined;
  return `status unknown for quota: ${account.name}, resources: ${limits.join(',')}`;
}

/** The rejection if the increase exceeds a limit; undefined if it fits. `uncountableMessage` is checked before. */
export function exceededMessage(
  { name: quota, hard, used }: QuotaAccount,
  increase: Usage,
): string | undefined {
  const exceeded = [...increase.keys()].sort().filter((name) => {
    const limit = hard.get(name);
    if (!limit) return false;
    return compareQuantities(addQuantities(used.get(name)!, increase.get(name)!), limit) > 0;
  });
  if (exceeded.length === 0) return undefined;
  const format = (usage: Usage) => exceeded.map((name) => `${name}=${usage.get(name)!.text}`).join(',');
  return `exceeded quota: ${quota}, requested: ${format(increase)}, used: ${format(used)}, limited: ${format(hard)}`;
}

/** The part of an increase that the quota limits and is charged. */
export const chargeOf = ({ hard }: QuotaAccount, increase: Usage): Usage =>
  filterUsage(increase, (name) => hard.has(name));

/** Whether spec.hard is not yet observed in status.hard. */
export const hasUnobservedLimits = ({ spec, status }: ResourceQuota) =>
  !isSameResourceList(spec.hard, status?.hard);

export function isSameResourceList(
  a: Readonly<Record<string, string>> = {},
  b: Readonly<Record<string, string>> = {},
): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
