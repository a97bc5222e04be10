/**
 * Turns single writes into transactions. A write is checked and gets its revision at once, against what is on disk
 * and what is on its way there. While one batch is being written, the next collects.
 *
 * - Batches reach the disk one after the other: a batch is begun only when the one before it is done or has failed.
 * - Nothing of a batch is told to anybody before it is on disk, not even that a key is taken.
 * - When a batch fails, all that was checked against it fails too, and its revisions are given out again.
 */
import type { Clock } from '../../clock.ts';
import { checkKey } from '../keys.ts';
import type { Listeners } from '../listeners.ts';
import { type Change, PreconditionFailed, type Revision, StorageUnavailable, type Write } from '../store.ts';
import { Batch, type Forgotten } from './batch.ts';
import { makeChange, type NewChange } from './change.ts';
import type { Environment } from './environment.ts';
import type { StoredRecord } from './record.ts';
import { readObject } from './view.ts';

/** After a failure the disk is left alone this long, so that a full one is not tried for every request. */
const REST_AFTER_FAILURE_MS = 100;

const RETRY_RECOVERY_MS = 1_000;

/** What a key will be once its batch is on disk; without `object` it is deleted. */
interface Upcoming {
  readonly revision: Revision;
  readonly object: StoredRecord | undefined;
  readonly batch: Batch;
}

/** A change as another log has decided on it. */
export type Decided = Omit<NewChange, 'at' | 'previous'>;

export class GroupCommit {
  readonly #environment: Environment;
  readonly #clock: Clock;
  readonly #listeners: Listeners;
  readonly #onFailure: (error: StorageUnavailable) => void;
  readonly #upcoming = new Map<string, Upcoming>();
  /** The last one collects; those before it are full. */
  #batches: [...Batch[], Batch] = [new Batch()];
  #isBusy = false;
  #closed: StorageUnavailable | undefined;
  #assigned: Revision;
  #failure: { readonly error: StorageUnavailable; readonly until: number } | undefined;

  constructor(
    environment: Environment,
    clock: Clock,
    listeners: Listeners,
    onFailure: (error: StorageUnavailable) => void,
  ) {
    this.#onFailure = onFailure;
    this.#environment = environment;
    this.#clock = clock;
    this.#listeners = listeners;
    this.#assigned = environment.reading.state.revision;
  }

  commit(write: Write): Promise<Change> {
    return new Promise((resolve, reject) => {
      this.#refuseIfUnavailable();
      const { prefix, key, expect, draft } = write;
      checkKey(prefix, key);
      const upcoming = this.#upcoming.get(key);
      const previous = this.current(key);
      if ((expect !== undefined && expect !== (previous?.revision ?? 0)) || (!draft && !previous)) {
        const refusal = new PreconditionFailed(key, previous);
        if (!upcoming) throw refusal;
        upcoming.batch.wait({ done: () => reject(refusal), failed: reject });
        return;
      }
      const revision = this.#assigned + 1;
      const made = makeChange({ revision, prefix, key, at: this.#clock.now(), draft, previous });
      this.#assigned = revision;
      const batch = this.#collect();
      this.#upcoming.set(key, { revision, object: made.state, batch });
      batch.add(made);
      batch.wait({ done: () => resolve(made.change), failed: reject });
    });
  }

  /**
   * Takes a change of another log, which has decided on it and its revision. Resolves once it is visible; throws at once
   * if none is taken now, so that none that comes after it is taken in its place.
   */
  follow(decided: Decided): Promise<void> {
    this.#refuseIfUnavailable();
    return new Promise((resolve, reject) => {
      const { key, revision } = decided;
      const made = makeChange({ ...decided, at: this.#clock.now(), previous: this.current(key) });
      const batch = this.#collect();
      this.#upcoming.set(key, { revision, object: made.state, batch });
      this.#assigned = revision;
      batch.add(made);
      batch.wait({ done: resolve, failed: reject });
    });
  }

  /** Writes the file anew, when all that is under way is done and before anything that comes after. */
  async replace(writing: () => Promise<void>): Promise<void> {
    while (this.#isBusy) await this.#settled();
    if (this.#closed) throw this.#closed;
    this.#isBusy = true;
    try {
      await writing();
      this.#environment.advance();
    } finally {
      this.#upcoming.clear();
      this.#assigned = this.#environment.reading.state.revision;
      this.#goOn();
    }
  }

  /** Ends history at `compacted`, and removes entries that lie before it. */
  forget(compacted: Revision, entries: readonly Forgotten[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#refuseIfUnavailable();
      const batch = this.#collect();
      batch.forget(compacted, entries);
      batch.wait({ done: resolve, failed: reject });
    });
  }

  /** What the key will be when all that is under way is on disk. */
  current(key: string): StoredRecord | undefined {
    const upcoming = this.#upcoming.get(key);
    return upcoming ? upcoming.object : readObject(this.#environment.reading, key);
  }

  /** Takes no more writes; resolves when those under way are on disk or have failed. */
  close(): Promise<void> {
    this.#closed ??= new StorageUnavailable('the store is closed');
    return this.#isBusy ? this.#settled() : Promise.resolve();
  }

  /** Resolves when what collects now is on disk or has failed. */
  #settled(): Promise<void> {
    return new Promise((resolve) => {
      this.#batches[this.#batches.length - 1]!.wait({ done: resolve, failed: () => resolve() });
    });
  }

  #refuseIfUnavailable(): void {
    if (this.#closed) throw this.#closed;
    if (this.#failure && this.#clock.elapsed() < this.#failure.until) throw this.#failure.error;
  }

  /** The batch that takes the next write. It will be written. */
  #collect(): Batch {
    if (this.#batches[this.#batches.length - 1]!.isFull) this.#batches.push(new Batch());
    if (!this.#isBusy) {
      this.#isBusy = true;
      // Whatever else this turn of the event loop brings shares the transaction.
      setImmediate(() => void this.#writeNext());
    }
    return this.#batches[this.#batches.length - 1]!;
  }

  async #writeNext(): Promise<void> {
    const batch = this.#batches.shift()!;
    if (this.#batches.length === 0) this.#batches.push(new Batch());
    const before = this.#environment.reading.state;
    try {
      await this.#environment.write((tables) => batch.write(tables, before), batch.size);
      this.#environment.advance();
    } catch (error) {
      if (!(await this.#recover())) {
        this.#fail(batch, error);
        return;
      }
      // An error may come after the data has reached the disk; what is there has happened.
      const { revision } = this.#environment.reading.state;
      if (revision === before.revision || revision < batch.after(before).revision) {
        this.#fail(batch, error);
        return;
      }
    }
    this.#failure = undefined;
    this.#publish(batch);
    this.#goOn();
  }

  #goOn(): void {
    if (this.#batches.length === 1 && this.#batches[0].isEmpty) this.#isBusy = false;
    else setImmediate(() => void this.#writeNext());
  }

  /** Nobody is told that a write is lost while it may not be: it is not known until the file can be read again. */
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

  #publish(batch: Batch): void {
    const { changes } = batch;
    for (const { key, revision } of changes) {
      if (this.#upcoming.get(key)?.revision === revision) this.#upcoming.delete(key);
    }
    if (changes.length > 0) this.#listeners.tell(changes);
    batch.settle();
  }

  #fail(batch: Batch, cause: unknown): void {
    const error = unavailable('the write could not be made durable', cause);
    this.#onFailure(error);
    const failed = [batch, ...this.#batches];
    this.#batches = [new Batch()];
    this.#isBusy = false;
    this.#upcoming.clear();
    this.#assigned = this.#environment.reading.state.revision;
    this.#failure = { error, until: this.#clock.elapsed() + REST_AFTER_FAILURE_MS };
    for (const each of failed) each.settle(error);
  }
}

function unavailable(what: string, cause: unknown): StorageUnavailable {
  return new StorageUnavailable(`${what}: ${cause instanceof Error ? cause.message : cause}`, { cause });
}
