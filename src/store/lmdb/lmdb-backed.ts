/**
 * Base class of stores whose state and history are in an LMDB file: all reads, compaction and lifecycle.
 *
 * Reads are synchronous. Subclasses decide where writes get their revisions: in the file itself, or in etcd, of which
 * the file is a replica.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { ChangeListeners } from '../change-listeners.ts';
import type {
  Change,
  ChangeListener,
  ConsistentReader,
  Revision,
  Store,
  StoredObject,
  StoreStats,
  View,
  Write,
} from '../store.ts';
import { Compacted } from '../store.ts';
import { Compaction } from './compaction.ts';
import { DATA_FILE, lockDirectory, prepareDirectory } from './directory.ts';
import { type Durability, LmdbEnvironment } from './environment.ts';
import { GroupCommit } from './group-commit.ts';
import { readHistory } from './history.ts';
import { LargeObjectCache } from './large-object-cache.ts';
import { toDirectoryError } from './preflight.ts';
import type { SpaceBudget } from './space-budget.ts';
import { LmdbView } from './view.ts';

export interface LmdbFileOptions {
  /** A directory for this store alone; created if it does not exist. */
  readonly dir: string;
  readonly clock: Clock;
  /**
   * The set of API names that the objects use (`--dialect`). It is recorded in the directory: data of one dialect cannot
   * be opened under another.
   */
  readonly dialect: string;
  /** Retention of the history; 5 minutes by default. */
  readonly historyMs?: number;
  /** Called for every failed write and failed reopen, for logging. The writers are notified in any case. */
  readonly onFailure?: (error: Error) => void;
}

/** A data directory that this process has locked. */
export interface LockedDirectory {
  readonly environment: LmdbEnvironment;
  readonly releaseDirectory: () => void;
}

/** Throws DataDirectoryError if the directory cannot be used or another process uses it. */
export function openLockedDirectory(
  { dir, dialect }: LmdbFileOptions,
  durability: Durability,
): LockedDirectory {
  try {
    prepareDirectory(dir);
    const releaseDirectory = lockDirectory(dir);
    try {
      return { environment: LmdbEnvironment.open(dir, dialect, durability), releaseDirectory };
    } catch (error) {
      releaseDirectory();
      throw error;
    }
  } catch (error) {
    throw toDirectoryError(dir, error);
  }
}

export abstract class LmdbBackedStore implements Store {
  protected readonly environment: LmdbEnvironment;
  protected readonly queue: GroupCommit;
  readonly #dir: string;
  readonly #listeners = new ChangeListeners();
  readonly listenerFailures = this.#listeners.failures;
  readonly #resetListeners = new Set<() => void>();
  readonly #compaction: Compaction;
  readonly #largeObjects = new LargeObjectCache();
  readonly #releaseDirectory: () => void;
  #closing: Promise<void> | undefined;

  /** `budget`: limits the space of the file. */
  constructor(
    options: LmdbFileOptions,
    { environment, releaseDirectory }: LockedDirectory,
    budget?: SpaceBudget,
  ) {
    const { dir, clock, historyMs = 5 * 60_000, onFailure = () => {} } = options;
    this.#dir = dir;
    this.environment = environment;
    this.#releaseDirectory = releaseDirectory;
    this.queue = new GroupCommit(environment, clock, this.#listeners, onFailure, budget);
    this.#compaction = new Compaction(environment, this.queue, clock, historyMs, budget);
    this.#listeners.add(() => this.#compaction.run());
    this.#compaction.run();
  }

  abstract readonly isShared: boolean;
  abstract readonly reader: ConsistentReader;
  abstract commit(write: Write): Promise<Change>;
  abstract head(): Promise<Revision>;

  get revision(): Revision {
    return this.environment.snapshot.state.revision;
  }

  get compacted(): Revision {
    return this.environment.snapshot.state.compacted;
  }

  get(key: string): StoredObject | undefined {
    return this.#largeObjects.get(this.environment.snapshot, key);
  }

  pin(): View {
    return new LmdbView(this.environment.snapshot);
  }

  history(prefix: string, after: Revision, until = this.revision, keyPrefix = ''): Iterable<Change> {
    if (after < this.compacted) throw new Compacted(this.compacted);
    return readHistory(this.environment, prefix, after, Math.min(until, this.revision), keyPrefix);
  }

  subscribe(listener: ChangeListener, prefixes?: Iterable<string>): () => void {
    return this.#listeners.add(listener, prefixes);
  }

  onReset(listener: () => void): () => void {
    this.#resetListeners.add(listener);
    return () => this.#resetListeners.delete(listener);
  }

  async compact(revision: Revision): Promise<void> {
    const target = Math.min(revision, this.revision);
    if (target > this.compacted) await this.#compaction.compact(target);
  }

  stats(): StoreStats {
    const { revision, compacted, objects } = this.environment.snapshot.state;
    return { objects, changes: revision - compacted, bytes: statSync(join(this.#dir, DATA_FILE)).size };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Called by `close`: rejects new writes, and resolves once the pending ones are complete. */
  protected abstract finish(): Promise<void>;

  /** Notifies everything that follows this store that it must relist. */
  protected notifyReset(): void {
    for (const listener of [...this.#resetListeners]) listener();
  }

  async #close(): Promise<void> {
    this.#compaction.stop();
    await this.finish();
    await this.queue.close();
    await this.environment.close();
    this.#releaseDirectory();
  }
}
