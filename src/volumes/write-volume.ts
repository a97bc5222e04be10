// Writes a volume atomically, as the kubelet's AtomicWriter does.
import { chmod, mkdir, readdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { VolumeFile } from './volume-files.ts';

const dataLinkName = '..data';

/**
 * Writes all files into a new timestamped directory, then atomically renames the link `..data` to it. Readers see the
 * old files or the new ones, never a mix.
 */
export async function writeVolume(folder: string, files: readonly VolumeFile[], now: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const previous = await readlink(join(folder, dataLinkName)).catch(() => undefined);
  const timestampedName = await unusedName(
    folder,
    `..${new Date(now).toISOString().replace(/[-:.TZ]/g, '_')}`,
  );
  await mkdir(join(folder, timestampedName));
  for (const { path, mode, content } of files) {
    const file = join(folder, timestampedName, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    // The umask of the process applies to the mode of writeFile, but not to chmod.
    await chmod(file, mode);
  }
  const temporaryLink = join(folder, '..data_tmp');
  await rm(temporaryLink, { force: true });
  await symlink(timestampedName, temporaryLink);
  await rename(temporaryLink, join(folder, dataLinkName));
  await updateTopLevelLinks(folder, new Set(files.map(({ path }) => path.split('/')[0]!)));
  if (previous?.startsWith('..')) await rm(join(folder, previous), { recursive: true, force: true });
}

async function unusedName(folder: string, preferred: string): Promise<string> {
  const taken = new Set(await readdir(folder));
  for (let n = 0; ; n++) {
    const name = n === 0 ? preferred : `${preferred}${n}`;
    if (!taken.has(name)) return name;
  }
}

/** Links each top-level path through `..data`, and removes links to paths that are gone. */
async function updateTopLevelLinks(folder: string, names: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const isStale = entry.isSymbolicLink() && !entry.name.startsWith('..') && !names.has(entry.name);
    if (isStale) await rm(join(folder, entry.name));
  }
  for (const name of names) {
    const target = join(dataLinkName, name);
    const existing = await readlink(join(folder, name)).catch(() => undefined);
    if (existing === target) continue;
    await symlink(target, join(folder, name));
  }
}
