/**
 * Crash safety of a copy that is written without fsync.
 *
 * Data handed to the kernel survives the process. A machine crash loses part of it, in no order. A mark file
 * therefore records the boot id under which the file is being written, or that it has been synced.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_FILE, LOCK_FILE, syncDirectory, UNFLUSHED_MARK } from './directory.ts';

const FLUSHED = 'flushed';

/** Called before the file is opened. Removes the file if it may be torn. */
export function beginUnflushed(dir: string): void {
  const boot = bootId();
  const mark = join(dir, UNFLUSHED_MARK);
  const written = existsSync(mark) ? readFileSync(mark, 'utf8') : '';
  if (written !== FLUSHED && (written !== boot || boot === '')) {
    for (const file of [DATA_FILE, LOCK_FILE]) rmSync(join(dir, file), { force: true });
  }
  writeMark(dir, boot);
}

/** Called after the file is closed. */
export function endUnflushed(dir: string): void {
  flush(join(dir, DATA_FILE));
  writeMark(dir, FLUSHED);
}

function writeMark(dir: string, text: string): void {
  const descriptor = openSync(join(dir, UNFLUSHED_MARK), 'w', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  syncDirectory(dir);
}

function flush(file: string): void {
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The boot id; empty if unavailable. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
