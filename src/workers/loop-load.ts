// Event loop utilization of the serving thread, measured on demand.
import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/** Length of a measurement. */
const windowMs = 100;
/** The event loop utilization from which the thread counts as busy. */
const minBusyUtilization = 0.7;

/** Measures the current thread on demand, without a timer. */
export class LoopLoad {
  #windowStart = performance.now();
  #windowUtilization: EventLoopUtilization = performance.eventLoopUtilization();
  /** Consecutive windows in which the thread was busy. */
  #busyWindows = 0;

  /** Returns the number of consecutive busy windows up to now; 0 if the last one was not busy. */
  countBusyWindows(): number {
    const now = performance.now();
    if (now - this.#windowStart < windowMs) return this.#busyWindows;
    const { utilization } = performance.eventLoopUtilization(this.#windowUtilization);
    this.#busyWindows = utilization >= minBusyUtilization ? this.#busyWindows + 1 : 0;
    this.#windowUtilization = performance.eventLoopUtilization();
    this.#windowStart = now;
    return this.#busyWindows;
  }
}
