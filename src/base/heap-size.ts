// Keeps the heap of V8 small: it is collected before it has grown much, and when the thread becomes idle.
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const checkIntervalMs = 1_000;
/** Below this share of the time the thread is idle. */
const idleShare = 0.03;
/** Successive idle checks before a collection, so that it does not fall into a short pause of a busy thread. */
const idleChecks = 2;
/** Busy time since the last collection below which another one is not worthwhile. */
const minBusyMs = 1_000;

/** In percent of what the last collection left. V8 would let the heap grow fourfold. */
const heapGrowth = 50;

/**
 * The pause of a collection grows with the garbage: HTTP/2 streams that clients reset by the thousand need 150 ms after
 * fourfold growth. Applies to all threads.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${heapGrowth}`);
}

/**
 * V8 collects only when it needs space, so an idle thread would keep the garbage of its last burst: every thread has a heap of its own.
 * Returns a function that ends the periodic check.
 */
export function returnMemoryWhenIdle(): () => void {
  let previous = performance.eventLoopUtilization();
  let busyMs = 0;
  let idleCount = 0;
  let collectGarbage: CollectGarbage | undefined;
  const timer = setInterval(() => {
    const current = performance.eventLoopUtilization();
    const { active } = performance.eventLoopUtilization(current, previous);
    previous = current;
    busyMs += active;
    idleCount = active > checkIntervalMs * idleShare ? 0 : idleCount + 1;
    if (idleCount < idleChecks || busyMs < minBusyMs) return;
    collectGarbage ??= exposeGc();
    // A regular collection keeps the pages that it frees, and the space for new objects, for the next burst.
    collectGarbage?.({ type: 'major', flavor: 'last-resort' });
    previous = performance.eventLoopUtilization();
    busyMs = 0;
  }, checkIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

type CollectGarbage = (options: object) => void;

/**
 * V8 has no API for this: a context created after the flag is set exposes `gc` as a global. The flag belongs to the process:
 * undefined if another thread has just cleared it.
 */
function exposeGc(): CollectGarbage | undefined {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('globalThis.gc') as CollectGarbage | undefined;
  setFlagsFromString('--no-expose-gc');
  return gc;
}
