import type { PriorityLevelConfigurationSpec } from '../api/flowcontrol/prioritylevelconfiguration.ts';

/** How many seats a level has when nobody lends or borrows, and between what that may move. */
export interface Limits {
  readonly nominal: number;
  readonly lower: number;
  readonly upper: number;
}

/** Shares out the seats of the whole server. Each level gets its part rounded up, so that one with a share has a seat. */
export function limitsOf(
  total: number,
  specs: ReadonlyMap<string, PriorityLevelConfigurationSpec>,
): Map<string, Limits> {
  let sum = 0;
  for (const spec of specs.values()) sum += sharesOf(spec);
  const limits = new Map<string, Limits>();
  for (const [name, spec] of specs) {
    const nominal = sum === 0 ? 0 : Math.ceil((total * sharesOf(spec)) / sum);
    const { lendablePercent } = settingsOf(spec);
    const borrowingLimitPercent = spec.limited?.borrowingLimitPercent;
    const borrowable =
      borrowingLimitPercent === undefined ? total : Math.round((nominal * borrowingLimitPercent) / 100);
    limits.set(name, {
      nominal,
      lower: nominal - Math.round((nominal * (lendablePercent ?? 0)) / 100),
      upper: nominal + borrowable,
    });
  }
  return limits;
}

function sharesOf(spec: PriorityLevelConfigurationSpec): number {
  return settingsOf(spec).nominalConcurrencyShares ?? (spec.type === 'Limited' ? 30 : 0);
}

function settingsOf({ type, limited, exempt }: PriorityLevelConfigurationSpec) {
  return (type === 'Exempt' ? exempt : limited) ?? {};
}

/** What one level asks for when seats are shared out anew. */
export interface Claim {
  readonly lower: number;
  readonly upper: number;
  /** How many it could use. */
  readonly target: number;
}

/**
 * Gives each level the same fraction of its target, but not less than its lower and not more than its upper bound, so
 * that all seats are given away. The fraction is 0 when not even the lower bounds can be given.
 */
export function shareOut(
  total: number,
  claims: readonly Claim[],
): { readonly seats: number[]; readonly fraction: number } {
  const given = (fraction: number) =>
    claims.map(({ lower, upper, target }) => Math.min(upper, Math.max(lower, fraction * target)));
  const sumAt = (fraction: number) => given(fraction).reduce((sum, seats) => sum + seats, 0);
  if (sumAt(0) >= total) return { seats: given(0), fraction: 0 };
  // Between these fractions the sum grows in a straight line: no level reaches a bound.
  const bends = claims
    .filter(({ target }) => target > 0)
    .flatMap(({ lower, upper, target }) => [lower / target, upper / target])
    .sort((a, b) => a - b);
  let below = 0;
  for (const bend of bends) {
    const sum = sumAt(bend);
    if (sum >= total) {
      const sumBelow = sumAt(below);
      const fraction =
        sum === sumBelow ? bend : below + ((bend - below) * (total - sumBelow)) / (sum - sumBelow);
      return { seats: given(fraction), fraction };
    }
    below = bend;
  }
  return { seats: given(below), fraction: below };
}
