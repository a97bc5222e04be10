/** Copies a data directory, also while a server uses it. The copy is one state, and holds no unused space. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DATA_FILE, DataDirectoryError, requireDirectory } from './directory.ts';
import { Environment } from './environment.ts';

/** `target` is made, or must be empty. It can then be served, checked and looked at like the original. */
export async function backup(dir: string, target: string): Promise<void> {
  requireDirectory(dir);
  await mkdir(target, { recursive: true, mode: 0o700 });
  if ((await readdir(target)).length > 0) {
    throw new DataDirectoryError(`${target} is not empty; choose an empty or a new directory for the backup`);
  }
  const environment = Environment.openForReading(dir);
  try {
    await environment.root.backup(target, true);
  } catch (error) {
    // Half a copy must not be taken for a whole one.
    await rm(join(target, DATA_FILE), { force: true });
    throw new DataDirectoryError(`cannot write the backup to ${target}: ${error}`, { cause: error });
  } finally {
    await environment.close();
  }
}
