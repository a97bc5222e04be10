// The memory of the servers that a test program has started: all processes below it.
import { readdirSync, readFileSync } from 'node:fs';

const sampleMs = 200;

/**
 * Samples until `stop`, which returns the peak in bytes, and ends processes that a crashed test program has left behind. Pages that
 * several processes share count once.
 */
export class ServerMemory {
  readonly #root: number;
  /** The command lines of the processes, by id. */
  readonly #processes = new Map<number, string>();
  readonly #timer: NodeJS.Timeout;
  #peak = 0;

  constructor(root: number) {
    this.#root = root;
    this.#timer = setInterval(() => this.#sample(), sampleMs);
  }

  stop(): number {
    clearInterval(this.#timer);
    for (const [pid, command] of this.#processes) {
      // The id may belong to another process by now.
      if (command !== '' && commandOf(pid) === command) process.kill(pid, 'SIGKILL');
    }
    return this.#peak;
  }

  #sample(): void {
    const pids = descendantsOf(this.#root);
    for (const pid of pids) this.#processes.set(pid, commandOf(pid));
    const bytes = pids.reduce((sum, pid) => sum + proportionalSize(pid), 0);
    this.#peak = Math.max(this.#peak, bytes);
  }
}

function descendantsOf(root: number): number[] {
  const childrenOf = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(Number(name));
    if (parent === undefined) continue;
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), Number(name)]);
  }
  const found: number[] = [];
  for (let next = childrenOf.get(root) ?? []; next.length > 0; ) {
    found.push(...next);
    next = next.flatMap((pid) => childrenOf.get(pid) ?? []);
  }
  return found;
}

/** Undefined for a process that has ended. */
function parentOf(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The name of the program is in parentheses and may contain spaces.
  const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  return parent === undefined ? undefined : Number(parent);
}

const proportionalSize = (pid: number) =>
  Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * 1024;

const commandOf = (pid: number) => read(`/proc/${pid}/cmdline`);

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
