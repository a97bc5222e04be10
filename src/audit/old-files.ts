import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** How long files that were put aside are kept. 0 is without limit. */
export interface Keeping {
  readonly maxAgeDays: number;
  readonly maxBackups: number;
  readonly compress: boolean;
}

const day = 24 * 3_600_000;

interface OldFile {
  readonly name: string;
  readonly at: number;
}

/** Removes files that were put aside and are too old or too many, and compresses the others if they are to be. */
export async function tidyUp(path: string, keeping: Keeping, now: number): Promise<void> {
  const { maxAgeDays, maxBackups, compress } = keeping;
  const folder = parse(path).dir || '.';
  const files = await oldFiles(path, folder);
  const kept = files.filter(
    ({ at }, i) => (maxBackups === 0 || i < maxBackups) && (maxAgeDays === 0 || now - at < maxAgeDays * day),
  );
  for (const file of files) if (!kept.includes(file)) await rm(join(folder, file.name), { force: true });
  if (!compress) return;
  for (const { name } of kept) if (!name.endsWith('.gz')) await pack(join(folder, name));
}

/** The newest first. */
async function oldFiles(path: string, folder: string): Promise<OldFile[]> {
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

async function pack(path: string): Promise<void> {
  const { createGzip } = await import('node:zlib');
  // Under another name until it is whole: what is left of a crash is not taken for it.
  const unfinished = `${path}.gz.part`;
  await pipeline(createReadStream(path), createGzip(), createWriteStream(unfinished, { mode: 0o600 }));
  await rename(unfinished, `${path}.gz`);
  await rm(path);
}
