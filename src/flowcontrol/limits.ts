// API Priority and Fairness: the configuration of priority levels, and their concurrency limits.
import type { PriorityLevelConfigurationSpec } from '../apis/flowcontrol/prioritylevelconfiguration.ts';

/** The seats (concurrent requests) of a level without borrowing (`nominal`), and the bounds with it. */
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
  /** Number of queues that a flow's requests are spread over (shuffle sharding). */
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

export interface LevelConfiguration {
  readonly spec: PriorityLevelConfigurationSpec;
  readonly settings: LevelSettings;
  readonly limits: ConcurrencyLimits;
  /** The level is deleted, and removed once its last request is finished. */
  readonly isQuiescing: boolean;
}

/** Divides the server's seats by shares, rounded up, so that every level with a share has a seat. */
export function limitsOf(
  serverSeats: number,
  specs: ReadonlyMap<string, PriorityLevelConfigurationSpec>,
): Map<string, ConcurrencyLimits> {
  let totalShares = 0;
  for (const spec of specs.values()) totalShares += sharesOf(spec);
  const limits = new Map<string, ConcurrencyLimits>();
  for (const [name, spec] of specs) {
    const nominal = totalShares === 0 ? 0 : Math.ceil((serverSeats * sharesOf(spec)) / totalShares);
    const { lendablePercent } = typeSettings(spec);
    const borrowingLimitPercent = spec.limited?.borrowingLimitPercent;
    const borrowable =
      borrowingLimitPercent === undefined ? serverSeats : Math.round((nominal * borrowingLimitPercent) / 100);
    limits.set(name, {
      nominal,
      lower: nominal - Math.round((nominal * (lendablePercent ?? 0)) / 100),
      upper: nominal + borrowable,
    });
  }
  return limits;
}

/** The default of nominalConcurrencyShares. */
const defaultShares = 30;

function sharesOf(spec: PriorityLevelConfigurationSpec): number {
  return typeSettings(spec).nominalConcurrencyShares ?? (spec.type === 'Limited' ? defaultShares : 0);
}

/** The settings of the level's type: `spec.exempt` or `spec.limited`. */
function typeSettings({ type, limited, exempt }: PriorityLevelConfigurationSpec) {
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
  totalSeats: number,
  claims: readonly SeatClaim[],
): { readonly seats: number[]; readonly fraction: number } {
  const seatsAt = (fraction: number) =>
    claims.map(({ lower, upper, target }) => Math.min(upper, Math.max(lower, fraction * target)));
  const sumAt = (fraction: number) => seatsAt(fraction).reduce((sum, seats) => sum + seats, 0);
  if (sumAt(0) >= totalSeats) return { seats: seatsAt(0), fraction: 0 };
  // At these fractions a level reaches a bound. Between two of them the sum is linear, so the fraction is interpolated.
  const breakpoints = claims
    .filter(({ target }) => target > 0)
    .flatMap(({ lower, upper, target }) => [lower / target, upper / target])
    .sort((a, b) => a - b);
  let previous = 0;
  for (const breakpoint of breakpoints) {
    const sum = sumAt(breakpoint);
    if (sum >= totalSeats) {
      const previousSum = sumAt(previous);
      const fraction =
        sum === previousSum
          ? breakpoint
          : previous + ((breakpoint - previous) * (totalSeats - previousSum)) / (sum - previousSum);
      return { seats: seatsAt(fraction), fraction };
    }
    previous = breakpoint;
  }
  return { seats: seatsAt(previous), fraction: previous };
}
