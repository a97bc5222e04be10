// Writes a backup file (format.ts), which appears under its name only once it is complete and durable.
import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Revision } from '../store.ts';
import { type BackedUpObject, BackupError, formatEnd, formatEntry, formatHeader } from './format.ts';

/** A snapshot of a store. */
export interface BackupSource {
  readonly dialect: string;
  readonly revision: Revision;
  /** All objects, in byte order of their keys. */
  objects(): AsyncIterable<BackedUpObject> | Iterable<BackedUpObject>;
}

/** Called with the number of objects processed so far. */
export type OnProgress = (objects: number) => void;

/** Bytes per write. */
const CHUNK_BYTES = 1024 * 1024;

/**
 * Creates the file, which must not exist yet. It is renamed to its final name once it is complete. Resolves with the
 * number of objects.
 */
export async function writeBackup(
  file: string,
  source: BackupSource,
  onProgress: OnProgress,
): Promise<number> {
  await assertAbsent(file);
  const temporaryFile = `${file}.unfinished`;
  try {
    await rm(temporaryFile, { force: true });
    // Backups contain Secrets.
    const handle = await open(temporaryFile, 'wx', 0o600);
    try {
      const objects = await writeAll(handle, source, onProgress);
      await handle.sync();
      // The rename would replace a file that was created meanwhile.
      await assertAbsent(file);
      await rename(temporaryFile, file);
      await syncDirectory(dirname(file));
      return objects;
    } finally {
      await handle.close();
    }
  } catch (error) {
    await rm(temporaryFile, { force: true });
    throw error;
  }
}

async function assertAbsent(file: string): Promise<void> {
  try {
    await (await open(file, 'r')).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  throw new BackupError(`${file} already exists; choose another name, or remove it`);
}

/** Writes header, objects and end. Resolves with the number of objects. */
async function writeAll(handle: FileHandle, source: BackupSource, onProgress: OnProgress): Promise<number> {
  const { dialect, revision } = source;
  const hash = createHash('sha256');
  let buffered: Buffer[] = [];
  let bytes = 0;
  let objects = 0;
  const append = (part: Buffer) => {
    buffered.push(part);
    bytes += part.length;
  };
  const flush = async () => {
    const chunk = Buffer.concat(buffered, bytes);
    buffered = [];
    bytes = 0;
    hash.update(chunk);
    await handle.writeFile(chunk);
  };
  append(Buffer.from(formatHeader({ dialect, revision, takenAt: new Date().toISOString() })));
  for await (const backedUp of source.objects()) {
    append(Buffer.from(formatEntry(backedUp)));
    append(backedUp.object.json);
    append(newline);
    objects++;
    if (bytes < CHUNK_BYTES) continue;
    await flush();
    onProgress(objects);
  }
  await flush();
  // The last line is not part of the digest.
  await handle.writeFile(formatEnd({ objects, sha256: hash.digest('hex') }));
  return objects;
}

const newline = Buffer.from('\n');

/** Makes the directory entry of a new file durable. */
async function syncDirectory(dir: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(dir, 'r');
  await handle.sync();
  await handle.close();
}
