/**
 * The disk space of a data directory, and the reserve for deletions.
 *
 * LMDB is copy-on-write: a deletion, and the compaction that frees its pages, first need new pages. The reserve is a file
 * of that size. When a transaction that may use it does not fit on the disk, the reserve file is truncated and the data
 * file extended by as much; LMDB takes new pages from there.
 *
 * Invariant: LMDB never meets a full disk. The binding overflows a buffer while it formats that error, which can crash
 * the process. Every transaction therefore has to fit without the free pages of the file: those that a snapshot still
 * reads, or that are too scattered for a large object, cannot be reused.
 */
import {
  closeSync,
  constants,
  ftruncateSync,
  lstatSync,
  openSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Database, RootDatabase } from 'lmdb';
import { StorageFull } from '../store.ts';
import { DATA_FILE, RESERVE_FILE } from './directory.ts';
import type { Tables } from './tables.ts';

/** Size of the reserve: several deletions of objects of the maximum size. */
const RESERVE_BYTES = 16 * 1024 * 1024;
/** The reserve takes at most this share of a small file system. */
const MAX_RESERVE_SHARE = 1 / 8;
/** The share of the reserve that only deletions and compaction use. */
export const DELETION_SHARE = 3 / 8;
/** The share that is left while an old snapshot is open, since nothing that is deleted then frees space. */
const SNAPSHOT_SHARE = 1 / 8;

/**
 * LMDB fills a page with as many objects as fit, less one: with the default 4,096 bytes one object of 1 KB per page,
 * with 8,192 four. 16,384 would save a sixth for objects of 1 KB, but double the size of those of 6 to 8 KB.
 */
export const PAGE_BYTES = 8_192;

/** Fixed cost of a transaction, plus headroom for other programs. */
export const SPARE_BYTES = 256 * 1024;
/**
 * Upper estimate of the cost of a change, in addition to the bytes of its records: the pages of the B-trees that it
 * modifies, and the unused ends of the pages of its records.
 */
export const CHANGE_BYTES = 28 * 1024;
/** The same for a compacted log entry. Its state is in any page of the table `versions`; the rest is in order. */
export const COMPACTED_ENTRY_BYTES = PAGE_BYTES + 1024;

/** The same for an entry of an index of labels or fields, which is in any page of its table. */
export const INDEX_ENTRY_BYTES = PAGE_BYTES + 1024;

/** Upper estimate of what a transaction needs, in addition to SPARE_BYTES. */
export interface TransactionCost {
  /** Cost of its changes. */
  readonly changesBytes: number;
  readonly compactedEntries: number;
  /** Cost of the steps of building or dropping indexes. */
  readonly indexStepsBytes: number;
  /** Whether it does more than delete, compact, and replace objects by ones of the same size. */
  readonly hasGrowth: boolean;
}

/** The open data file. */
export interface DataFile {
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly tables: Tables;
  /** Whether LMDB cannot reuse the pages that were freed last, because a view still reads them. */
  readonly hasOldSnapshot: boolean;
}

export interface SpaceUsage {
  /** Pages that contain data; the file also has free pages. */
  readonly usedBytes: number;
  /** What transactions may use without a free page of the file, the reserve included. */
  readonly availableBytes: number;
  /** What changes that grow the store may use; negative if not even the reserve is complete. */
  readonly growthBytes: number;
  /** What every transaction has to leave of `availableBytes`. */
  readonly minimumBytes: number;
  /** The part of the file after its last page: allocated on disk, but never used. */
  readonly tailBytes: number;
  /** What is left of the reserve, and its full size. */
  readonly reserveBytes: number;
  readonly reserveTarget: number;
}

export class DataFileSpace {
  readonly #dir: string;
  readonly #dataFile: string;
  readonly #reserveFile: string;
  #reserveBytes = 0;
  #reserveTarget = 0;

  constructor(dir: string) {
    this.#dir = dir;
    this.#dataFile = join(dir, DATA_FILE);
    this.#reserveFile = join(dir, RESERVE_FILE);
  }

  /** What is left of the reserve. */
  get reserveBytes(): number {
    return this.#reserveBytes;
  }

  /** Takes over the reserve of the directory, or creates it. Without a call there is no reserve. */
  openReserve(): void {
    const { blocks, bsize } = statfsSync(this.#dir);
    const share = blocks > 0 ? Math.floor(blocks * bsize * MAX_RESERVE_SHARE) : RESERVE_BYTES;
    this.#reserveTarget = Math.min(RESERVE_BYTES, share);
    this.#reserveBytes = this.#reserveFileBytes();
    this.refillReserve();
  }

  /** Restores the reserve if the disk has much more space than that. */
  refillReserve(): void {
    const missing = this.#reserveTarget - this.#reserveBytes;
    if (missing <= 0 || this.#diskBytes() < missing + this.#reserveTarget) return;
    try {
      extendFile(this.#reserveFile, missing);
    } catch {
      // Another program took the space meanwhile, or the file cannot be written: the reserve is smaller.
    }
    this.#reserveBytes = this.#reserveFileBytes();
  }

  /** Throws StorageFull if there may be too little space for the transaction. */
  prepare(file: DataFile, cost: TransactionCost): void {
    const { changesBytes, compactedEntries, indexStepsBytes, hasGrowth } = cost;
    const neededBytes =
      SPARE_BYTES + changesBytes + indexStepsBytes + compactedEntries * COMPACTED_ENTRY_BYTES;
    const diskBytes = this.#diskBytes();
    if (diskBytes >= neededBytes + this.#reserveTarget) return;
    const { availableBytes, growthBytes, minimumBytes, tailBytes } = this.usage(file);
    const grows = hasGrowth && changesBytes > growthBytes;
    if (grows || availableBytes - neededBytes < minimumBytes) throw this.fullError();
    const missing = neededBytes - diskBytes - tailBytes;
    // In large steps: what this transaction leaves is for later ones.
    if (missing > 0)
      this.#moveReserve(Math.min(this.#reserveBytes, Math.max(missing, Math.floor(this.#reserveTarget / 4))));
  }

  usage({ root, tables, hasOldSnapshot }: DataFile): SpaceUsage {
    const { free, pageSize, lastPageNumber } = root.getStats() as RootStats;
    const databases: (Database<Buffer, never> | undefined)[] = [root, ...Object.values(tables)];
    // The two meta pages of LMDB come first.
    let pages = 2 + pageCount(free);
    for (const database of databases) if (database) pages += pageCount(database.getStats());
    const usedBytes = pages * pageSize;
    const pagesBytes = (lastPageNumber + 1) * pageSize;
    const tailBytes = Math.max(0, statSync(this.#dataFile).size - pagesBytes);
    const freePagesBytes = pagesBytes - usedBytes;
    const reserveTarget = this.#reserveTarget;
    const availableBytes = this.#diskBytes() + tailBytes + this.#reserveBytes;
    // After deletions on a full disk, free pages of the file take the place of the reserve.
    const growthShareLeft = freePagesBytes >= 2 * reserveTarget ? DELETION_SHARE : 1;
    return {
      usedBytes,
      availableBytes,
      growthBytes: Math.min(
        availableBytes + freePagesBytes - reserveTarget,
        availableBytes - growthShareLeft * reserveTarget - SPARE_BYTES,
      ),
      minimumBytes: hasOldSnapshot ? SNAPSHOT_SHARE * reserveTarget : 0,
      tailBytes,
      reserveBytes: this.#reserveBytes,
      reserveTarget,
    };
  }

  fullError(): StorageFull {
    return new StorageFull(`the disk of ${this.#dir} is full; delete objects, or free disk space`);
  }

  #diskBytes(): number {
    const { blocks, bavail, bsize } = statfsSync(this.#dir);
    // Some file systems do not report their size.
    return blocks > 0 ? bavail * bsize : Number.POSITIVE_INFINITY;
  }

  #reserveFileBytes(): number {
    const file = lstatSync(this.#reserveFile, { throwIfNoEntry: false });
    return file?.isFile() ? file.size : 0;
  }

  #moveReserve(bytes: number): void {
    const descriptor = openSync(this.#reserveFile, constants.O_RDWR | constants.O_NOFOLLOW);
    try {
      ftruncateSync(descriptor, this.#reserveBytes - bytes);
    } finally {
      closeSync(descriptor);
    }
    this.#reserveBytes -= bytes;
    try {
      extendFile(this.#dataFile, bytes);
    } catch {
      // Another program took the space meanwhile.
      throw this.fullError();
    }
  }
}

/** Appends zeros, so that the file system allocates them. It may have appended some when it throws. */
function extendFile(file: string, bytes: number): void {
  const { O_WRONLY, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;
  const descriptor = openSync(file, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  try {
    const zeros = Buffer.alloc(Math.min(bytes, 1024 * 1024));
    for (let left = bytes; left > 0; ) left -= writeSync(descriptor, zeros, 0, Math.min(left, zeros.length));
  } finally {
    closeSync(descriptor);
  }
}

interface TreeStats {
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

/** The statistics that lmdb returns; it declares them as `{}`. */
interface RootStats {
  readonly pageSize: number;
  readonly lastPageNumber: number;
  readonly free: TreeStats;
}

function pageCount(stats: object): number {
  const { treeBranchPageCount, treeLeafPageCount, overflowPages } = stats as TreeStats;
  return treeBranchPageCount + treeLeafPageCount + overflowPages;
}
