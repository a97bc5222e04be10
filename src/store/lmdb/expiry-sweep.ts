/** Deletes objects whose time has come, as ordinary writes with revisions of their own. */
import type { Clock } from '../../clock.ts';
import type { Change, StoredObject, Write } from '../store.ts';
import type { Environment } from './environment.ts';
import { readExpiryKey } from './tables.ts';

const DELETIONS_PER_SWEEP = 500;
const RETRY_MS = 1_000;

/** Where deletions are written to. */
export interface Deleting {
  /** What the key will be when all that is known to be under way is done. */
  current(key: string): StoredObject | undefined;
  commit(write: Write): Promise<Change>;
}

export class ExpirySweep {
  readonly #environment: Environment;
  readonly #store: Deleting;
  readonly #clock: Clock;
  readonly #delay: number;
  #alarm: { readonly at: number; readonly cancel: () => void } | undefined;
  #isSweeping = false;
  #stopped = false;

  /** `delay`: so much later than it could; of several that share a log the first is to do it for all. */
  constructor(environment: Environment, store: Deleting, clock: Clock, delay = 0) {
    this.#environment = environment;
    this.#store = store;
    this.#delay = delay;
    this.#clock = clock;
    this.#waitForNext();
  }

  /** Takes note of objects that may expire before all others. */
  notice(changes: readonly Change[]): void {
    for (const { type, object } of changes) {
      if (type !== 'deleted' && object.expiresAt !== undefined) this.#wakeAt(object.expiresAt);
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#alarm?.cancel();
  }

  #waitForNext(): void {
    const { tables, options } = this.#environment.reading;
    for (const key of tables.expiries.getKeys({ ...options, limit: 1 })) this.#wakeAt(readExpiryKey(key).at);
  }

  #wakeAt(at: number): void {
    // A sweep looks for what comes next when it is done.
    if (this.#stopped || this.#isSweeping || (this.#alarm && this.#alarm.at <= at)) return;
    this.#alarm?.cancel();
    const cancel = this.#clock.after(Math.max(0, at - this.#clock.now()) + this.#delay, () => {
      this.#alarm = undefined;
      void this.#sweep();
    });
    this.#alarm = { at, cancel };
  }

  async #sweep(): Promise<void> {
    this.#isSweeping = true;
    try {
      const deletions = await Promise.all(this.#deleteDue());
      this.#isSweeping = false;
      // With nothing to delete, what is listed is about to change: there is no hurry to see it again.
      if (deletions.length === 0) this.#wakeAt(this.#clock.now() + RETRY_MS);
      else if (!this.#stopped) this.#waitForNext();
    } catch {
      // The disk has failed, the store is closing, or somebody was faster to delete one of them.
      this.#isSweeping = false;
      this.#wakeAt(this.#clock.now() + RETRY_MS);
    }
  }

  #deleteDue(): Promise<Change>[] {
    const now = this.#clock.now();
    const deletions: Promise<Change>[] = [];
    const { tables, options } = this.#environment.reading;
    for (const { key: place, value } of tables.expiries.getRange({
      ...options,
      limit: DELETIONS_PER_SWEEP,
    })) {
      const { at, key } = readExpiryKey(place);
      if (at > now) break;
      // A write on its way may have put the time off.
      const current = this.#store.current(key);
      if (current?.expiresAt === undefined || current.expiresAt > now) continue;
      const { revision: expect } = current;
      deletions.push(this.#store.commit({ prefix: value.toString(), key, expect, draft: null }));
    }
    return deletions;
  }
}
