/**
 * What must be so before LMDB is asked to open a directory. Its binding does not survive an open that fails, and a
 * page of the lock file that cannot be allocated kills the process: both are looked at, or seen to, first.
 */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { DATA_FILE, DataDirectoryError, foreign, LOCK_FILE } from './directory.ts';

/** States that can be held at once, by all processes. */
export const MAX_READERS = 2_000;
/** A reader has a cache line of its own; what comes before the readers fits into one page. */
const LOCK_BYTES = 4_096 + MAX_READERS * 64;

const MAGIC = 0xbeefc0de;
const VERSION = 2;
const MAGIC_AT = 24;

/** Throws DataDirectoryError if LMDB could not open the directory. */
export function preflight(dir: string): void {
  try {
    fs.accessSync(dir, fs.constants.R_OK | fs.constants.W_OK);
    const lock = join(dir, LOCK_FILE);
    if (!fs.existsSync(lock)) allocate(lock);
    for (const file of [lock, join(dir, DATA_FILE)].filter(fs.existsSync)) {
      fs.accessSync(file, fs.constants.R_OK | fs.constants.W_OK);
      if (!fs.statSync(file).isFile()) throw foreign(dir, `${file} is not a file`);
    }
  } catch (error) {
    throw asDirectoryError(dir, error);
  }
  if (!isDatabase(join(dir, DATA_FILE))) throw foreign(dir, `its ${DATA_FILE} is not a database`);
}

export function asDirectoryError(dir: string, error: unknown): DataDirectoryError {
  if (error instanceof DataDirectoryError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new DataDirectoryError(`cannot use the data directory ${dir}: ${reason}`, { cause: error });
}

/** LMDB would leave holes in the file, which are filled by a fault that cannot be answered when the disk is full. */
function allocate(lock: string): void {
  try {
    fs.writeFileSync(lock, Buffer.alloc(LOCK_BYTES), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    fs.rmSync(lock, { force: true });
    throw error;
  }
}

/** A file that is not there, or empty, will become one. */
function isDatabase(file: string): boolean {
  if (!fs.existsSync(file) || fs.statSync(file).size === 0) return true;
  const start = Buffer.alloc(MAGIC_AT + 8);
  const descriptor = fs.openSync(file, 'r');
  fs.readSync(descriptor, start, 0, start.length, 0);
  fs.closeSync(descriptor);
  return start.readUInt32LE(MAGIC_AT) === MAGIC && start.readUInt32LE(MAGIC_AT + 4) === VERSION;
}

/** Addresses to set aside for the file: as many as it may ever need, unless the process is allowed few. */
export function mapBytes(): number {
  const wanted = 2 ** 38;
  if (process.platform !== 'linux') return wanted;
  const limit = /^Max address space +(\d+)/m.exec(fs.readFileSync('/proc/self/limits', 'utf8'))?.[1];
  return limit === undefined ? wanted : Math.min(wanted, 2 ** Math.floor(Math.log2(Number(limit) / 4)));
}
