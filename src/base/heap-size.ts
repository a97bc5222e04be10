// Keeps the heap of V8 small: it is collected before it has grown much, and when the server becomes idle.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const checkIntervalMs = 5_000;
/** Below this share of a core the process is idle. */
const idleShare = 0.03;
/** CPU time since the last collection below which another one is not worthwhile. */
const minCpuMicroseconds = 1_000_000;

/** In percent of what the last collection left. V8 would let the heap grow fourfold. */
const heapGrowth = 50;

/**
 * The pause of a collection grows with the garbage: HTTP/2 streams that clients reset by the thousand need 150 ms after
 * fourfold growth.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${heapGrowth}`);
}

/**
 * V8 collects only when it needs space, so an idle process would keep the garbage of its last burst. Returns a function
 * that ends the periodic check.
 */
export function returnMemoryWhenIdle(): () => void {
  let previousCpuMicroseconds = cpuMicroseconds();
  let cpuMicrosecondsSinceCollection = 0;
  const timer = setInterval(() => {
    const totalMicroseconds = cpuMicroseconds();
    const usedMicroseconds = totalMicroseconds - previousCpuMicroseconds;
    previousCpuMicroseconds = totalMicroseconds;
    cpuMicrosecondsSinceCollection += usedMicroseconds;
    const isBusy = usedMicroseconds > checkIntervalMs * 1000 * idleShare;
    if (isBusy || cpuMicrosecondsSinceCollection < minCpuMicroseconds) return;
    collectGarbage();
    previousCpuMicroseconds = cpuMicroseconds();
    cpuMicrosecondsSinceCollection = 0;
  }, checkIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function collectGarbage(): void {
  // V8 has no API for this: a context created after the flag is set exposes `gc` as a global.
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options: object) => void;
  setFlagsFromString('--no-expose-gc');
  // A regular collection keeps the pages that it frees, and the space for new objects, for the next burst.
  gc({ type: 'major', flavor: 'last-resort' });
}
