// Event loop utilization of the serving thread, measured on demand.
import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/** How long a look at the thread lasts, in milliseconds. */
const windowMs = 100;
/** From this share of it on the thread counts as busy. */
const minBusyUtilization = 0.7;

/** Whether this thread has had little rest lately. It is looked at when asked, and not by a timer. */
export class LoopLoad {
  #since = performance.now();
  #before: EventLoopUtilization = performance.eventLoopUtilization();
  /** For how many looks in a row the thread has been busy. */
  #looks = 0;

  /** For how many tenths of a second in a row the thread has been busy; 0 if it was not in the last. */
  measure(): number {
    const now = performance.now();
    if (now - this.#since < windowMs) return this.#looks;
    const { utilization } = performance.eventLoopUtilization(this.#before);
    this.#looks = utilization >= minBusyUtilization ? this.#looks + 1 : 0;
    this.#before = performance.eventLoopUtilization();
    this.#since = now;
    return this.#looks;
  }
}
