/**
 * Admits writes by the space that is left: up to the quota, and on the disk.
 *
 * While only the reserve is left, writes that grow the store are rejected. Other updates may use a part of it, and so may
 * deletions, which copy the deleted state to the history. Then deletions continue without history, which takes a few
 * pages whatever the size of the object. The quota applies to growth alone.
 *
 * Measuring takes some 0.2 ms. The budget is therefore measured once and counted down by the estimated cost of writes,
 * and measured again when it is used up.
 */
import { type Clock, every } from '../../base/clock.ts';
import { StorageFull } from '../store.ts';
import type { LmdbEnvironment } from './environment.ts';
import {
  CHANGE_BYTES,
  COMPACTED_ENTRY_BYTES,
  DELETION_SHARE,
  SPARE_BYTES,
  type SpaceUsage,
} from './space.ts';

/** The share of the reserve that updates, and deletions with history, have to leave. */
const HISTORY_SHARE_LEFT = 5 / 8;

/** Log entries that a transaction of a full store compacts, so that it fits. */
const FULL_COMPACTED_ENTRIES = 16;
/** Left for them by every write. */
const COMPACTION_BYTES = FULL_COMPACTED_ENTRIES * COMPACTED_ENTRY_BYTES;

/** The store is out of space below this budget for growth, until it has the higher one again. */
const FULL_BELOW_BYTES = 96 * 1024;
const RECOVERED_ABOVE_BYTES = 512 * 1024;

/** A full store is measured this often, since other programs may have freed space. */
const FULL_INTERVAL_MS = 1_000;
/** A measurement is valid this long, unless this store has changed the space after it. */
const VALID_MS = 100;

export interface SpaceBudgetOptions {
  /** Maximum of the used bytes; 0 for none. */
  readonly quotaBytes: number;
  /** Called with the reason when the store becomes full, and with undefined when it has space again. */
  readonly onChange: (problem: string | undefined) => void;
}

/** A write that does not fit into the budget for growth. */
export interface ScarceWrite {
  readonly kind: 'growth' | 'update' | 'terminating update' | 'deletion';
  /** The bytes of the records that it writes, with and without history. */
  readonly bytes: number;
  readonly bytesWithoutHistory: number;
}

export class SpaceBudget {
  readonly #environment: LmdbEnvironment;
  readonly #clock: Clock;
  readonly #options: SpaceBudgetOptions;
  /** Cost of all writes that were admitted, and of those among them that are durable or have failed. */
  #admittedBytes = 0;
  #settledBytes = 0;
  /** The limits of `#admittedBytes` by the last measurement: for all writes, and for those that may use the reserve. */
  #growthLimit = 0;
  #reserveLimit = 0;
  #usage: SpaceUsage;
  #measuredAtMs = 0;
  #settledWhenMeasured = 0;
  /** Whether a write waits for `settle`. */
  #hasWaiting = false;
  #problem: string | undefined;
  #stopTimer: (() => void) | undefined;
  #stopped = false;

  constructor(environment: LmdbEnvironment, clock: Clock, options: SpaceBudgetOptions) {
    this.#environment = environment;
    this.#clock = clock;
    this.#options = options;
    this.#usage = environment.spaceUsage();
    this.#evaluate();
  }

  /** Why the store is out of space; undefined if it is not. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get quotaBytes(): number {
    return this.#options.quotaBytes;
  }

  get usedBytes(): number {
    return this.#usage.usedBytes;
  }

  /** The most log entries that a transaction can compact. */
  get maxCompactedEntries(): number {
    if (this.#problem !== undefined) return FULL_COMPACTED_ENTRIES;
    const entries = Math.floor(this.#usage.reserveTarget / 4 / COMPACTED_ENTRY_BYTES);
    return Math.max(FULL_COMPACTED_ENTRIES, entries);
  }

  /** Counts a write with records of this size until `settle`. Returns false if it does not fit without the reserve. */
  admit(recordBytes: number): boolean {
    const admittedBytes = this.#admittedBytes + CHANGE_BYTES + recordBytes;
    if (admittedBytes > this.#growthLimit) return false;
    this.#admittedBytes = admittedBytes;
    return true;
  }

  /**
   * Decides about a write that `admit` has turned away: `wait` until pending writes are durable, and try again; `without
   * history`: count it as a write of `bytesWithoutHistory`. Throws StorageFull if there is no space.
   */
  admitScarce({ kind, bytes, bytesWithoutHistory }: ScarceWrite): 'admitted' | 'without history' | 'wait' {
    if (this.#isStale()) this.measure();
    const limit =
      kind === 'growth'
        ? this.#growthLimit
        : Math.max(this.#growthLimit, this.#limitLeaving(HISTORY_SHARE_LEFT));
    const decision = this.#take(bytes, limit);
    if (decision) return decision;
    if (kind === 'deletion' || kind === 'terminating update') {
      // Terminating objects may still grow, so that their updates leave space for deletions.
      const share = kind === 'deletion' ? 0 : DELETION_SHARE;
      const withoutHistory = this.#take(bytesWithoutHistory, this.#limitLeaving(share));
      if (withoutHistory) return withoutHistory === 'wait' ? 'wait' : 'without history';
    }
    throw new StorageFull(
      this.#problem ?? `the write may need ${CHANGE_BYTES + bytes} bytes, and less is left`,
    );
  }

  /** Called with the cost of writes that are durable or have failed. */
  settle(costBytes: number): void {
    this.#settledBytes += costBytes;
    const usesReserve = this.#environment.reserveBytes !== this.#usage.reserveBytes;
    // A full store measures after every batch: deletions and compaction free space.
    if (this.#hasWaiting || usesReserve || this.#problem !== undefined) this.measure();
    this.#hasWaiting = false;
  }

  /** Measures the space, and what follows: whether the store is out of space. */
  measure(): void {
    try {
      this.#environment.refillReserve();
      this.#usage = this.#environment.spaceUsage();
    } catch {
      // The disk fails, or the file is being reopened: the writes themselves report it.
      return;
    }
    this.#evaluate();
  }

  stop(): void {
    this.#stopped = true;
    this.#stopTimer?.();
  }

  /** Writes that were settled, and views that were released, have changed the space; other programs do at any time. */
  #isStale(): boolean {
    const isOld = this.#clock.elapsed() - this.#measuredAtMs >= VALID_MS;
    const wasReleased = this.#usage.minimumBytes > 0 && !this.#environment.hasOldSnapshot;
    return isOld || wasReleased || this.#settledWhenMeasured !== this.#settledBytes;
  }

  #evaluate(): void {
    const { usedBytes, availableBytes, growthBytes, minimumBytes } = this.#usage;
    const { quotaBytes } = this.#options;
    this.#measuredAtMs = this.#clock.elapsed();
    this.#settledWhenMeasured = this.#settledBytes;
    const quotaGrowthBytes = quotaBytes > 0 ? quotaBytes - usedBytes : Number.POSITIVE_INFINITY;
    const leftBytes = Math.min(growthBytes, quotaGrowthBytes);
    // Pending writes may be measured already, and then count twice, but never not at all.
    this.#growthLimit = this.#settledBytes + leftBytes;
    this.#reserveLimit = this.#settledBytes + availableBytes - minimumBytes - SPARE_BYTES - COMPACTION_BYTES;
    const isFull = leftBytes < (this.#problem === undefined ? FULL_BELOW_BYTES : RECOVERED_ABOVE_BYTES);
    const isQuota = quotaGrowthBytes < growthBytes;
    this.#setProblem(isFull ? this.#describeFull(isQuota) : undefined);
  }

  #limitLeaving(share: number): number {
    return this.#reserveLimit - share * this.#usage.reserveTarget;
  }

  #take(recordBytes: number, limit: number): 'admitted' | 'wait' | undefined {
    const costBytes = CHANGE_BYTES + recordBytes;
    if (this.#admittedBytes + costBytes <= limit) {
      this.#admittedBytes += costBytes;
      return 'admitted';
    }
    // It fits once the pending writes are durable. Without any, this is the same condition, so that no write waits.
    if (this.#settledBytes + costBytes > limit) return undefined;
    this.#hasWaiting = true;
    return 'wait';
  }

  #describeFull(isQuota: boolean): string {
    if (!isQuota) return this.#environment.fullError().message;
    const { quotaBytes } = this.#options;
    return `${this.usedBytes} bytes of --storage-quota-bytes ${quotaBytes} are used; delete objects, or raise the quota`;
  }

  #setProblem(problem: string | undefined): void {
    const hadProblem = this.#problem !== undefined;
    this.#problem = problem;
    if (hadProblem === (problem !== undefined)) return;
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    if (problem !== undefined && !this.#stopped)
      this.#stopTimer = every(this.#clock, FULL_INTERVAL_MS, () => this.measure());
    this.#options.onChange(problem);
  }
}
