// Audit: retention and compression of rotated log files.
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Which rotated files are kept. 0 means no limit. */
export interface BackupRetention {
  readonly maxAgeDays: number;
  readonly maxBackups: number;
  /** Compresses rotated files with gzip. */
  readonly compress: boolean;
}

const dayMs = 24 * 3_600_000;

interface Backup {
  readonly name: string;
  readonly timeMs: number;
}

/** Deletes rotated files beyond the limits, and compresses the others if enabled. */
export async function pruneBackups(path: string, retention: BackupRetention, nowMs: number): Promise<void> {
  const { maxAgeDays, maxBackups, compress } = retention;
  const directory = parse(path).dir || '.';
  const backups = await findBackups(path, directory);
  const kept = backups.filter(({ timeMs }, index) => {
    const isWithinCount = maxBackups === 0 || index < maxBackups;
    const isWithinAge = maxAgeDays === 0 || nowMs - timeMs < maxAgeDays * dayMs;
    return isWithinCount && isWithinAge;
  });
  for (const backup of backups)
    if (!kept.includes(backup)) await rm(join(directory, backup.name), { force: true });
  if (!compress) return;
  for (const { name } of kept) if (!name.endsWith('.gz')) await compressFile(join(directory, name));
}

/** The rotated files of a log file, newest first. */
async function findBackups(path: string, directory: string): Promise<Backup[]> {
  const { name: baseName, ext } = parse(path);
  const backups = (await readdir(directory)).flatMap((name) => {
    const uncompressedName = name.endsWith('.gz') ? name.slice(0, -3) : name;
    if (!uncompressedName.startsWith(`${baseName}-`) || !uncompressedName.endsWith(ext)) return [];
    const timeMs = parseRotationTime(
      uncompressedName.slice(baseName.length + 1, uncompressedName.length - ext.length),
    );
    return timeMs === undefined ? [] : [{ name, timeMs }];
  });
  return backups.sort((a, b) => b.timeMs - a.timeMs);
}

/** The time in a rotated file's name, `2026-11-15T14-31-32.064`; undefined if the text is no such time. */
function parseRotationTime(text: string): number | undefined {
  const [, date, hour, minute, second] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})$/.exec(text) ?? [];
  return date === undefined ? undefined : Date.parse(`${date}T${hour}:${minute}:${second}Z`);
}

async function compressFile(path: string): Promise<void> {
  const { createGzip } = await import('node:zlib');
  // Written under another name until complete, so that a crash leaves no partial .gz file.
  const partial = `${path}.gz.part`;
  await pipeline(createReadStream(path), createGzip(), createWriteStream(partial, { mode: 0o600 }));
  await rename(partial, `${path}.gz`);
  await rm(path);
}
