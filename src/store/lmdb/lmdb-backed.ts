/**
 * Base class of stores that write to an LMDB file: group commit, compaction and lifecycle.
 *
 * Subclasses decide where writes get their revisions: in the file itself, or in etcd, of which the file is a replica.
 */
import type { Clock } from '../../base/clock.ts';
import type { Change, ConsistentReader, Revision, SelectorScan, Store, Write } from '../store.ts';
import { Compaction } from './compaction.ts';
import { lockDirectory, prepareDirectory } from './directory.ts';
import { type Durability, LmdbEnvironment, MAX_SNAPSHOTS, type OtherThreads } from './environment.ts';
import { GroupCommit } from './group-commit.ts';
import { IndexBuilder } from './index-builder.ts';
import { LmdbReads } from './lmdb-reads.ts';
import { toDirectoryError } from './preflight.ts';
import type { SpaceBudget } from './space-budget.ts';
import { WriterIndexes } from './writer-indexes.ts';

/** Indexes are not built while there is less space than this, or than the share of what is used. */
const MIN_INDEX_SPACE_BYTES = 64 * 1024 * 1024;
const MIN_INDEX_SPACE_SHARE = 1 / 8;

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

export abstract class LmdbBackedStore extends LmdbReads implements Store {
  protected readonly queue: GroupCommit;
  readonly #compaction: Compaction;
  readonly #indexBuilder: IndexBuilder;
  readonly #releaseDirectory: () => void;
  #closing: Promise<void> | undefined;

  /** `budget`: limits the space of the file. */
  constructor(
    options: LmdbFileOptions,
    { environment, releaseDirectory }: LockedDirectory,
    budget?: SpaceBudget,
  ) {
    const { dir, clock, historyMs = 5 * 60_000, onFailure = () => {} } = options;
    super(dir, environment);
    this.#releaseDirectory = releaseDirectory;
    const indexes = new WriterIndexes(environment.snapshot);
    this.queue = new GroupCommit(environment, clock, this.listeners, onFailure, indexes, budget);
    this.#compaction = new Compaction(environment, this.queue, clock, historyMs, budget);
    this.listeners.add(() => this.#compaction.run());
    this.#compaction.run();
    const hasSpace = () => hasIndexSpace(environment, budget);
    const snapshot = () => environment.snapshot;
    this.#indexBuilder = new IndexBuilder({ indexes, queue: this.queue, clock, snapshot, hasSpace });
    this.onReset(() => this.#indexBuilder.reset());
  }

  abstract readonly isShared: boolean;
  abstract readonly reader: ConsistentReader;
  abstract commit(write: Write): Promise<Change>;
  abstract head(): Promise<Revision>;

  reportScan(scan: SelectorScan): void {
    this.#indexBuilder.report(scan);
  }

  /** Called from time to time while lists, on any thread, use an index. */
  onIndexUse(id: number): void {
    this.#indexBuilder.touch(id);
  }

  async compact(revision: Revision): Promise<void> {
    const target = Math.min(revision, this.revision);
    if (target > this.compacted) await this.#compaction.compact(target);
  }

  /** Called if other threads have the file open too. */
  setOtherThreads(threads: OtherThreads): void {
    this.environment.otherThreads = threads;
    // They have the other half.
    this.environment.maxSnapshots = Math.floor(MAX_SNAPSHOTS / 2);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Called by `close`: rejects new writes, and resolves once the pending ones are complete. */
  protected abstract finish(): Promise<void>;

  async #close(): Promise<void> {
    this.#compaction.stop();
    this.#indexBuilder.stop();
    await this.finish();
    await this.queue.close();
    await this.environment.close();
    this.#releaseDirectory();
  }
}

function hasIndexSpace(environment: LmdbEnvironment, budget: SpaceBudget | undefined): boolean {
  const { usedBytes, growthBytes } = environment.spaceUsage();
  const quotaBytes = budget?.quotaBytes ?? 0;
  const leftBytes = quotaBytes > 0 ? Math.min(growthBytes, quotaBytes - usedBytes) : growthBytes;
  return leftBytes >= Math.max(MIN_INDEX_SPACE_BYTES, usedBytes * MIN_INDEX_SPACE_SHARE);
}
