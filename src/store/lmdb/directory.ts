// The data directory of the LMDB backend: its files, and its label (a record in the data file with the format version).
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database, DatabaseOptions, RootDatabase } from 'lmdb';
import { isOwnerFile, takeOwnership } from './owner.ts';
import { textKeys } from './tables.ts';

/** The data directory cannot be used. The message says why and what to do. */
export class DataDirectoryError extends Error {}

export const DATA_FILE = 'data.mdb';
export const LOCK_FILE = 'lock.mdb';
/** Records whether a replica that is written without fsync has been synced (unflushed.ts). */
export const SYNC_STATE_FILE = 'written-under';
/** Disk space that only deletions and compaction use (space.ts). */
export const RESERVE_FILE = 'reserve';
/** Subdirectory that a restore writes to before it replaces the data file. */
export const RESTORING = 'restoring';

/** Format version; incremented with every change of the file's contents. */
const FORMAT = 4;
/** The format since which records (record.ts) have not changed. */
export const RECORD_FORMAT = 3;
/**
 * Oldest format that can be read. Such a directory is relabelled on open and its records are migrated as they are
 * written.
 */
const OLDEST_FORMAT = 2;

/** Metadata of a data directory. */
export interface DirectoryLabel {
  readonly format: number;
  /** The set of API names (`--dialect`) that the stored objects use. */
  readonly dialect: string;
  /** Identifies the cluster that the data belongs to, for the lifetime of the directory. */
  readonly uid: string;
}

/** Creates the directory if necessary. Rejects a directory that contains other files. */
export function prepareDirectory(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (existsSync(join(dir, DATA_FILE))) return;
  const foreignFile = readdirSync(dir).find(
    (name) => ![LOCK_FILE, SYNC_STATE_FILE, RESERVE_FILE].includes(name) && !isOwnerFile(name),
  );
  if (foreignFile === RESTORING) {
    throw new DataDirectoryError(
      `an earlier restore to ${dir} did not finish; run it again, or choose another directory`,
    );
  }
  if (foreignFile !== undefined) throw unusableDirectory(dir, `it contains ${foreignFile}`);
}

/** Locks the directory for this process and returns the release function. Throws if another process has it locked. */
export function lockDirectory(dir: string): () => void {
  const ownership = takeOwnership(dir);
  if ('release' in ownership) return ownership.release;
  throw new DataDirectoryError(
    `${dir} is in use by process ${ownership.heldBy}; stop it, or choose another directory`,
  );
}

/** Makes the directory entries durable: LMDB only syncs file contents. */
export function syncDirectory(dir: string): void {
  if (process.platform === 'win32') return;
  for (const path of [dir, dirname(dir)]) {
    const descriptor = openSync(path, 'r');
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}

/** Throws DataDirectoryError if the directory has no data file. */
export function assertDataDirectory(dir: string): void {
  if (existsSync(join(dir, DATA_FILE))) return;
  throw new DataDirectoryError(`${dir} is not a data directory: it has no ${DATA_FILE}`);
}

export function unusableDirectory(dir: string, why: string): DataDirectoryError {
  return new DataDirectoryError(
    `${dir} is not a data directory of this server: ${why}; choose an empty or new directory`,
  );
}

/** The directory's label, or undefined if it has never been used. */
export function readLabel(dir: string, root: RootDatabase<Buffer, Buffer>): DirectoryLabel | undefined {
  if (root.getKeysCount() === 0) return undefined;
  // The key encoding must not change: the options of a table's first open determine how its keys are compared.
  const options: DatabaseOptions & { create: boolean } = { ...textKeys, create: false };
  const meta: Database<Buffer, string> | undefined = root.openDB<Buffer, string>('meta', options);
  const label = meta?.get(LABEL_KEY);
  if (!label) throw unusableDirectory(dir, `its ${DATA_FILE} was written by another program`);
  const parsed: DirectoryLabel = JSON.parse(label.toString());
  if (parsed.format > FORMAT || parsed.format < OLDEST_FORMAT) {
    const relativeAge = parsed.format > FORMAT ? 'a newer' : 'an older';
    throw new DataDirectoryError(
      `${dir} was written by ${relativeAge} release (format ${parsed.format}, this one supports ${OLDEST_FORMAT} to ${FORMAT}); ` +
        'run that release, or choose another directory',
    );
  }
  return parsed;
}

/** The key of the label in the table `meta`. */
export const LABEL_KEY = 'directory';

export function newLabel(dialect: string, uid: string): DirectoryLabel {
  return { format: FORMAT, dialect, uid };
}

export function assertSameDialect(dir: string, label: DirectoryLabel, dialect: string): void {
  if (label.dialect === dialect) return;
  throw new DataDirectoryError(
    `${dir} contains data of dialect ${label.dialect}, not ${dialect}; ` +
      `start with --dialect ${label.dialect}, or choose another directory`,
  );
}
