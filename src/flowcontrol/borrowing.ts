// API Priority and Fairness: borrowing of seats (units of concurrency) between priority levels.
import { type Clock, every } from '../base/clock.ts';
import type { FlowMetrics } from './flow-metrics.ts';
import { divideSeats, type SeatClaim } from './limits.ts';
import type { DemandSummary, PriorityLevel } from './priority-level.ts';

/** Interval of the adjustment. */
const periodMs = 10_000;
/** How often the demand of other threads is added. */
const samplePeriodMs = 100;

export interface BorrowingOptions {
  readonly clock: Clock;
  readonly metrics: FlowMetrics;
  /** Another thread adjusts the limits. */
  readonly isFollower?: boolean;
  /** Other threads take seats too. */
  readonly isShared?: boolean;
}

/**
 * Moves seats from priority levels that do not need them to those that do: each keeps its high watermark of the last
 * period, and at least its lower limit; the rest is divided by demand.
 */
export class Borrowing {
  readonly #levels: ReadonlyMap<string, PriorityLevel>;
  readonly #clock: Clock;
  readonly #metrics: FlowMetrics;
  readonly #isFollower: boolean;
  readonly #stop: () => void;
  readonly #stopSampling: () => void;

  constructor(levels: ReadonlyMap<string, PriorityLevel>, options: BorrowingOptions) {
    const { clock, metrics, isFollower = false, isShared = false } = options;
    this.#levels = levels;
    this.#clock = clock;
    this.#metrics = metrics;
    this.#isFollower = isFollower;
    this.#stop = isFollower ? () => {} : every(clock, periodMs, () => this.adjust());
    this.#stopSampling =
      isShared && !isFollower ? every(clock, samplePeriodMs, () => this.#sample()) : () => {};
  }

  #sample(): void {
    const now = this.#clock.elapsed();
    for (const level of this.#levels.values()) level.sampleDemand(now);
  }

  adjust(): void {
    if (this.#isFollower) return;
    const now = this.#clock.elapsed();
    const levels = [...this.#levels.values()].map((level) => ({
      level,
      demand: level.demand.summarize(now),
    }));
    let remainingSeats = levels.reduce((sum, { level }) => sum + level.limits.nominal, 0);
    for (const { level, demand } of levels) {
      if (!level.settings.isExempt) continue;
      // An exempt level takes its demand, however few seats that leaves for other levels.
      const neededSeats = retainedSeats(level, demand);
      remainingSeats -= neededSeats;
      this.#apply(level, demand, neededSeats, neededSeats);
    }
    const limited = levels.filter(({ level }) => !level.settings.isExempt);
    const claims = limited.map(({ level, demand }) => claimOf(level, demand));
    const { seats, fraction } = divideRemaining(remainingSeats, limited, claims);
    this.#metrics.fairFraction.value = fraction;
    limited.forEach(({ level, demand }, index) => {
      this.#apply(level, demand, claims[index]!.target, Math.round(seats[index]!));
    });
  }

  close(): void {
    this.#stop();
    this.#stopSampling();
  }

  /** Sets the level's limit, and the metrics of the adjustment. */
  #apply(level: PriorityLevel, demand: DemandSummary, target: number, limit: number): void {
    const { series, limits } = level;
    series.nominal.value = limits.nominal;
    series.lower.value = limits.lower;
    series.upper.value = limits.upper;
    series.current.value = limit;
    series.target.value = target;
    series.virtualTime.value = level.queues.virtualTime / 1000;
    series.demandHighest.value = demand.highest;
    series.demandAverage.value = demand.average;
    series.demandDeviation.value = demand.deviation;
    series.demandSmoothed.value = demand.smoothed;
    level.setLimit(limit);
  }
}

/** Divides seats between the levels that are not exempt. In a claim, `lower` is the seats that the level keeps. */
function divideRemaining(
  remainingSeats: number,
  limited: readonly { level: PriorityLevel }[],
  claims: readonly SeatClaim[],
) {
  const lowerLimits = limited.map(({ level }) => level.limits.lower);
  const sumOfLowerLimits = sum(lowerLimits);
  const sumOfRetained = sum(claims.map(({ lower }) => lower));
  if (remainingSeats <= sumOfLowerLimits) return { seats: lowerLimits, fraction: 0 };
  if (remainingSeats > sumOfRetained) return divideSeats(remainingSeats, claims);
  // Not every level can keep its high watermark: each gives up the same fraction of what it has above its lower
  // limit.
  const fraction = (remainingSeats - sumOfLowerLimits) / (sumOfRetained - sumOfLowerLimits);
  return {
    seats: lowerLimits.map((lower, index) => lower + (claims[index]!.lower - lower) * fraction),
    fraction: 0,
  };
}

function claimOf(level: PriorityLevel, demand: DemandSummary): SeatClaim {
  const lower = retainedSeats(level, demand);
  return { lower, upper: level.limits.upper, target: Math.max(lower, demand.smoothed) };
}

/** The seats that a level keeps: its high watermark, at least its lower limit, at most its nominal one unless it is exempt. */
function retainedSeats({ limits, settings }: PriorityLevel, { highest }: DemandSummary): number {
  const neededSeats = settings.isExempt ? highest : Math.min(limits.nominal, highest);
  return Math.max(limits.lower, neededSeats);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
