import type { Change, Revision } from '../store.ts';
import type { MadeEntry } from './log-entry.ts';
import { expiryKey, resourceKey, type State, type Tables, writeState } from './tables.ts';

/** Whoever waits for a batch to be on disk. */
export interface Waiter {
  done(): void;
  failed(error: Error): void;
}

/** Where a change lies in the log and in its resource's part of it. */
export interface LogPlace {
  readonly revision: Revision;
  readonly prefix: string;
}

/** So large that one more write would make all wait too long. */
const MAX_CHANGES = 2_000;
const MAX_BYTES = 16 * 1024 * 1024;

/** What goes to disk as one transaction. */
export class Batch {
  readonly #entries: MadeEntry[] = [];
  readonly #waiters: Waiter[] = [];
  readonly #forgotten: LogPlace[] = [];
  #compacted: Revision = 0;
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#waiters.length === 0;
  }

  get isFull(): boolean {
    return this.#entries.length >= MAX_CHANGES || this.#bytes >= MAX_BYTES;
  }

  get changes(): Change[] {
    return this.#entries.map((entry) => entry.change);
  }

  add(entry: MadeEntry): void {
    this.#entries.push(entry);
    this.#bytes += entry.value.length;
  }

  /** Ends history at `compacted`, and removes entries that lie before it. */
  forget(compacted: Revision, entries: readonly LogPlace[]): void {
    this.#compacted = Math.max(this.#compacted, compacted);
    this.#forgotten.push(...entries);
  }

  wait(waiter: Waiter): void {
    this.#waiters.push(waiter);
  }

  /** The state after this batch. */
  after(state: State): State {
    let { objects } = state;
    for (const { change } of this.#entries) {
      objects += change.type === 'created' ? 1 : change.type === 'deleted' ? -1 : 0;
    }
    return {
      revision: this.#entries[this.#entries.length - 1]?.change.revision ?? state.revision,
      compacted: Math.max(state.compacted, this.#compacted),
      objects,
    };
  }

  /** Must not throw: what it has written by then would be kept. */
  write(tables: Tables, state: State): void {
    for (const { change, value, state: object } of this.#entries) {
      const { revision, prefix, key, previous } = change;
      tables.log.put(revision, value);
      tables.resources.put(resourceKey(prefix, revision), Buffer.from(key));
      if (object) tables.objects.put(key, object.record);
      else tables.objects.remove(key);
      const [was, is] = [previous?.expiresAt, object?.expiresAt];
      if (was !== undefined) tables.expiries.remove(expiryKey(was, key));
      if (is !== undefined) tables.expiries.put(expiryKey(is, key), Buffer.from(prefix));
    }
    for (const { revision, prefix } of this.#forgotten) {
      tables.log.remove(revision);
      tables.resources.remove(resourceKey(prefix, revision));
    }
    tables.meta.put('state', writeState(this.after(state)));
  }

  settle(error?: Error): void {
    for (const waiter of this.#waiters) {
      if (error) waiter.failed(error);
      else waiter.done();
    }
  }
}
