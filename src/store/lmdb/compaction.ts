/**
 * Compaction of the change log.
 *
 * The compacted revision, up to which history can no longer be read, advances by age or on request. Log entries up to it
 * are removed a few at a time, each time within a transaction of the group commit.
 */
import type { Clock } from '../../base/clock.ts';
import type { Revision } from '../store.ts';
import type { CompactedEntry } from './batch.ts';
import type { LmdbEnvironment } from './environment.ts';
import type { GroupCommit } from './group-commit.ts';
import { decodeLogEntry } from './log-entry.ts';
import type { SpaceBudget } from './space-budget.ts';
import { logKey } from './tables.ts';

/** Log entries that one transaction removes. */
const ENTRIES_PER_STEP = 256;
/** Retention of the history while the store is out of space: it prefers objects. */
const FULL_HISTORY_MS = 5_000;
/** Pause before the next check for entries that are too old. */
const INTERVAL_MS = 1_000;

export class Compaction {
  readonly #environment: LmdbEnvironment;
  readonly #queue: GroupCommit;
  readonly #clock: Clock;
  readonly #historyMs: number;
  readonly #budget: SpaceBudget | undefined;
  #cancelTimer: (() => void) | undefined;
  #isStepping = false;
  #stopped = false;

  constructor(
    environment: LmdbEnvironment,
    queue: GroupCommit,
    clock: Clock,
    historyMs: number,
    budget: SpaceBudget | undefined,
  ) {
    this.#environment = environment;
    this.#queue = queue;
    this.#clock = clock;
    this.#historyMs = historyMs;
    this.#budget = budget;
  }

  /** Advances the compacted revision at once; the entries are removed afterwards. */
  async compact(revision: Revision): Promise<void> {
    await this.#queue.compact(revision, []);
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.run();
  }

  /** Removes the entries that are due, or sets a timer. Called whenever the log may have grown. */
  run(): void {
    if (this.#stopped || this.#isStepping || this.#cancelTimer) return;
    void this.#step();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTimer?.();
  }

  #scheduleNext(): void {
    this.#cancelTimer = this.#clock.after(INTERVAL_MS, () => {
      this.#cancelTimer = undefined;
      this.run();
    });
  }

  async #step(): Promise<void> {
    try {
      const { due, isLogEmpty } = this.#entriesDue();
      const lastDue = due[due.length - 1];
      if (lastDue) {
        this.#isStepping = true;
        await this.#queue.compact(lastDue.revision, due);
        this.#isStepping = false;
        this.run();
      } else if (!isLogEmpty) {
        this.#scheduleNext();
      }
    } catch {
      // The disk failed or the store is closing. Compaction can wait.
      this.#isStepping = false;
      if (!this.#stopped) this.#scheduleNext();
    }
  }

  /** The oldest entries that are compacted already or too old, limited to one step. */
  #entriesDue(): { readonly due: CompactedEntry[]; readonly isLogEmpty: boolean } {
    const { tables, options, state } = this.#environment.snapshot;
    const isFull = this.#budget?.problem !== undefined;
    const maxAgeMs = isFull ? Math.min(this.#historyMs, FULL_HISTORY_MS) : this.#historyMs;
    const oldestKeptMs = this.#clock.now() - maxAgeMs;
    const due: CompactedEntry[] = [];
    let isLogEmpty = true;
    for (const { key: revision, value } of tables.order.getRange({
      ...options,
      start: 0,
      limit: Math.min(ENTRIES_PER_STEP, this.#budget?.maxCompactedEntries ?? ENTRIES_PER_STEP),
    })) {
      isLogEmpty = false;
      const prefix = value.toString();
      const entry = tables.log.get(logKey(prefix, revision), options);
      if (!entry) throw new Error(`the log has no entry for revision ${revision}`);
      const { committedAtMs, previousRevision } = decodeLogEntry(entry);
      if (revision > state.compacted && committedAtMs > oldestKeptMs) break;
      due.push({ revision, prefix, previousRevision });
    }
    return { due, isLogEmpty };
  }
}
