import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds for which one piece of work may keep all others waiting. */
const longest = 5;

/** Lets others have their turn in work that is done piece by piece. */
export class CooperativeYield {
  #since = performance.now();

  /** To be awaited before each piece, where it is not undefined. */
  next(): Promise<void> | undefined {
    return performance.now() - this.#since < longest ? undefined : this.#pass();
  }

  async #pass(): Promise<void> {
    await nextTurn();
    this.#since = performance.now();
  }
}

/** Work that stops now and then: for others to have their turn, or for something that it waits for. */
export type Work<T> = Generator<Promise<unknown>, T, void>;

/** Does all of the work at once. It must have been given no turns, so that it never stops. */
export function atOnce<T>(work: Work<T>): T {
  const { done, value } = work.next();
  if (!done) throw new Error('synchronous work must not yield');
  return value;
}

/** Does all of the work. Answers at once where it never stops. */
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
