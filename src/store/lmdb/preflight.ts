/**
 * Checks before LMDB opens a directory. The binding does not survive a failed open, and a page of the lock file that
 * cannot be allocated kills the process (SIGBUS), so both are prevented here.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { DATA_FILE, DataDirectoryError, LOCK_FILE, unusableDirectory } from './directory.ts';

/** Maximum number of concurrent read transactions, across all processes. */
export const MAX_READERS = 2_000;
/** Each reader slot is one cache line; the header before the slots fits into one page. */
const LOCK_BYTES = 4_096 + MAX_READERS * 64;

/** LMDB's magic number and format version in the first page of a data file, and the offset of the former. */
const MAGIC = 0xbeefc0de;
const VERSION = 2;
const MAGIC_OFFSET = 24;

/** Throws DataDirectoryError if LMDB could not open the directory. */
export function assertOpenable(dir: string): void {
  try {
    fs.accessSync(dir, fs.constants.R_OK | fs.constants.W_OK);
    const lock = join(dir, LOCK_FILE);
    if (!fs.existsSync(lock)) allocateLockFile(lock);
    for (const file of [lock, join(dir, DATA_FILE)].filter(fs.existsSync)) {
      fs.accessSync(file, fs.constants.R_OK | fs.constants.W_OK);
      if (!fs.statSync(file).isFile()) throw unusableDirectory(dir, `${file} is not a file`);
    }
  } catch (error) {
    throw toDirectoryError(dir, error);
  }
  if (!isDatabase(join(dir, DATA_FILE))) throw unusableDirectory(dir, `its ${DATA_FILE} is not a database`);
}

export function toDirectoryError(dir: string, error: unknown): DataDirectoryError {
  if (error instanceof DataDirectoryError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new DataDirectoryError(`cannot use the data directory ${dir}: ${reason}`, { cause: error });
}

/** LMDB would create a sparse file, and writing to a hole on a full disk raises SIGBUS. */
function allocateLockFile(lock: string): void {
  try {
    fs.writeFileSync(lock, Buffer.alloc(LOCK_BYTES), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    fs.rmSync(lock, { force: true });
    throw error;
  }
}

/** Whether LMDB can open the file. It initializes a missing or empty one. */
function isDatabase(file: string): boolean {
  if (!fs.existsSync(file) || fs.statSync(file).size === 0) return true;
  const header = Buffer.alloc(MAGIC_OFFSET + 8);
  const descriptor = fs.openSync(file, 'r');
  fs.readSync(descriptor, header, 0, header.length, 0);
  fs.closeSync(descriptor);
  return header.readUInt32LE(MAGIC_OFFSET) === MAGIC && header.readUInt32LE(MAGIC_OFFSET + 4) === VERSION;
}

/** Address space to reserve for the file: as much as it may ever need, unless the process limit is lower. */
export function mapBytes(): number {
  const reservedBytes = 2 ** 38;
  if (process.platform !== 'linux') return reservedBytes;
  const limit = /^Max address space +(\d+)/m.exec(fs.readFileSync('/proc/self/limits', 'utf8'))?.[1];
  if (limit === undefined) return reservedBytes;
  // The largest power of two up to a quarter of the limit.
  return Math.min(reservedBytes, 2 ** Math.floor(Math.log2(Number(limit) / 4)));
}
