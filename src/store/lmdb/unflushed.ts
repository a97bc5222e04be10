/**
 * Whether a file can be believed that was written without waiting for the disk. What a process has handed to the kernel
 * outlives the process; but when the machine goes down, some of it is lost and some is not, in no order. So a mark beside
 * the file says under which start of the machine it is being written, or that all of it is on disk.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_FILE, LOCK_FILE, syncDirectory, UNFLUSHED_MARK } from './directory.ts';

const FLUSHED = 'flushed';

/** Before the file is opened. It is removed if it may be torn. */
export function beginUnflushed(dir: string): void {
  const start = machineStart();
  const mark = join(dir, UNFLUSHED_MARK);
  const written = existsSync(mark) ? readFileSync(mark, 'utf8') : '';
  if (written !== FLUSHED && (written !== start || start === '')) {
    for (const file of [DATA_FILE, LOCK_FILE]) rmSync(join(dir, file), { force: true });
  }
  writeMark(dir, start);
}

/** Once it is closed. */
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

/** Differs from one start of the machine to the next; empty where that cannot be told. */
function machineStart(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
