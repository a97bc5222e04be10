// A batch of the group commit: the writes that share one LMDB transaction.
import type { Change, Revision } from '../store.ts';
import type { MadeChange } from './change.ts';
import { writeEntry } from './log-entry.ts';
import { expiryKey, logKey, type State, type Tables, writeState } from './tables.ts';

/** Callbacks of a writer that waits for the batch to become durable. */
export interface Waiter {
  done(): void;
  failed(error: Error): void;
}

/** A log entry to be removed by compaction. */
export interface Forgotten {
  readonly revision: Revision;
  readonly prefix: string;
  /** The revision of the state before this change, which no other log entry refers to; 0 for a creation. */
  readonly previousRevision: Revision;
}

/** Limits of a batch, which bound the latency of the writes in it. */
const MAX_CHANGES = 500;
const MAX_BYTES = 4 * 1024 * 1024;

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

  /** Approximate size on disk. */
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

  /** Sets the compacted revision and removes log entries before it. */
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

  /** Must not throw: LMDB would commit what was written until then. */
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
      // The change that produced this state is older, so it is removed earlier or in this batch.
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
