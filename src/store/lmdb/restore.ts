/**
 * Restores a backup into a data directory.
 *
 * The new data file is written to a subdirectory and renamed once it is complete and durable: until then the
 * directory is unchanged. Objects keep their revisions, which still identify the same states. New revisions start far
 * above all that a client may have seen, and all history before is compacted.
 */
import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BackedUpObject, toDraft } from '../backup/format.ts';
import { type Backup, readObjects } from '../backup/read-backup.ts';
import { type RestoreOptions, type RestoreResult, revisionAfterRestore } from '../backup/restore-options.ts';
import type { Revision } from '../store.ts';
import {
  DATA_FILE,
  DataDirectoryError,
  LOCK_FILE,
  lockDirectory,
  RESTORING,
  syncDirectory,
} from './directory.ts';
import { LmdbEnvironment } from './environment.ts';
import { encodeRecord } from './record.ts';
import { expiryKey, type Tables, writeState } from './tables.ts';

/** Limits of a transaction. */
const MAX_OBJECTS = 1_000;
const MAX_BYTES = 8 * 1024 * 1024;

export async function restoreDirectory(
  backup: Backup,
  dir: string,
  { force, onProgress }: RestoreOptions,
): Promise<RestoreResult> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const release = lockDirectory(dir);
  try {
    const isUsed = existsSync(join(dir, DATA_FILE));
    if (isUsed && !force) {
      throw new DataDirectoryError(
        `${dir} already contains data, which would be deleted; choose an empty or new directory, or add --force`,
      );
    }
    const revision = revisionAfterRestore(backup.revision, isUsed ? await lastRevision(dir) : 0);
    const stagingDir = join(dir, RESTORING);
    await rm(stagingDir, { recursive: true, force: true });
    await mkdir(stagingDir, { mode: 0o700 });
    await fill(stagingDir, backup, revision, onProgress);
    // Processes that still read the old file must not share lock.mdb with users of the new one.
    await rm(join(dir, LOCK_FILE), { force: true });
    await rename(join(stagingDir, DATA_FILE), join(dir, DATA_FILE));
    syncDirectory(dir);
    await rm(stagingDir, { recursive: true, force: true });
    return { objects: backup.objects, revision };
  } finally {
    release();
  }
}

/** The last revision of the existing data; 0 if the file is unreadable, which may be the reason for the restore. */
async function lastRevision(dir: string): Promise<Revision> {
  try {
    const environment = LmdbEnvironment.openForReading(dir);
    const { revision } = environment.snapshot.state;
    await environment.close();
    return revision;
  } catch (error) {
    if (error instanceof DataDirectoryError) return 0;
    throw error;
  }
}

async function fill(
  dir: string,
  backup: Backup,
  revision: Revision,
  onProgress: RestoreOptions['onProgress'],
): Promise<void> {
  const environment = LmdbEnvironment.open(dir, backup.dialect);
  try {
    let pending: BackedUpObject[] = [];
    let bytes = 0;
    let objects = 0;
    const write = async () => {
      const batch = pending;
      [pending, bytes] = [[], 0];
      await environment.write((tables) => {
        for (const backedUp of batch) put(tables, backedUp);
      });
      objects += batch.length;
      onProgress(objects);
    };
    for await (const backedUp of readObjects(backup)) {
      pending.push(backedUp);
      bytes += backedUp.object.json.length;
      if (pending.length >= MAX_OBJECTS || bytes >= MAX_BYTES) await write();
    }
    await write();
    await environment.write((tables) => {
      tables.meta.put('state', writeState({ revision, compacted: revision, objects }));
    });
  } finally {
    await environment.close();
  }
  const handle = await open(join(dir, DATA_FILE), 'r+');
  await handle.sync();
  await handle.close();
}

function put(tables: Tables, { prefix, object }: BackedUpObject): void {
  const { key, revision, expiresAtMs } = object;
  tables.objects.put(key, encodeRecord(prefix, toDraft(object), revision));
  if (expiresAtMs !== undefined) tables.expiries.put(expiryKey(expiresAtMs, key), Buffer.from(prefix));
}
