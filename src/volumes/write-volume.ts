// Writes a volume atomically, as the kubelet's AtomicWriter does.
import { chmod, mkdir, readdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { VolumeFile } from './volume-files.ts';

const current = '..data';

/**
 * All files of a state are in a directory of their own, to which the link `..data` points. Readers see the old state
 * or the new one, never a mix.
 */
export async function writeVolume(folder: string, files: readonly VolumeFile[], now: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const before = await readlink(join(folder, current)).catch(() => undefined);
  const state = await freeName(folder, `..${new Date(now).toISOString().replace(/[-:.TZ]/g, '_')}`);
  await mkdir(join(folder, state));
  for (const { path, mode, content } of files) {
    const file = join(folder, state, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    // chmod, as the umask of the process applies to the mode of writeFile.
    await chmod(file, mode);
  }
  const pending = join(folder, '..data_tmp');
  await rm(pending, { force: true });
  await symlink(state, pending);
  await rename(pending, join(folder, current));
  await link(folder, new Set(files.map(({ path }) => path.split('/')[0]!)));
  if (before?.startsWith('..')) await rm(join(folder, before), { recursive: true, force: true });
}

async function freeName(folder: string, wanted: string): Promise<string> {
  const taken = new Set(await readdir(folder));
  for (let n = 0; ; n++) {
    const name = n === 0 ? wanted : `${wanted}${n}`;
    if (!taken.has(name)) return name;
  }
}

/** Links the first path segments, and removes dangling links of the previous state. */
async function link(folder: string, names: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const isStale = entry.isSymbolicLink() && !entry.name.startsWith('..') && !names.has(entry.name);
    if (isStale) await rm(join(folder, entry.name));
  }
  for (const name of names) {
    const target = join(current, name);
    const standing = await readlink(join(folder, name)).catch(() => undefined);
    if (standing === target) continue;
    await symlink(target, join(folder, name));
  }
}
