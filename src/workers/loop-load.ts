// Event loop utilization of the current thread, measured on demand: decides whether writes are offloaded to worker threads.
import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/** Minimum length of a window. */
const minWindowMs = 100;
/** The event loop utilization from which the thread counts as busy. */
const minBusyUtilization = 0.7;

/** Measures in windows of at least 100 ms. There is no timer: a window ends with the first call after its time. */
export class LoopLoad {
  #windowStartMs = performance.now();
  /** The utilization counters at the start of the window. */
  #utilizationAtStart: EventLoopUtilization = performance.eventLoopUtilization();
  /** Consecutive windows in which the thread was busy. */
  #busyWindows = 0;

  /** Returns the number of consecutive busy windows up to now; 0 if the last one was not busy. */
  countBusyWindows(): number {
    const now = performance.now();
    if (now - this.#windowStartMs < minWindowMs) return this.#busyWindows;
    const { utilization } = performance.eventLoopUtilization(this.#utilizationAtStart);
    this.#busyWindows = utilization >= minBusyUtilization ? this.#busyWindows + 1 : 0;
    this.#utilizationAtStart = performance.eventLoopUtilization();
    this.#windowStartMs = now;
    return this.#busyWindows;
  }
}
