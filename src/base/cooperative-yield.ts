// Cooperative yielding: long computations let other work of the event loop run in between.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A computation blocks the event loop for at most this long. */
const maxBlockingMs = 5;

export class CooperativeYield {
  #startedAtMs = performance.now();

  /**
   * Called before each step of a computation: returns a promise to await if the computation has blocked the event loop
   * long enough, else undefined.
   */
  next(): Promise<void> | undefined {
    return performance.now() - this.#startedAtMs < maxBlockingMs ? undefined : this.#yieldToEventLoop();
  }

  async #yieldToEventLoop(): Promise<void> {
    await nextTurn();
    this.#startedAtMs = performance.now();
  }
}

/** A computation as a generator. It yields a promise to pause until the promise settles. */
export type CooperativeTask<T> = Generator<Promise<unknown>, T, void>;

/** Runs a computation that never pauses because it got no CooperativeYield. */
export function runTaskSync<T>(task: CooperativeTask<T>): T {
  const { done, value } = task.next();
  if (!done) throw new Error('synchronous work must not yield');
  return value;
}

/** Runs a computation. Returns synchronously if it never pauses. */
export function runTask<T>(task: CooperativeTask<T>): T | Promise<T> {
  const { done, value } = task.next();
  return done ? value : continueTask(task, value);
}

async function continueTask<T>(task: CooperativeTask<T>, firstPause: Promise<unknown>): Promise<T> {
  for (let pause = firstPause; ; ) {
    await pause;
    const { done, value } = task.next();
    if (done) return value;
    pause = value;
  }
}
