/**
 * One process at a time may write to a data directory. Who does is told by the file `owner.N`: the owner is named in
 * the one with the highest number. It is taken by linking a finished file to the next number, which only one process
 * can do, and never given back by removing the highest, so that a number is never taken twice.
 */
import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A process, told apart from a later one with the same id. `pid` 0: it has let go of the directory. */
interface Owner {
  readonly pid: number;
  readonly started: string;
}

const free: Owner = { pid: 0, started: '' };

export function isOwnerFile(name: string): boolean {
  return /^owner\.(\d+|new-.+)$/.test(name);
}

/** The process that has the directory now. */
export function ownerOf(dir: string): number | undefined {
  const number = highest(dir);
  const owner = number === 0 ? free : readOwner(ownerFile(dir, number));
  return isAlive(owner) ? owner.pid : undefined;
}

/** Takes the directory for this process and returns how to let go of it, or the process that has it. */
export function takeOwnership(dir: string): { readonly release: () => void } | { readonly heldBy: number } {
  const draft = join(dir, `owner.new-${process.pid}-${Math.random().toString(36).slice(2)}`);
  writeFileSync(draft, JSON.stringify({ pid: process.pid, started: startOf(process.pid) ?? '' }));
  try {
    for (;;) {
      const heldBy = ownerOf(dir);
      if (heldBy !== undefined) return { heldBy };
      const number = highest(dir) + 1;
      if (!linked(draft, ownerFile(dir, number))) continue;
      if (highest(dir) === number) {
        removeBelow(dir, number);
        return { release: () => release(dir, number) };
      }
      // The number was free only because its owner had come and gone: somebody is further already.
      rmSync(ownerFile(dir, number), { force: true });
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

function release(dir: string, number: number): void {
  writeFileSync(ownerFile(dir, number), JSON.stringify(free));
}

function removeBelow(dir: string, number: number): void {
  for (const name of readdirSync(dir)) {
    const other = numberOf(name);
    if (other > 0 && other < number) rmSync(join(dir, name), { force: true });
  }
}

function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function ownerFile(dir: string, number: number): string {
  return join(dir, `owner.${number}`);
}

function highest(dir: string): number {
  return Math.max(0, ...readdirSync(dir).map(numberOf));
}

function numberOf(name: string): number {
  return Number(/^owner\.(\d+)$/.exec(name)?.[1] ?? 0);
}

function readOwner(file: string): Owner {
  try {
    const owner: Partial<Owner> = JSON.parse(readFileSync(file, 'utf8'));
    return { pid: owner.pid ?? 0, started: owner.started ?? '' };
  } catch {
    return free;
  }
}

function isAlive(owner: Owner): boolean {
  if (owner.pid === 0) return false;
  const started = startOf(owner.pid);
  return started !== undefined && started === owner.started;
}

/** When the process was started, in some unit; undefined if there is no such process; '' where that is not told. */
function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name in parentheses may contain anything; the state and the numbers follow the last one.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
      return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
    } catch (error) {
      // A process that ends while it is read answers ESRCH.
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
