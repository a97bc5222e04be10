/**
 * The open LMDB environment: its tables, and the snapshot that reads see.
 *
 * Invariant: new reads use one read transaction that only `advance` replaces, so a commit becomes visible when the store
 * says so, not when LMDB has finished it.
 */
import { randomUUID } from 'node:crypto';
import { open, type RootDatabase, type Transaction, TransactionFlags } from 'lmdb';
import { type Revision, type StorageFull, StorageUnavailable } from '../store.ts';
import {
  assertSameDialect,
  type DirectoryLabel,
  LABEL_KEY,
  newLabel,
  RECORD_FORMAT,
  readLabel,
  syncDirectory,
  unusableDirectory,
} from './directory.ts';
import { assertOpenable, MAX_READERS, mapBytes } from './preflight.ts';
import { type DataFile, DataFileSpace, PAGE_BYTES, type SpaceUsage, type TransactionCost } from './space.ts';
import { openTables, readState, type StoreState, type Tables } from './tables.ts';
import { beginUnflushed, endUnflushed } from './unflushed.ts';

/** The cost of a transaction with a few small records. */
const SMALL_TRANSACTION: TransactionCost = {
  changesBytes: 0,
  compactedEntries: 0,
  indexStepsBytes: 0,
  hasGrowth: false,
};

/** A key that never exists in the table `meta`. */
const ABSENT_KEY = 'nothing';

/** Maximum number of open snapshots of a process. Leaves some slots to other processes. */
export const MAX_SNAPSHOTS = MAX_READERS - 100;

/**
 * When a commit becomes visible. `fsync`: once it is on disk. `no fsync`: once it is written, for a replica of etcd, which
 * is rebuilt if a machine crash may have damaged it (unflushed.ts).
 */
export type Durability = 'fsync' | 'no fsync';

/** The other threads of the process that have the file open. */
export interface OtherThreads {
  /** Resolves once they have closed it. */
  suspend(): Promise<void>;
  resume(): void;
  /**
   * Called before the contents of the file are replaced, and once that has succeeded; a failed replacement is started again. In
   * between, the file shows neither state.
   */
  onReplacing(isReplacing: boolean): void;
}

export class LmdbEnvironment implements DataFile {
  readonly #dir: string;
  readonly #space: DataFileSpace;
  /** Undefined: open for reading only. */
  readonly #dialect: string | undefined;
  readonly #durability: Durability;
  #root: RootDatabase<Buffer, Buffer>;
  #tables: Tables;
  #label: DirectoryLabel;
  #hasOlderFormat = false;
  /** The snapshot that new reads use. */
  #snapshot: ReadSnapshot;
  /** All open snapshots, oldest first: views keep earlier ones open. */
  readonly #snapshots = new Set<ReadSnapshot>();
  /** Each needs a reader slot of the file, which all threads share. */
  maxSnapshots = MAX_SNAPSHOTS;
  /** Other threads have the file open too: a broken environment can only be opened again once they have closed it. */
  otherThreads: OtherThreads | undefined;

  private constructor(dir: string, dialect: string | undefined, durability: Durability) {
    this.#dir = dir;
    this.#space = new DataFileSpace(dir);
    this.#durability = durability;
    this.#dialect = dialect;
    [this.#root, this.#tables, this.#label] = this.#open();
    this.#snapshot = this.#openSnapshot();
  }

  /** Opens for writing. A directory that has never been used is initialized for `dialect`. */
  static open(dir: string, dialect: string, durability: Durability = 'fsync'): LmdbEnvironment {
    if (durability === 'no fsync') beginUnflushed(dir);
    return new LmdbEnvironment(dir, dialect, durability);
  }

  /** Opens an existing directory for reading; another process may be writing to it. */
  static openForReading(dir: string): LmdbEnvironment {
    return new LmdbEnvironment(dir, undefined, 'fsync');
  }

  get tables(): Tables {
    return this.#tables;
  }

  get root(): RootDatabase<Buffer, Buffer> {
    return this.#root;
  }

  get label(): DirectoryLabel {
    return this.#label;
  }

  /** Whether the file may contain records of an older format than this release writes (record.ts). */
  get hasOlderFormat(): boolean {
    return this.#hasOlderFormat;
  }

  /** The snapshot that new reads use. */
  get snapshot(): ReadSnapshot {
    return this.#snapshot;
  }

  /** Whether a view still reads an earlier state than the latest one. */
  get hasOldSnapshot(): boolean {
    return this.#snapshots.size > 1;
  }

  /** Moves reads to the latest committed state. */
  advance(): void {
    // At the limit of reader slots the oldest snapshot is invalidated, since no further one could be opened.
    if (this.#snapshots.size >= this.maxSnapshots) this.#snapshots.values().next().value?.end();
    const next = this.#openSnapshot();
    this.#snapshot.release();
    this.#snapshot = next;
  }

  /**
   * Moves reads to the latest committed state, unless it is not usable yet, which is checked after the state was opened. Returns
   * whether it moved. For threads that do not write.
   */
  advanceIf(isUsable: (revision: Revision) => boolean): boolean {
    if (this.#snapshots.size >= this.maxSnapshots) this.#snapshots.values().next().value?.end();
    const next = this.#openSnapshot();
    if (!isUsable(next.state.revision)) {
      next.end();
      return false;
    }
    this.#snapshot.release();
    this.#snapshot = next;
    return true;
  }

  /**
   * Runs the writes as one transaction. Resolves once it is durable (with `no fsync`: once it is written); `advance` then
   * makes it visible.
   */
  async write(writes: (tables: Tables) => void, cost = SMALL_TRANSACTION): Promise<void> {
    this.#space.prepare(this, cost);
    if (this.#durability === 'no fsync') this.#writeUnflushed(writes);
    else await this.#writeDurably(writes);
  }

  /** Takes disk space for the reserve of deletions. */
  openReserve(): void {
    this.#space.openReserve();
  }

  /** What is left of the reserve. */
  get reserveBytes(): number {
    return this.#space.reserveBytes;
  }

  refillReserve(): void {
    this.#space.refillReserve();
  }

  spaceUsage(): SpaceUsage {
    return this.#space.usage(this);
  }

  fullError(): StorageFull {
    return this.#space.fullError();
  }

  /** Writes synchronously: without an fsync to wait for, the binding's write thread would only add latency. */
  #writeUnflushed(writes: (tables: Tables) => void): void {
    this.#root.transactionSync(() => writes(this.#tables), TransactionFlags.SYNCHRONOUS_COMMIT);
  }

  async #writeDurably(writes: (tables: Tables) => void): Promise<void> {
    try {
      const batch = this.#root.batch(() => writes(this.#tables));
      // A second write makes lmdb start at once. After a batch alone it waits for the next event loop turn, which on
      // a busy server leaves the disk idle for a millisecond.
      void this.#tables.meta.remove(ABSENT_KEY);
      await batch;
    } catch (error) {
      // lmdb reports the cause as a separate promise that rejects: awaiting it throws the cause.
      const cause: unknown = error instanceof Error && 'commitError' in error ? error.commitError : undefined;
      await cause;
      throw error;
    }
  }

  /** After a failed write, makes reads see what is on disk. Reopens an environment that LMDB has marked as broken. */
  async recover(): Promise<void> {
    try {
      // An empty transaction fails in a broken environment, whereas a write to it would hang.
      this.#root.transactionSync(() => {});
      this.advance();
    } catch {
      // Closes also if reopening fails, so that it can be retried; meanwhile reads fail with StorageUnavailable.
      await Promise.all([this.suspend(), this.otherThreads?.suspend()]);
      this.resume();
      this.otherThreads?.resume();
    }
  }

  /** Closes the file until `resume`. Reads fail with StorageUnavailable. */
  suspend(): Promise<void> {
    return this.#closeAll();
  }

  resume(): void {
    [this.#root, this.#tables, this.#label] = this.#open();
    this.#snapshot = this.#openSnapshot();
  }

  async close(): Promise<void> {
    await this.#closeAll();
    if (this.#durability !== 'no fsync') return;
    try {
      endUnflushed(this.#dir);
    } catch {
      // The file still counts as unsynced: at worst it is rebuilt without need.
    }
  }

  /** Opens the file for reading, or initializes it if necessary and opens it for writing. */
  #open(): [RootDatabase<Buffer, Buffer>, Tables, DirectoryLabel] {
    const isReadOnly = this.#dialect === undefined;
    const root = openFile(this.#dir, isReadOnly, this.#durability);
    try {
      const label = readLabel(this.#dir, root);
      if (this.#dialect === undefined) {
        if (!label) throw unusableDirectory(this.#dir, 'it is empty');
        return [root, openTables(root), label];
      }
      if (label) assertSameDialect(this.#dir, label, this.#dialect);
      else syncDirectory(this.#dir);
      const currentLabel = newLabel(this.#dialect, label?.uid ?? randomUUID());
      // One transaction: after a crash the directory is either initialized or unused.
      const tables = root.transactionSync(() => {
        const opened = openTables(root);
        this.#hasOlderFormat ||= label !== undefined && label.format < RECORD_FORMAT;
        if (label?.format !== currentLabel.format)
          opened.meta.putSync(LABEL_KEY, Buffer.from(JSON.stringify(currentLabel)));
        return opened;
      });
      return [root, tables, currentLabel];
    } catch (error) {
      void root.close();
      throw error;
    }
  }

  #openSnapshot(): ReadSnapshot {
    this.#root.resetReadTxn();
    const snapshot = new ReadSnapshot(this.#root.useReadTransaction(), this.#tables, () =>
      this.#snapshots.delete(snapshot),
    );
    this.#snapshots.add(snapshot);
    return snapshot;
  }

  async #closeAll(): Promise<void> {
    for (const snapshot of this.#snapshots) snapshot.end();
    await this.#root.close();
  }
}

/** One snapshot of the file, reference-counted by its readers. */
export class ReadSnapshot {
  readonly state: StoreState;
  readonly #transaction: Transaction;
  readonly #tables: Tables;
  /** Called once, when the snapshot ends. */
  readonly #onEnd: () => void;
  /** The environment itself holds one reference while this is the latest snapshot. */
  #holders = 1;
  /** Undefined once the snapshot has ended. */
  #options: { readonly transaction: Transaction } | undefined;

  constructor(transaction: Transaction, tables: Tables, onEnd: () => void) {
    this.#transaction = transaction;
    this.#tables = tables;
    this.#onEnd = onEnd;
    this.#options = { transaction };
    this.state = readState(tables.meta.get('state', this.#options));
  }

  get tables(): Tables {
    return this.#tables;
  }

  /** Table options that read from this snapshot. */
  get options(): { readonly transaction: Transaction } {
    if (!this.#options) throw new StorageUnavailable('this state of the store can no longer be read');
    return this.#options;
  }

  /** Keeps the snapshot open until a matching `release`. */
  hold(): void {
    this.#holders++;
  }

  release(): void {
    if (--this.#holders === 0) this.end();
  }

  /** Ends the snapshot for all holders. */
  end(): void {
    if (!this.#options) return;
    this.#options = undefined;
    this.#transaction.done();
    this.#onEnd();
  }
}

function openFile(dir: string, isReadOnly: boolean, durability: Durability): RootDatabase<Buffer, Buffer> {
  assertOpenable(dir);
  const options = {
    path: dir,
    noSubdir: false,
    readOnly: isReadOnly,
    // A durable commit must reach the disk before readers see it. With overlapping sync, lmdb would also wait for the
    // disk at the end of a transaction that asks for no sync.
    overlappingSync: false,
    noSync: durability === 'no fsync',
    // Transaction boundaries are set by the group commit, not by lmdb.
    eventTurnBatching: false,
    txnStartThreshold: 1,
    // Reserves address space, not memory. With enough of it the file is never remapped, so no read sees the map move.
    mapSize: mapBytes(),
    pageSize: PAGE_BYTES,
    maxReaders: MAX_READERS,
    maxDbs: 8,
    encoding: 'binary' as const,
    keyEncoding: 'binary' as const,
    permissionsMode: 0o600,
  };
  try {
    return open<Buffer, Buffer>(options);
  } catch (error) {
    throw unusableDirectory(dir, error instanceof Error ? error.message : String(error));
  }
}
