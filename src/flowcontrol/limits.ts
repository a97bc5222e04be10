// API Priority and Fairness: the configuration of priority levels, and their concurrency limits.
import type { PriorityLevelConfigurationSpec } from '../apis/flowcontrol/prioritylevelconfiguration.ts';

/** The seats of a level without borrowing, and the bounds with it. */
export interface ConcurrencyLimits {
  readonly nominal: number;
  readonly lower: number;
  readonly upper: number;
}

export interface LevelSettings {
  /** Exempt levels never queue or reject. */
  readonly isExempt: boolean;
  /** Number of queues; with none, requests without a free seat are rejected. */
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

export interface LevelConfiguration {
  readonly spec: PriorityLevelConfigurationSpec;
  readonly settings: LevelSettings;
  readonly limits: ConcurrencyLimits;
  readonly isQuiescing: boolean;
}

/** Divides the server's seats by shares, rounded up, so that every level with a share has a seat. */
export function limitsOf(
  total: number,
  specs: ReadonlyMap<string, PriorityLevelConfigurationSpec>,
): Map<string, ConcurrencyLimits> {
  let sum = 0;
  for (const spec of specs.values()) sum += sharesOf(spec);
  const limits = new Map<string, ConcurrencyLimits>();
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

/** The demand of a level when seats are divided. */
export interface SeatClaim {
  readonly lower: number;
  readonly upper: number;
  /** Seats that it could use. */
  readonly target: number;
}

/**
 * Gives each level the same fraction of its target, within its bounds, so that all seats are used (max-min fairness).
 * The fraction is 0 if not even the lower bounds fit.
 */
export function divideSeats(
  total: number,
  claims: readonly SeatClaim[],
): { readonly seats: number[]; readonly fraction: number } {
  const seatsAt = (fraction: number) =>
    claims.map(({ lower, upper, target }) => Math.min(upper, Math.max(lower, fraction * target)));
  const sumAt = (fraction: number) => seatsAt(fraction).reduce((sum, seats) => sum + seats, 0);
  if (sumAt(0) >= total) return { seats: seatsAt(0), fraction: 0 };
  // Between these fractions the sum is linear, because no level reaches a bound.
  const breakpoints = claims
    .filter(({ target }) => target > 0)
    .flatMap(({ lower, upper, target }) => [lower / target, upper / target])
    .sort((a, b) => a - b);
  let below = 0;
  for (const breakpoint of breakpoints) {
    const sum = sumAt(breakpoint);
    if (sum >= total) {
      const sumBelow = sumAt(below);
      const fraction =
        sum === sumBelow
          ? breakpoint
          : below + ((breakpoint - below) * (total - sumBelow)) / (sum - sumBelow);
      return { seats: seatsAt(fraction), fraction };
    }
    below = breakpoint;
  }
  return { seats: seatsAt(below), fraction: below };
}
