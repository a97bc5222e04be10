import type { Change, Revision } from '../store.ts';
import type { MadeChange } from './change.ts';
import { writeEntry } from './log-entry.ts';
import { expiryKey, logKey, type State, type Tables, writeState } from './tables.ts';

/** Whoever waits for a batch to be on disk. */
export interface Waiter {
  done(): void;
  failed(error: Error): void;
}

/** A change that the log is to lose. */
export interface Forgotten {
  readonly revision: Revision;
  readonly prefix: string;
  /** The state before it, of which nothing else in the log speaks; 0 for a creation. */
  readonly previousRevision: Revision;
}

/** So large that one more write would make all wait too long. */
const MAX_CHANGES = 500;
const MAX_BYTES = 4 * 1024 * 1024;

/** What goes to disk as one transaction. */
export class Batch {
  readonly #made: MadeChange[] = [];
  readonly #waiters: Waiter[] = [];
  readonly #forgotten: Forgotten[] = [];
  #compacted: Revision = 0;
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#waiters.length === 0;
  }

  get isFull(): boolean {
    return this.#made.length >= MAX_CHANGES || this.#bytes >= MAX_BYTES;
  }

  /** How much it puts on disk, about. */
  get size(): { readonly changes: number; readonly bytes: number } {
    return { changes: this.#made.length, bytes: this.#bytes };
  }

  get changes(): Change[] {
    return this.#made.map(({ change }) => change);
  }

  add(made: MadeChange): void {
    this.#made.push(made);
    this.#bytes += (made.state?.record.length ?? 0) + (made.previous?.record.length ?? 0);
  }

  /** Ends history at `compacted`, and removes entries that lie before it. */
  forget(compacted: Revision, entries: readonly Forgotten[]): void {
    this.#compacted = Math.max(this.#compacted, compacted);
    this.#forgotten.push(...entries);
  }

  wait(waiter: Waiter): void {
    this.#waiters.push(waiter);
  }

  /** The state after this batch. */
  after(state: State): State {
    let { objects } = state;
    for (const { change } of this.#made) {
      objects += change.type === 'created' ? 1 : change.type === 'deleted' ? -1 : 0;
    }
    return {
      revision: this.#made[this.#made.length - 1]?.change.revision ?? state.revision,
      compacted: Math.max(state.compacted, this.#compacted),
      objects,
    };
  }

  /** Must not throw: what it has written by then would be kept. */
  write(tables: Tables, state: State): void {
    for (const { change, state: object, previous } of this.#made) {
      const { revision, prefix, key } = change;
      tables.log.put(logKey(prefix, revision), writeEntry(change));
      tables.order.put(revision, Buffer.from(prefix));
      if (previous) tables.versions.put(previous.revision, previous.record);
      if (object) tables.objects.put(key, object.record);
      else tables.objects.remove(key);
      const [was, is] = [previous?.expiresAt, object?.expiresAt];
      if (was !== undefined) tables.expiries.remove(expiryKey(was, key));
      if (is !== undefined) tables.expiries.put(expiryKey(is, key), Buffer.from(prefix));
    }
    for (const { revision, prefix, previousRevision } of this.#forgotten) {
      tables.log.remove(logKey(prefix, revision));
      tables.order.remove(revision);
      // The change that led to this state came before, so it is forgotten already, or here.
      if (previousRevision !== 0) tables.versions.remove(previousRevision);
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
