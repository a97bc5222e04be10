import { chmod, mkdir, readdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { VolumeFile } from './volume-files.ts';

const current = '..data';

/**
 * Writes a volume into a folder as a node does: all files of one state in a folder of their own, to which `..data` points, and
 * links to what is in it. A reader sees the old state or the new one, never some of each.
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
    // The bits are those asked for, whatever this process leaves out by default.
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

/** A link for each first step of a path; those of the last state that lead nowhere now are removed. */
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
