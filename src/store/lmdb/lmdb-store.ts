/**
 * The embedded store: one file, mapped into memory, written by this process alone. Reads are plain calls that never
 * wait; writes share transactions and are told of only once they are on disk.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { Listeners } from '../listeners.ts';
import type { StoreStats, View, Write } from '../store.ts';
import { type Change, Compacted, type Revision, type Store, type StoredObject } from '../store.ts';
import { Compaction } from './compaction.ts';
import { DATA_FILE, DataDirectoryError, prepareDirectory } from './directory.ts';
import { Environment } from './environment.ts';
import { ExpirySweep } from './expiry-sweep.ts';
import { GroupCommit } from './group-commit.ts';
import { readHistory } from './history.ts';
import { takeOwnership } from './owner.ts';
import { asDirectoryError } from './preflight.ts';
import { LmdbView, readObject } from './view.ts';

export interface LmdbStoreOptions {
  /** A directory for this store alone; made if it does not exist. */
  readonly dir: string;
  readonly clock: Clock;
  /** Kept in the directory: data of one dialect is not opened under another. */
  readonly dialect: string;
  /** How long a change stays in the history. */
  readonly historyMs?: number;
  /** Hears of every failure to write or to open the file again, for the log. Who waits for a write is told anyway. */
  readonly onFailure?: (error: Error) => void;
}

export class LmdbStore implements Store {
  readonly #dir: string;
  readonly #environment: Environment;
  readonly #listeners = new Listeners();
  readonly #queue: GroupCommit;
  readonly #compaction: Compaction;
  readonly #expiry: ExpirySweep;
  readonly #releaseDirectory: () => void;
  #closing: Promise<void> | undefined;

  private constructor(options: LmdbStoreOptions, environment: Environment, releaseDirectory: () => void) {
    const { dir, clock, historyMs = 5 * 60_000, onFailure = () => {} } = options;
    this.#dir = dir;
    this.#environment = environment;
    this.#releaseDirectory = releaseDirectory;
    this.#queue = new GroupCommit(environment, clock, this.#listeners, onFailure);
    this.#compaction = new Compaction(environment, this.#queue, clock, historyMs);
    this.#expiry = new ExpirySweep(environment, this.#queue, clock);
    this.#listeners.add((changes) => {
      this.#compaction.look();
      this.#expiry.notice(changes);
    });
    this.#compaction.look();
  }

  /** Throws DataDirectoryError if the directory cannot be used or another process uses it. */
  static open(options: LmdbStoreOptions): LmdbStore {
    const { dir, dialect } = options;
    try {
      prepareDirectory(dir);
      const release = own(dir);
      try {
        return new LmdbStore(options, Environment.open(dir, dialect), release);
      } catch (error) {
        release();
        throw error;
      }
    } catch (error) {
      throw asDirectoryError(dir, error);
    }
  }

  get revision(): Revision {
    return this.#environment.reading.state.revision;
  }

  get compacted(): Revision {
    return this.#environment.reading.state.compacted;
  }

  /** Names the cluster this data belongs to, for as long as the directory lives. */
  get uid(): string {
    return this.#environment.label.uid;
  }

  commit(write: Write): Promise<Change> {
    return this.#queue.commit(write);
  }

  async head(): Promise<Revision> {
    return this.revision;
  }

  get(key: string): StoredObject | undefined {
    return readObject(this.#environment.reading, key);
  }

  pin(): View {
    return new LmdbView(this.#environment.reading);
  }

  history(prefix: string, after: Revision, until = this.revision, under = ''): Iterable<Change> {
    if (after < this.compacted) throw new Compacted(this.compacted);
    return readHistory(this.#environment, prefix, after, Math.min(until, this.revision), under);
  }

  subscribe(listener: (changes: readonly Change[]) => void): () => void {
    return this.#listeners.add(listener);
  }

  async compact(revision: Revision): Promise<void> {
    const target = Math.min(revision, this.revision);
    if (target > this.compacted) await this.#compaction.compact(target);
  }

  stats(): StoreStats {
    const { revision, compacted, objects } = this.#environment.reading.state;
    return { objects, changes: revision - compacted, bytes: statSync(join(this.#dir, DATA_FILE)).size };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#compaction.stop();
    this.#expiry.stop();
    await this.#queue.close();
    await this.#environment.close();
    this.#releaseDirectory();
  }
}

function own(dir: string): () => void {
  const ownership = takeOwnership(dir);
  if ('release' in ownership) return ownership.release;
  throw new DataDirectoryError(
    `${dir} is in use by process ${ownership.heldBy}; stop that one, or choose another directory`,
  );
}
