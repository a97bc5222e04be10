// A batch of the group commit: the writes that share one LMDB transaction.
import type { Change, Revision } from '../store.ts';
import type { PreparedChange } from './change.ts';
import type { ReadSnapshot } from './environment.ts';
import type { IndexDefinition } from './index-catalogue.ts';
import { encodeLogEntry } from './log-entry.ts';
import { CHANGE_BYTES, type TransactionCost } from './space.ts';
import { expiryKey, logKey, type StoreState, type Tables, writeState } from './tables.ts';
import type { IndexStep, WriterIndexes } from './writer-indexes.ts';

/** Callbacks of a writer that waits for the batch to become durable. */
export interface CommitWaiter {
  done(): void;
  failed(error: Error): void;
}

/** A log entry to be removed by compaction. */
export interface CompactedEntry {
  readonly revision: Revision;
  readonly prefix: string;
  /** The revision of the state before this change, which no other log entry refers to; 0 for a creation. */
  readonly previousRevision: Revision;
}

/** Limits of a batch, which bound the latency of the writes in it. */
const MAX_CHANGES = 500;
const MAX_BYTES = 4 * 1024 * 1024;

export class CommitBatch {
  readonly #changes: PreparedChange[] = [];
  readonly #waiters: CommitWaiter[] = [];
  readonly #compactedEntries: CompactedEntry[] = [];
  readonly #indexSteps: IndexStep[] = [];
  #indexStepsBytes = 0;
  /** The definitions of the indexes after this batch; undefined if it does not change them. */
  #definitions: readonly IndexDefinition[] | undefined;
  /** The revision to compact up to; 0 for none. */
  #compacted: Revision = 0;
  /** The bytes of the records that the batch writes. */
  #recordBytes = 0;
  #hasGrowth = false;
  /** Whether the batch compacts everything up to its last change, instead of writing history. */
  #dropsHistory = false;

  /** Whether no writer waits: a batch with a change or a compaction always has a waiter. */
  get isEmpty(): boolean {
    return this.#waiters.length === 0;
  }

  get isFull(): boolean {
    return this.#changes.length >= MAX_CHANGES || this.#recordBytes >= MAX_BYTES;
  }

  get cost(): TransactionCost {
    return {
      changesBytes: this.#changes.length * CHANGE_BYTES + this.#recordBytes,
      compactedEntries: this.#compactedEntries.length,
      indexStepsBytes: this.#indexStepsBytes,
      hasGrowth: this.#hasGrowth,
    };
  }

  get changes(): Change[] {
    return this.#changes.map(({ change }) => change);
  }

  /** Adds a change that writes records of this size, and tells whether it grows the store. */
  add(prepared: PreparedChange, recordBytes: number, isGrowth: boolean): void {
    this.#changes.push(prepared);
    this.#recordBytes += recordBytes;
    this.#hasGrowth ||= isGrowth;
  }

  /** Has the batch compact everything up to its last change, instead of writing history. */
  dropHistory(): void {
    this.#dropsHistory = true;
  }

  /** Sets the compacted revision and removes log entries before it. */
  addCompaction(compacted: Revision, entries: readonly CompactedEntry[]): void {
    this.#compacted = Math.max(this.#compacted, compacted);
    for (const entry of entries) this.#compactedEntries.push(entry);
  }

  addIndexStep(step: IndexStep, costBytes: number): void {
    this.#indexSteps.push(step);
    this.#indexStepsBytes += costBytes;
  }

  /** The definitions of the indexes once the batch is durable; undefined if it does not change them. */
  get definitions(): readonly IndexDefinition[] | undefined {
    return this.#definitions;
  }

  wait(waiter: CommitWaiter): void {
    this.#waiters.push(waiter);
  }

  /** The counters of the store after this batch, given those before it. */
  stateAfter(state: StoreState): StoreState {
    let { objects } = state;
    for (const { change } of this.#changes) {
      if (change.type === 'created') objects++;
      else if (change.type === 'deleted') objects--;
    }
    const revision = this.#changes[this.#changes.length - 1]?.change.revision ?? state.revision;
    const compacted = this.#dropsHistory ? revision : Math.max(state.compacted, this.#compacted);
    return { revision, compacted, objects };
  }

  /**
   * Writes the batch within a transaction, given the state before it. Must not throw: LMDB would commit what was written until
   * then.
   */
  write(tables: Tables, snapshot: ReadSnapshot, indexes: WriterIndexes): void {
    // Before the changes: a step adds the entries of states that the changes replace.
    if (this.#indexSteps.length > 0) this.#definitions = indexes.runSteps(this.#indexSteps, tables, snapshot);
    for (const { change, state: object, previous } of this.#changes) {
      const { revision, prefix, key } = change;
      if (!this.#dropsHistory) {
        tables.log.put(logKey(prefix, revision), encodeLogEntry(change));
        tables.order.put(revision, Buffer.from(prefix));
        if (previous) tables.versions.put(previous.revision, previous.record);
      }
      if (object) tables.objects.put(key, object.record);
      else tables.objects.remove(key);
      indexes.update(tables, prefix, key, previous, object);
      const oldExpiryMs = previous?.expiresAtMs;
      const newExpiryMs = object?.expiresAtMs;
      if (oldExpiryMs !== undefined) tables.expiries.remove(expiryKey(oldExpiryMs, key));
      if (newExpiryMs !== undefined) tables.expiries.put(expiryKey(newExpiryMs, key), Buffer.from(prefix));
    }
    for (const { revision, prefix, previousRevision } of this.#compactedEntries) {
      tables.log.remove(logKey(prefix, revision));
      tables.order.remove(revision);
      // The change that produced this state is older, so it is removed earlier or in this batch.
      if (previousRevision !== 0) tables.versions.remove(previousRevision);
    }
    tables.meta.put('state', writeState(this.stateAfter(snapshot.state)));
  }

  /** Notifies the writers that the batch is durable, or has failed with the error. */
  settle(error?: Error): void {
    for (const waiter of this.#waiters) {
      if (error) waiter.failed(error);
      else waiter.done();
    }
  }
}
