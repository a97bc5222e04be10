// Audit: retention and compression of rotated log files.
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** 0 means no limit. */
export interface BackupRetention {
  readonly maxAgeDays: number;
  readonly maxBackups: number;
  readonly compress: boolean;
}

const day = 24 * 3_600_000;

interface Backup {
  readonly name: string;
  readonly at: number;
}

/** Deletes rotated files beyond the limits, and compresses the others if enabled. */
export async function pruneBackups(path: string, keeping: BackupRetention, now: number): Promise<void> {
  const { maxAgeDays, maxBackups, compress } = keeping;
  const folder = parse(path).dir || '.';
  const files = await findBackups(path, folder);
  const kept = files.filter(
    ({ at }, i) => (maxBackups === 0 || i < maxBackups) && (maxAgeDays === 0 || now - at < maxAgeDays * day),
  );
  for (const file of files) if (!kept.includes(file)) await rm(join(folder, file.name), { force: true });
  if (!compress) return;
  for (const { name } of kept) if (!name.endsWith('.gz')) await compressFile(join(folder, name));
}

/** Newest first. */
async function findBackups(path: string, folder: string): Promise<Backup[]> {
  const { name: start, ext } = parse(path);
  const found = (await readdir(folder)).flatMap((name) => {
    const bare = name.endsWith('.gz') ? name.slice(0, -3) : name;
    if (!bare.startsWith(`${start}-`) || !bare.endsWith(ext)) return [];
    const at = timeIn(bare.slice(start.length + 1, bare.length - ext.length));
    return at === undefined ? [] : [{ name, at }];
  });
  return found.sort((a, b) => b.at - a.at);
}

function timeIn(text: string): number | undefined {
  const [, date, hour, minute, second] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})$/.exec(text) ?? [];
  return date === undefined ? undefined : Date.parse(`${date}T${hour}:${minute}:${second}Z`);
}

async function compressFile(path: string): Promise<void> {
  const { createGzip } = await import('node:zlib');
  // Written under another name until complete, so that a crash leaves no partial .gz file.
  const unfinished = `${path}.gz.part`;
  await pipeline(createReadStream(path), createGzip(), createWriteStream(unfinished, { mode: 0o600 }));
  await rename(unfinished, `${path}.gz`);
  await rm(path);
}
