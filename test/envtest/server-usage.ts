// The memory and processor time of the servers that a test program has started: all processes below it.
import { readdirSync, readFileSync } from 'node:fs';

const sampleMs = 200;

/**
 * Samples until `stop`, which returns the peak in bytes and the processor time, and ends processes that a crashed test program has left
 * behind. Pages that several processes share count once.
 */
export class ServerUsage {
  readonly #root: number;
  /** The command lines of the processes, by id. */
  readonly #processes = new Map<number, string>();
  readonly #timer: NodeJS.Timeout;
  /** Processor time by process, in milliseconds. */
  readonly #processorMs = new Map<number, number>();
  #peak = 0;

  constructor(root: number) {
    this.#root = root;
    this.#timer = setInterval(() => this.#sample(), sampleMs);
  }

  stop(): { readonly peakBytes: number; readonly processorMs: number } {
    clearInterval(this.#timer);
    for (const [pid, command] of this.#processes) {
      // The id may belong to another process by now.
      if (command !== '' && commandOf(pid) === command) process.kill(pid, 'SIGKILL');
    }
    const processorMs = [...this.#processorMs.values()].reduce((sum, ms) => sum + ms, 0);
    return { peakBytes: this.#peak, processorMs };
  }

  #sample(): void {
    const pids = descendantsOf(this.#root);
    for (const pid of pids) {
      this.#processes.set(pid, commandOf(pid));
      this.#processorMs.set(pid, processorMsOf(pid) ?? this.#processorMs.get(pid) ?? 0);
    }
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
  const parent = statusFields(pid)[1];
  return parent === undefined ? undefined : Number(parent);
}

/** The clock ticks of a second in /proc, on every architecture. */
const ticksPerSecond = 100;

/** Undefined for a process that has ended. */
function processorMsOf(pid: number): number | undefined {
  const [user, system] = statusFields(pid).slice(11, 13).map(Number);
  return user === undefined || system === undefined ? undefined : ((user + system) * 1000) / ticksPerSecond;
}

/** The fields of /proc/PID/stat after the name of the program, which is in parentheses and may contain spaces. */
function statusFields(pid: number): string[] {
  const stat = read(`/proc/${pid}/stat`);
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
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
