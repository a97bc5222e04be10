import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database, DatabaseOptions, RootDatabase } from 'lmdb';
import { isOwnerFile, takeOwnership } from './owner.ts';
import { textKeys } from './tables.ts';

/** The data directory cannot be used. The message says why and what to do. */
export class DataDirectoryError extends Error {}

export const DATA_FILE = 'data.mdb';
export const LOCK_FILE = 'lock.mdb';
/** Says whether a file that is only a copy can be believed. */
export const UNFLUSHED_MARK = 'written-under';
/** Where a backup that is being restored is written. */
export const RESTORING = 'restoring';

/** Grows with every change of what lies in the file. */
const FORMAT = 3;
/** Files of this format and later can be read, and are gone on with in the newest. */
const OLDEST_FORMAT = 2;

/** What a directory says of itself. */
export interface DirectoryLabel {
  readonly format: number;
  readonly dialect: string;
  /** Names the cluster this data belongs to, for as long as the directory lives. */
  readonly uid: string;
}

/** Makes the directory if need be. Refuses one that holds something else than our data. */
export function prepareDirectory(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (existsSync(join(dir, DATA_FILE))) return;
  const stranger = readdirSync(dir).find(
    (name) => name !== LOCK_FILE && name !== UNFLUSHED_MARK && !isOwnerFile(name),
  );
  if (stranger === RESTORING) {
    throw new DataDirectoryError(
      `an earlier restore to ${dir} did not finish; run it again, or choose another directory`,
    );
  }
  if (stranger !== undefined) throw foreign(dir, `it contains ${stranger}`);
}

/** Takes the directory for this process, and returns how to let go of it. */
export function ownDirectory(dir: string): () => void {
  const ownership = takeOwnership(dir);
  if ('release' in ownership) return ownership.release;
  throw new DataDirectoryError(
    `${dir} is in use by process ${ownership.heldBy}; stop it, or choose another directory`,
  );
}

/** Makes the directory's own entries durable: LMDB sees to the contents of its files only. */
export function syncDirectory(dir: string): void {
  if (process.platform === 'win32') return;
  for (const each of [dir, dirname(dir)]) {
    const descriptor = openSync(each, 'r');
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}

export function requireDirectory(dir: string): void {
  if (existsSync(join(dir, DATA_FILE))) return;
  throw new DataDirectoryError(`${dir} is not a data directory: it has no ${DATA_FILE}`);
}

export function foreign(dir: string, why: string): DataDirectoryError {
  return new DataDirectoryError(
    `${dir} is not a data directory of this server: ${why}; choose an empty or new directory`,
  );
}

/** The directory's label, or undefined for one that has never been used. */
export function readLabel(dir: string, root: RootDatabase<Buffer, Buffer>): DirectoryLabel | undefined {
  if (root.getKeysCount() === 0) return undefined;
  // With the same keys as ever: how a table is opened first decides how its keys are compared.
  const options: DatabaseOptions & { create: boolean } = { ...textKeys, create: false };
  const meta: Database<Buffer, string> | undefined = root.openDB<Buffer, string>('meta', options);
  const label = meta?.get(LABEL_KEY);
  if (!label) throw foreign(dir, `its ${DATA_FILE} was written by another program`);
  const read: DirectoryLabel = JSON.parse(label.toString());
  if (read.format > FORMAT || read.format < OLDEST_FORMAT) {
    const age = read.format > FORMAT ? 'a newer' : 'an older';
    throw new DataDirectoryError(
      `${dir} was written by ${age} release (format ${read.format}, this one supports ${OLDEST_FORMAT} to ${FORMAT}); ` +
        'run that release, or choose another directory',
    );
  }
  return read;
}

export const LABEL_KEY = 'directory';

export function newLabel(dialect: string, uid: string): DirectoryLabel {
  return { format: FORMAT, dialect, uid };
}

export function refuseOtherDialect(dir: string, label: DirectoryLabel, dialect: string): void {
  if (label.dialect === dialect) return;
  throw new DataDirectoryError(
    `${dir} contains data of dialect ${label.dialect}, not ${dialect}; ` +
      `start with --dialect ${label.dialect}, or choose another directory`,
  );
}
