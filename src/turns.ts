import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds for which one piece of work may keep all others waiting. */
const longest = 5;

/** Lets others have their turn in work that is done piece by piece. */
export class Turns {
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
