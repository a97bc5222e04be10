/**
 * Ownership of a data directory: one process at a time may write to it.
 *
 * The owner is the process named by the entry `owner.N` with the highest N. An entry is a dangling symbolic link whose
 * target is the owner: it is created atomically and needs no disk space. Taking ownership means creating the next
 * entry, which only one process can do. A release creates the next entry with the target `free`.
 *
 * Invariant: the highest entry is never removed, so no number is reused.
 */
import {
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** A process, distinguished from a later one with the same pid by its start time. */
interface OwnerProcess {
  readonly pid: number;
  readonly started: string;
}

/** The target of an entry without an owner. */
const FREE = 'free';

export function isOwnerFile(name: string): boolean {
  return parseEntryNumber(name) > 0;
}

/** The pid of the current owner; undefined if no running process owns the directory. */
export function findOwnerPid(dir: string): number | undefined {
  return livingOwnerPid(dir, highestNumber(dir));
}

/** Takes ownership and returns the release function, or returns the pid of the current owner. */
export function takeOwnership(dir: string): { readonly release: () => void } | { readonly heldBy: number } {
  for (;;) {
    const lastNumber = highestNumber(dir);
    const heldBy = livingOwnerPid(dir, lastNumber);
    if (heldBy !== undefined) return { heldBy };
    const number = lastNumber + 1;
    // Another process may create the same entry first.
    if (!createEntry(dir, number, `${process.pid}.${readStartTime(process.pid) ?? ''}`)) continue;
    if (highestNumber(dir) === number) {
      removeBelow(dir, number);
      return { release: () => release(dir, number) };
    }
    // The number was free because its owner has come and gone: another process already has a higher one.
    rmSync(ownerFile(dir, number), { force: true });
  }
}

function release(dir: string, number: number): void {
  createEntry(dir, number + 1, FREE);
  removeBelow(dir, number + 1);
}

function removeBelow(dir: string, number: number): void {
  for (const name of readdirSync(dir)) {
    const entryNumber = parseEntryNumber(name);
    if (entryNumber > 0 && entryNumber < number) rmSync(join(dir, name), { force: true });
  }
}

/** Returns false if the entry already exists. */
function createEntry(dir: string, number: number, owner: string): boolean {
  const file = ownerFile(dir, number);
  try {
    // Symbolic links need a privilege on Windows, so a file is used there.
    if (process.platform === 'win32') writeFileSync(file, owner, { flag: 'wx' });
    else symlinkSync(owner, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The pid of the process that the entry names, if it is still running. */
function livingOwnerPid(dir: string, number: number): number | undefined {
  const owner = number === 0 ? undefined : readOwner(ownerFile(dir, number));
  return owner && readStartTime(owner.pid) === owner.started ? owner.pid : undefined;
}

function readOwner(file: string): OwnerProcess | undefined {
  try {
    const text = lstatSync(file).isSymbolicLink() ? readlinkSync(file) : readFileSync(file, 'utf8');
    const [, pid, started] = /^(\d+)\.(.*)$/.exec(text) ?? [];
    return pid === undefined || started === undefined ? undefined : { pid: Number(pid), started };
  } catch (error) {
    // The entry was removed because a higher one exists now.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function ownerFile(dir: string, number: number): string {
  return join(dir, `owner.${number}`);
}

/** 0 if there is no entry. */
function highestNumber(dir: string): number {
  return Math.max(0, ...readdirSync(dir).map(parseEntryNumber));
}

/** The N of `owner.N`; 0 for other names. */
function parseEntryNumber(name: string): number {
  return Number(/^owner\.(\d+)$/.exec(name)?.[1] ?? 0);
}

/**
 * The start time of a process, in a platform-specific unit; undefined if there is no such process; '' if unavailable.
 */
function readStartTime(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The command name in parentheses may contain anything; the state and the numeric fields follow the last ')'.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A zombie or dead process.
      if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
      return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8)}-${fields[19]}`;
    } catch (error) {
      // Reading the stat of a process that is exiting fails with ESRCH.
      if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    }
  }
  try {
    process.kill(pid, 0);
    return '';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? '' : undefined;
  }
}
