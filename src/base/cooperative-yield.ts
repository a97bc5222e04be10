// Cooperative yielding: long computations let other work of the event loop run in between.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest time in milliseconds that a computation blocks the event loop. */
const longest = 5;

export class CooperativeYield {
  #since = performance.now();

  /** Call it before each step, and await the result unless it is undefined. */
  next(): Promise<void> | undefined {
    return performance.now() - this.#since < longest ? undefined : this.#pass();
  }

  async #pass(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
  }
}

/** A computation that pauses: to yield to the event loop, or to wait for a promise. */
export type Work<T> = Generator<Promise<unknown>, T, void>;

/** Runs a computation that never pauses, as it was created without a CooperativeYield. */
export function atOnce<T>(work: Work<T>): T {
  const { done, value } = work.next();
  if (!done) throw new Error('synchronous work must not yield');
  return value;
}

/** Runs a computation. Returns synchronously if it never pauses. */
export function carryOn<T>(work: Work<T>): T | Promise<T> {
  const { done, value } = work.next();
  return done ? value : afterStop(work, value);
}

async function afterStop<T>(work: Work<T>, stop: Promise<unknown>): Promise<T> {
  for (let waiting = stop; ; ) {
    await waiting;
    const { done, value } = work.next();
    if (done) return value;
    waiting = value;
  }
}
