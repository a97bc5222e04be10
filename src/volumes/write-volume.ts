// Writes a volume atomically, as the kubelet's AtomicWriter does. The folder may contain files and links of others:
// only directories and links whose names this file creates are replaced or removed, and no link is followed.
import { lstat, mkdir, open, readdir, readlink, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { VolumeFile } from './volume-files.ts';

const dataLinkName = '..data';
/** The directories that `writeVolume` creates: `..2026_01_31_12_00_00_000_`, and a number if that name is taken. */
const timestampedNames = /^\.\.\d{4}[\d_]+$/;

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
    await writeNewFile(file, content, mode);
  }
  const temporaryLink = join(folder, '..data_tmp');
  await rm(temporaryLink, { force: true });
  await symlink(timestampedName, temporaryLink);
  await rename(temporaryLink, join(folder, dataLinkName));
  await updateTopLevelLinks(folder, new Set(files.map(({ path }) => path.split('/')[0]!)));
  if (previous !== undefined) await removeReplaced(folder, previous);
}

/** Nobody else can read the file before it has its mode: it may contain a Secret. */
async function writeNewFile(file: string, content: Buffer, mode: number): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    // The umask of the process applies to the mode of `open`, but not to chmod.
    await handle.chmod(mode);
  } finally {
    await handle.close();
  }
}

/** Removes the directory that `..data` named before, unless another program made the link or the directory. */
async function removeReplaced(folder: string, name: string): Promise<void> {
  if (!timestampedNames.test(name)) return;
  const directory = join(folder, name);
  const isDirectory = await lstat(directory).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (isDirectory) await rm(directory, { recursive: true, force: true });
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
    if (!entry.isSymbolicLink() || names.has(entry.name)) continue;
    const target = await readlink(join(folder, entry.name));
    if (target === join(dataLinkName, entry.name)) await rm(join(folder, entry.name));
  }
  for (const name of names) {
    const target = join(dataLinkName, name);
    const existing = await readlink(join(folder, name)).catch(() => undefined);
    if (existing === target) continue;
    await symlink(target, join(folder, name));
  }
}
