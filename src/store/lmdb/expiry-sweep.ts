/** Expiry (TTL): deletes expired objects through ordinary commits, each with its own revision. */
import type { Clock } from '../../base/clock.ts';
import type { Change, StoredObject, Write } from '../store.ts';
import type { LmdbEnvironment } from './environment.ts';
import { readExpiryKey } from './tables.ts';

const DELETIONS_PER_SWEEP = 500;
const RETRY_MS = 1_000;

/** The store that deletions are committed to. */
export interface ExpiryTarget {
  /** The state of the key including pending writes. */
  current(key: string): StoredObject | undefined;
  commit(write: Write): Promise<Change>;
}

export class ExpirySweep {
  readonly #environment: LmdbEnvironment;
  readonly #store: ExpiryTarget;
  readonly #clock: Clock;
  readonly #delayMs: number;
  /** The timer of the next sweep, without `delayMs`. */
  #timer: { readonly dueMs: number; readonly cancel: () => void } | undefined;
  #isSweeping = false;
  #stopped = false;

  /** `delayMs`: postpones sweeps, so that of several servers that share an etcd one does the work first. */
  constructor(environment: LmdbEnvironment, store: ExpiryTarget, clock: Clock, delayMs = 0) {
    this.#environment = environment;
    this.#store = store;
    this.#delayMs = delayMs;
    this.#clock = clock;
    this.#scheduleNext();
  }

  /** Called with new changes: an object may expire before all others. */
  onChanges(changes: readonly Change[]): void {
    for (const { type, object } of changes) {
      if (type !== 'deleted' && object.expiresAtMs !== undefined) this.#sweepAt(object.expiresAtMs);
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  /** Schedules a sweep for the first expiry. */
  #scheduleNext(): void {
    const { tables, options } = this.#environment.snapshot;
    for (const key of tables.expiries.getKeys({ ...options, limit: 1 }))
      this.#sweepAt(readExpiryKey(key).timeMs);
  }

  #sweepAt(timeMs: number): void {
    // A running sweep schedules the next one itself.
    if (this.#stopped || this.#isSweeping || (this.#timer && this.#timer.dueMs <= timeMs)) return;
    this.#timer?.cancel();
    const cancel = this.#clock.after(Math.max(0, timeMs - this.#clock.now()) + this.#delayMs, () => {
      this.#timer = undefined;
      void this.#sweep();
    });
    this.#timer = { dueMs: timeMs, cancel };
  }

  async #sweep(): Promise<void> {
    this.#isSweeping = true;
    try {
      const deletions = await Promise.all(this.#deleteDue());
      this.#isSweeping = false;
      // All expired entries have pending writes: tries again later.
      if (deletions.length === 0) this.#sweepAt(this.#clock.now() + RETRY_MS);
      else if (!this.#stopped) this.#scheduleNext();
    } catch {
      // The disk failed, the store is closing, or one of the objects changed concurrently.
      this.#isSweeping = false;
      this.#sweepAt(this.#clock.now() + RETRY_MS);
    }
  }

  /** Starts the deletion of the expired objects, up to the limit of a sweep. */
  #deleteDue(): Promise<Change>[] {
    const now = this.#clock.now();
    const deletions: Promise<Change>[] = [];
    const { tables, options } = this.#environment.snapshot;
    for (const { key: expiry, value } of tables.expiries.getRange({
      ...options,
      limit: DELETIONS_PER_SWEEP,
    })) {
      const { timeMs, key } = readExpiryKey(expiry);
      if (timeMs > now) break;
      // A pending write may have extended the expiry.
      const current = this.#store.current(key);
      if (current?.expiresAtMs === undefined || current.expiresAtMs > now) continue;
      const { revision: expectedRevision } = current;
      deletions.push(this.#store.commit({ prefix: value.toString(), key, expectedRevision, draft: null }));
    }
    return deletions;
  }
}
