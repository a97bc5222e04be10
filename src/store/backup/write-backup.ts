import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Revision } from '../store.ts';
import { type BackedUp, BackupError, writeEnd, writeEntry, writeHeader } from './format.ts';

/** One state of a store. */
export interface BackupSource {
  readonly dialect: string;
  readonly revision: Revision;
  /** All that is in it, in the order of the keys' bytes. */
  objects(): AsyncIterable<BackedUp> | Iterable<BackedUp>;
}

/** Hears how many objects have been done. */
export type OnProgress = (objects: number) => void;

/** So much is written at a time. */
const CHUNK_BYTES = 1024 * 1024;

/** Makes the file, which must not be there yet; it appears under its name when it is whole. Resolves with how many objects it has. */
export async function writeBackup(
  file: string,
  source: BackupSource,
  onProgress: OnProgress,
): Promise<number> {
  await refuseTaken(file);
  const unfinished = `${file}.unfinished`;
  try {
    await rm(unfinished, { force: true });
    // What is in it is secret.
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      const objects = await writeAll(handle, source, onProgress);
      await handle.sync();
      await refuseTaken(file);
      await rename(unfinished, file);
      await syncFolder(dirname(file));
      return objects;
    } finally {
      await handle.close();
    }
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function refuseTaken(file: string): Promise<void> {
  try {
    await (await open(file, 'r')).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  throw new BackupError(`${file} already exists; choose another name, or remove it`);
}

async function writeAll(handle: FileHandle, source: BackupSource, onProgress: OnProgress): Promise<number> {
  const { dialect, revision } = source;
  const hash = createHash('sha256');
  let waiting: Buffer[] = [];
  let bytes = 0;
  let objects = 0;
  const put = (piece: Buffer) => {
    waiting.push(piece);
    bytes += piece.length;
  };
  const flush = async () => {
    const chunk = Buffer.concat(waiting, bytes);
    [waiting, bytes] = [[], 0];
    hash.update(chunk);
    await handle.writeFile(chunk);
  };
  put(Buffer.from(writeHeader({ dialect, revision, takenAt: new Date().toISOString() })));
  for await (const each of source.objects()) {
    put(Buffer.from(writeEntry(each)));
    put(each.object.json);
    put(newline);
    objects++;
    if (bytes < CHUNK_BYTES) continue;
    await flush();
    onProgress(objects);
  }
  await flush();
  await handle.writeFile(writeEnd({ objects, sha256: hash.digest('hex') }));
  return objects;
}

const newline = Buffer.from('\n');

/** Makes the name of a new file durable. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
}
