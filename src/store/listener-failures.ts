/**
 * Errors of the store's listeners (docs/decisions/0025-listener-errors.md).
 *
 * Invariants:
 * - An error of one listener affects neither the write, which was durable before, nor the other listeners.
 * - An index that fails on an object holds nothing of it: the object is quarantined there until its next change.
 * - Every error is reported. Without a handler it is an uncaught exception, so that tests of parts do not miss it.
 */

export interface ListenerFailure {
  readonly error: unknown;
  /** The object, or the first of several. */
  readonly key: string;
}

export class ListenerFailures {
  #handler: ((failure: ListenerFailure) => void) | undefined;
  #quarantined = 0;

  /** The number of objects that are quarantined, counted once for each index. */
  get quarantined(): number {
    return this.#quarantined;
  }

  onFailure(handler: (failure: ListenerFailure) => void): void {
    this.#handler = handler;
  }

  report(error: unknown, key: string): void {
    if (this.#handler) {
      this.#handler({ error, key });
      return;
    }
    queueMicrotask(() => {
      throw error;
    });
  }

  /** Called by an index when it quarantines or releases objects. */
  addQuarantined(count: number): void {
    this.#quarantined += count;
  }
}
