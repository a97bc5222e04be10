/**
 * Crash safety of a replica of etcd, whose data file is written without fsync.
 *
 * Data handed to the kernel survives the process. A machine crash loses part of it, in no order. A state file
 * therefore records the id of the machine's boot during which the data file is being written, or that the data file has
 * been synced.
 *
 * Invariant: a data file that was written during an earlier boot and not synced is never opened.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DATA_FILE, LOCK_FILE, SYNC_STATE_FILE, syncDirectory } from './directory.ts';

/** The content of the state file after the data file has been synced; otherwise it is a boot id. */
const FLUSHED = 'flushed';

/** Called before the data file is opened. Removes it if it may be damaged. */
export function beginUnflushed(dir: string): void {
  const boot = bootId();
  const stateFile = join(dir, SYNC_STATE_FILE);
  const recorded = existsSync(stateFile) ? readFileSync(stateFile, 'utf8') : '';
  const isOfThisBoot = boot !== '' && recorded === boot;
  if (recorded !== FLUSHED && !isOfThisBoot) {
    for (const file of [DATA_FILE, LOCK_FILE]) rmSync(join(dir, file), { force: true });
  }
  writeSyncState(dir, boot);
}

/** Called after the data file is closed. */
export function endUnflushed(dir: string): void {
  flush(join(dir, DATA_FILE));
  writeSyncState(dir, FLUSHED);
}

function writeSyncState(dir: string, text: string): void {
  const descriptor = openSync(join(dir, SYNC_STATE_FILE), 'w', 0o600);
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
