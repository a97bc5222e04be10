/**
 * The open data file: its tables, and the state that reads see. Reads of all kinds go through one read transaction
 * that is moved on by `advance` alone, so that a commit becomes visible when we say so and not when LMDB is done.
 */
import { randomUUID } from 'node:crypto';
import { open, type RootDatabase, type Transaction, TransactionFlags } from 'lmdb';
import { StorageUnavailable } from '../store.ts';
import {
  type DirectoryLabel,
  foreign,
  LABEL_KEY,
  newLabel,
  readLabel,
  refuseOtherDialect,
  syncDirectory,
} from './directory.ts';
import { MAX_READERS, mapBytes, preflight } from './preflight.ts';
import { refuseWithoutSpace } from './space.ts';
import { openTables, readState, type State, type Tables } from './tables.ts';
import { beginUnflushed, endUnflushed } from './unflushed.ts';

/**
 * LMDB fills a page with as many objects as fit, less one. With the usual 4,096 that is one of 1 KB to a page, with
 * 8,192 four. 16,384 would save objects of 1 KB a sixth, but take twice as much for those of 6 to 8 KB.
 */
const PAGE_BYTES = 8_192;

/** A key that is never there. */
const NOTHING = 'nothing';

/** Of the readers' places some are left to other processes. */
const MAX_STATES = MAX_READERS - 100;

/** What is waited for before a commit is visible. A file that is only a copy waits for nothing, and is made anew if it is torn. */
export type Durability = 'each commit' | 'copy';

export class Environment {
  readonly #dir: string;
  readonly #dialect: string | undefined;
  readonly #durability: Durability;
  #root: RootDatabase<Buffer, Buffer>;
  #tables: Tables;
  #label: DirectoryLabel;
  /** Some of what lies in the file may have been written in an older format. */
  #isOlder = false;
  #reading: Reading;
  readonly #readings = new Set<Reading>();

  private constructor(dir: string, dialect: string | undefined, durability: Durability) {
    this.#dir = dir;
    this.#durability = durability;
    this.#dialect = dialect;
    [this.#root, this.#tables, this.#label] = this.#open();
    this.#reading = this.#read();
  }

  /** Opens for writing; the directory is made a new one of `dialect` if it has never been used. */
  static open(dir: string, dialect: string, durability: Durability = 'each commit'): Environment {
    if (durability === 'copy') beginUnflushed(dir);
    return new Environment(dir, dialect, durability);
  }

  /** Opens an existing directory for reading; another process may be writing to it. */
  static openForReading(dir: string): Environment {
    return new Environment(dir, undefined, 'each commit');
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

  get isOlder(): boolean {
    return this.#isOlder;
  }

  /** The state that reads see now. */
  get reading(): Reading {
    return this.#reading;
  }

  /** Moves reads on to the last committed state. */
  advance(): void {
    // Who holds on to the oldest of too many states is cut off: one more could not be read otherwise.
    if (this.#readings.size >= MAX_STATES) this.#readings.values().next().value?.end();
    const next = this.#read();
    this.#reading.release();
    this.#reading = next;
  }

  /** Runs the writes as one transaction. Resolves once it is on disk, or is in a copy; `advance` then makes it visible. */
  async write(writes: (tables: Tables) => void, size = { changes: 0, bytes: 0 }): Promise<void> {
    refuseWithoutSpace(this.#dir, size.changes, size.bytes);
    if (this.#durability === 'copy') this.#writeCopy(writes);
    else await this.#writeDurably(writes);
  }

  /** Here and now: with no disk to wait for, another thread would only add its turns to what a write takes. */
  #writeCopy(writes: (tables: Tables) => void): void {
    this.#root.transactionSync(() => writes(this.#tables), TransactionFlags.SYNCHRONOUS_COMMIT);
  }

  async #writeDurably(writes: (tables: Tables) => void): Promise<void> {
    try {
      const batch = this.#root.batch(() => writes(this.#tables));
      // One more write makes lmdb begin at once. After a batch alone it waits for the next turn of the event loop,
      // which in a busy server is a millisecond in which the disk does nothing.
      void this.#tables.meta.remove(NOTHING);
      await batch;
    } catch (error) {
      // lmdb tells the cause in a promise of its own, which must not go unheard.
      const cause: unknown = error instanceof Error && 'commitError' in error ? error.commitError : undefined;
      await Promise.resolve(cause).catch((reason: unknown) => {
        throw reason;
      });
      throw error;
    }
  }

  /** After a failed write: reads see what is really on disk. An environment that LMDB has given up is opened anew. */
  async recover(): Promise<void> {
    try {
      // An empty transaction begins only in an environment that is still good. To write to another one is to hang.
      this.#root.transactionSync(() => {});
      this.advance();
    } catch {
      // Also when opening it fails, so that it can be tried again: reads say that there is nothing to read.
      await this.#closeAll();
      [this.#root, this.#tables, this.#label] = this.#open();
      this.#reading = this.#read();
    }
  }

  async close(): Promise<void> {
    await this.#closeAll();
    if (this.#durability !== 'copy') return;
    try {
      endUnflushed(this.#dir);
    } catch {
      // It still says under which start of the machine it was written.
    }
  }

  #open(): [RootDatabase<Buffer, Buffer>, Tables, DirectoryLabel] {
    const readOnly = this.#dialect === undefined;
    const root = openFile(this.#dir, readOnly, this.#durability);
    try {
      const label = readLabel(this.#dir, root);
      if (this.#dialect === undefined) {
        if (!label) throw foreign(this.#dir, 'it is empty');
        return [root, openTables(root), label];
      }
      if (label) refuseOtherDialect(this.#dir, label, this.#dialect);
      else syncDirectory(this.#dir);
      const newest = newLabel(this.#dialect, label?.uid ?? randomUUID());
      // One transaction: a crash leaves a directory that is ours or one that is unused, nothing between.
      const tables = root.transactionSync(() => {
        const opened = openTables(root);
        this.#isOlder ||= label !== undefined && label.format !== newest.format;
        if (label?.format !== newest.format)
          opened.meta.putSync(LABEL_KEY, Buffer.from(JSON.stringify(newest)));
        return opened;
      });
      return [root, tables, newest];
    } catch (error) {
      void root.close();
      throw error;
    }
  }

  #read(): Reading {
    this.#root.resetReadTxn();
    const reading = new Reading(this.#root.useReadTransaction(), this.#tables, () =>
      this.#readings.delete(reading),
    );
    this.#readings.add(reading);
    return reading;
  }

  async #closeAll(): Promise<void> {
    for (const reading of this.#readings) reading.end();
    await this.#root.close();
  }
}

/** One state of the file, shared by all who read it. */
export class Reading {
  readonly state: State;
  readonly #transaction: Transaction;
  readonly #tables: Tables;
  readonly #ended: () => void;
  /** One is the environment's own, while this is the newest. */
  #holders = 1;
  #options: { readonly transaction: Transaction } | undefined;

  constructor(transaction: Transaction, tables: Tables, ended: () => void) {
    this.#transaction = transaction;
    this.#tables = tables;
    this.#ended = ended;
    this.#options = { transaction };
    this.state = readState(tables.meta.get('state', this.#options));
  }

  get tables(): Tables {
    return this.#tables;
  }

  /** What makes a read of a table see this state. */
  get options(): { readonly transaction: Transaction } {
    if (!this.#options) throw new StorageUnavailable('this state of the store can no longer be read');
    return this.#options;
  }

  hold(): void {
    this.#holders++;
  }

  release(): void {
    if (--this.#holders === 0) this.end();
  }

  /** Ends it for all holders. */
  end(): void {
    if (!this.#options) return;
    this.#options = undefined;
    this.#transaction.done();
    this.#ended();
  }
}

function openFile(dir: string, readOnly: boolean, durability: Durability): RootDatabase<Buffer, Buffer> {
  preflight(dir);
  const options = {
    path: dir,
    noSubdir: false,
    readOnly,
    // A commit is visible to readers only after it is on disk, where it must be on disk. With overlapping, lmdb would wait for
    // that even at the end of a transaction that is told not to.
    overlappingSync: false,
    noSync: durability === 'copy',
    // Transactions begin and end where we say.
    eventTurnBatching: false,
    txnStartThreshold: 1,
    // Not memory but addresses. With enough of them the file is never mapped anew, so no read sees the map move.
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
    throw foreign(dir, error instanceof Error ? error.message : String(error));
  }
}
