/**
 * Group commit: batches concurrent writes into LMDB transactions.
 *
 * A write is checked and gets its revision synchronously, against the committed state and the pending batches. While
 * one batch is being written, the next one collects.
 *
 * Invariants:
 * - Batches are written one after the other: a batch starts only after the previous one has completed or failed.
 * - Nothing of a batch is observable before it is durable, not even that a key is taken.
 * - When a batch fails, every write that was checked against it fails too, and its revisions are reused.
 */
import type { Clock } from '../../base/clock.ts';
import type { ChangeListeners } from '../change-listeners.ts';
import {
  type Change,
  PreconditionFailed,
  type Revision,
  StorageFull,
  StorageUnavailable,
  type Write,
} from '../store.ts';
import { assertValidKey } from '../stored-object.ts';
import { CommitBatch, type CompactedEntry } from './batch.ts';
import { type ChangeInput, prepareChange } from './change.ts';
import type { LmdbEnvironment } from './environment.ts';
import type { StoredRecord } from './record.ts';
import type { ScarceWrite, SpaceBudget } from './space-budget.ts';
import { readObject } from './view.ts';
import type { IndexStep, WriterIndexes } from './writer-indexes.ts';

/** An update that adds no more than this does not count as growth: a resourceVersion may get another digit. */
const UPDATE_SLACK_BYTES = 16;
/** The same for an update of a terminating object, which gets a deletionTimestamp and conditions. */
const TERMINATING_SLACK_BYTES = 4 * 1024;

/** After a failure, writes are rejected for this long, so that a failed disk is not retried for every request. */
const FAILURE_BACKOFF_MS = 100;

/** Pause between attempts to open the data file again. */
const RETRY_RECOVERY_MS = 1_000;

/** The pending state of a key; without `object` a pending deletion. */
interface PendingState {
  readonly revision: Revision;
  readonly object: StoredRecord | undefined;
  readonly batch: CommitBatch;
}

/** A change whose revision was assigned by another log (etcd). */
export type ReplicatedChange = Omit<ChangeInput, 'committedAtMs' | 'previous'>;

export class GroupCommit {
  readonly #environment: LmdbEnvironment;
  readonly #clock: Clock;
  readonly #listeners: ChangeListeners;
  readonly #onFailure: (error: StorageUnavailable) => void;
  /** Undefined for a replica of etcd: its changes have been accepted there. */
  readonly #budget: SpaceBudget | undefined;
  readonly #indexes: WriterIndexes;
  readonly #pending = new Map<string, PendingState>();
  /** The last batch collects writes; those before it are full. */
  #batches: [...CommitBatch[], CommitBatch] = [new CommitBatch()];
  /** Whether a batch is scheduled or being written, or the file is being replaced. */
  #isWriting = false;
  /** The error that rejects writes after `close`. */
  #closed: StorageUnavailable | undefined;
  /** The last revision that was assigned to a write: that of the file, or of a pending write. */
  #assigned: Revision;
  /** The last failure; writes are rejected with its error until that time of the monotonic clock. */
  #failure: { readonly error: StorageUnavailable; readonly untilMs: number } | undefined;

  constructor(
    environment: LmdbEnvironment,
    clock: Clock,
    listeners: ChangeListeners,
    onFailure: (error: StorageUnavailable) => void,
    indexes: WriterIndexes,
    budget?: SpaceBudget,
  ) {
    this.#budget = budget;
    this.#indexes = indexes;
    this.#onFailure = onFailure;
    this.#environment = environment;
    this.#clock = clock;
    this.#listeners = listeners;
    this.#assigned = environment.snapshot.state.revision;
  }

  commit(write: Write): Promise<Change> {
    return new Promise((resolve, reject) => {
      this.#assertAvailable();
      const { prefix, key, expectedRevision, draft, isTerminating } = write;
      assertValidKey(prefix, key);
      const pending = this.#pending.get(key);
      const previous = this.current(key);
      const hasOtherRevision =
        expectedRevision !== undefined && expectedRevision !== (previous?.revision ?? 0);
      const deletesAbsentKey = !draft && !previous;
      if (hasOtherRevision || deletesAbsentKey) {
        const conflict = new PreconditionFailed(key, previous);
        if (!pending) throw conflict;
        // The state that the write conflicts with is not durable yet.
        pending.batch.wait({ done: () => reject(conflict), failed: reject });
        return;
      }
      const revision = this.#assigned + 1;
      const prepared = prepareChange({
        revision,
        prefix,
        key,
        committedAtMs: this.#clock.now(),
        draft,
        previous,
      });
      const stateBytes = prepared.state?.record.length ?? 0;
      const previousBytes = previous?.record.length ?? 0;
      const isGrowth =
        stateBytes > previousBytes + (isTerminating ? TERMINATING_SLACK_BYTES : UPDATE_SLACK_BYTES);
      const indexBytes = this.#indexes.costBytes(prefix);
      let recordBytes = stateBytes + previousBytes + indexBytes;
      let hasHistory = true;
      if (this.#budget && !this.#budget.admit(recordBytes)) {
        const kind = isGrowth ? 'growth' : kindOfOther(write);
        const decision = this.#budget.admitScarce({
          kind,
          bytes: recordBytes,
          bytesWithoutHistory: stateBytes + indexBytes,
        });
        if (decision === 'wait') {
          resolve(this.#drained().then(() => this.commit(write)));
          return;
        }
        hasHistory = decision === 'admitted';
        if (!hasHistory) recordBytes = stateBytes + indexBytes;
      }
      this.#assigned = revision;
      const batch = this.#batchForWrite();
      this.#pending.set(key, { revision, object: prepared.state, batch });
      batch.add(prepared, recordBytes, isGrowth);
      if (!hasHistory) batch.dropHistory();
      batch.wait({ done: () => resolve(prepared.change), failed: reject });
    });
  }

  /**
   * Applies a change of another log (etcd), which assigned its revision. Resolves once it is visible. Throws
   * synchronously if writes are currently rejected, so that no later change is applied in its place.
   */
  applyReplicated(replicated: ReplicatedChange): Promise<void> {
    this.#assertAvailable();
    return new Promise((resolve, reject) => {
      const { prefix, key, revision } = replicated;
      const previous = this.current(key);
      const prepared = prepareChange({ ...replicated, committedAtMs: this.#clock.now(), previous });
      const batch = this.#batchForWrite();
      this.#pending.set(key, { revision, object: prepared.state, batch });
      this.#assigned = revision;
      const recordBytes = (prepared.state?.record.length ?? 0) + (previous?.record.length ?? 0);
      batch.add(prepared, recordBytes + this.#indexes.costBytes(prefix), false);
      batch.wait({ done: resolve, failed: reject });
    });
  }

  /** Runs `writeFile`, which replaces the contents of the file, after all pending writes and before any later one. */
  async replace(writeFile: () => Promise<void>): Promise<void> {
    while (this.#isWriting) await this.#drained();
    if (this.#closed) throw this.#closed;
    this.#isWriting = true;
    this.#environment.otherThreads?.onReplacing(true);
    try {
      await writeFile();
      this.#environment.advance();
      this.#indexes.reload(this.#environment.snapshot);
      this.#environment.otherThreads?.onReplacing(false);
    } finally {
      this.#pending.clear();
      this.#assigned = this.#environment.snapshot.state.revision;
      this.#scheduleNext();
    }
  }

  /** Sets the compacted revision and removes log entries before it. */
  compact(compacted: Revision, entries: readonly CompactedEntry[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#assertAvailable();
      const batch = this.#batchForWrite();
      batch.addCompaction(compacted, entries);
      batch.wait({ done: resolve, failed: reject });
    });
  }

  /** Runs a step of building or dropping an index. Resolves once it is durable. */
  runIndexStep(step: IndexStep, costBytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#assertAvailable();
      const batch = this.#batchForWrite();
      batch.addIndexStep(step, costBytes);
      batch.wait({ done: resolve, failed: reject });
    });
  }

  /** The state of the key including pending writes. */
  current(key: string): StoredRecord | undefined {
    const pending = this.#pending.get(key);
    return pending ? pending.object : readObject(this.#environment.snapshot, key);
  }

  /** Rejects new writes; resolves when the pending ones are durable or have failed. */
  close(): Promise<void> {
    this.#closed ??= new StorageUnavailable('the store is closed');
    return this.#isWriting ? this.#drained() : Promise.resolve();
  }

  /** Resolves when the collecting batch is durable or has failed. */
  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#batches[this.#batches.length - 1]!.wait({ done: resolve, failed: () => resolve() });
    });
  }

  #assertAvailable(): void {
    if (this.#closed) throw this.#closed;
    if (this.#failure && this.#clock.elapsed() < this.#failure.untilMs) throw this.#failure.error;
  }

  /** The batch that collects the next write. Schedules it to be written. */
  #batchForWrite(): CommitBatch {
    if (this.#batches[this.#batches.length - 1]!.isFull) this.#batches.push(new CommitBatch());
    if (!this.#isWriting) {
      this.#isWriting = true;
      // All writes of this event loop turn share the transaction.
      setImmediate(() => void this.#writeNext());
    }
    return this.#batches[this.#batches.length - 1]!;
  }

  async #writeNext(): Promise<void> {
    const batch = this.#batches.shift()!;
    if (this.#batches.length === 0) this.#batches.push(new CommitBatch());
    const { snapshot } = this.#environment;
    const before = snapshot.state;
    try {
      await this.#environment.write((tables) => batch.write(tables, snapshot, this.#indexes), batch.cost);
      this.#environment.advance();
    } catch (error) {
      if (!(await this.#recover())) {
        this.#fail(batch, error);
        return;
      }
      // An error may be reported after the data has reached the disk: the file decides whether the batch was
      // committed.
      const { revision } = this.#environment.snapshot.state;
      if (revision === before.revision || revision < batch.stateAfter(before).revision) {
        this.#fail(batch, error);
        return;
      }
    }
    this.#failure = undefined;
    this.#budget?.settle(batch.cost.changesBytes);
    this.#publish(batch);
    this.#scheduleNext();
  }

  /** Schedules the next batch, if it has writes. */
  #scheduleNext(): void {
    if (this.#batches.length === 1 && this.#batches[0].isEmpty) this.#isWriting = false;
    else setImmediate(() => void this.#writeNext());
  }

  /**
   * A failed write is reported only once the file can be read again, since until then it may have been committed.
   * Returns false if the store was closed meanwhile.
   */
  async #recover(): Promise<boolean> {
    while (!this.#closed) {
      try {
        await this.#environment.recover();
        return true;
      } catch (error) {
        this.#onFailure(unavailable('the data file cannot be opened again', error));
        await new Promise<void>((resolve) => this.#clock.after(RETRY_RECOVERY_MS, resolve));
      }
    }
    return false;
  }

  #publish(batch: CommitBatch): void {
    if (batch.definitions) this.#indexes.replace(batch.definitions);
    const { changes } = batch;
    for (const { key, revision } of changes) {
      if (this.#pending.get(key)?.revision === revision) this.#pending.delete(key);
    }
    if (changes.length > 0) this.#listeners.notify(changes);
    batch.settle();
  }

  #fail(batch: CommitBatch, cause: unknown): void {
    const isFull = this.#budget !== undefined && cause instanceof StorageFull;
    const error = isFull ? cause : unavailable('the write could not be made durable', cause);
    const failed = [batch, ...this.#batches];
    this.#budget?.settle(failed.reduce((sum, { cost }) => sum + cost.changesBytes, 0));
    // Another program has filled the disk. The budget reports it, and rejects writes that grow from now on.
    if (isFull) this.#budget?.measure();
    else this.#onFailure(error);
    this.#batches = [new CommitBatch()];
    this.#isWriting = false;
    this.#pending.clear();
    this.#assigned = this.#environment.snapshot.state.revision;
    // A failed step may be in the file: unlike changes, it has no revision that would show.
    if (!this.#closed) this.#indexes.reload(this.#environment.snapshot);
    if (!isFull) this.#failure = { error, untilMs: this.#clock.elapsed() + FAILURE_BACKOFF_MS };
    for (const failedBatch of failed) failedBatch.settle(error);
  }
}

/** How a write that does not grow the store may use the reserve. */
function kindOfOther({ draft, isTerminating }: Write): ScarceWrite['kind'] {
  if (!draft) return 'deletion';
  return isTerminating ? 'terminating update' : 'update';
}

function unavailable(problem: string, cause: unknown): StorageUnavailable {
  return new StorageUnavailable(`${problem}: ${cause instanceof Error ? cause.message : cause}`, { cause });
}
