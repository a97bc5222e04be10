import type { Clock } from '../../base/clock.ts';

interface Timed {
  /** By the time that passes, whatever somebody sets the clock to. */
  readonly startedMonotonicMs: number;
}

/**
 * Tells which requests have run out of time. All have the same time, so the oldest is always the next: one timer is
 * enough, and a request costs an entry in a set.
 */
export class DeadlineQueue<T extends Timed> {
  readonly #clock: Clock;
  readonly #allowed: number;
  readonly #expire: (item: T) => void;
  readonly #running = new Set<T>();
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, allowed: number, expire: (item: T) => void) {
    this.#clock = clock;
    this.#allowed = allowed;
    this.#expire = expire;
  }

  add(item: T): void {
    this.#running.add(item);
    if (this.#cancel === undefined) this.#arm(item);
  }

  delete(item: T): void {
    this.#running.delete(item);
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#running.clear();
  }

  #arm(oldest: T): void {
    this.#cancel = this.#clock.after(oldest.startedMonotonicMs + this.#allowed - this.#clock.elapsed(), () =>
      this.#check(),
    );
  }

  #check(): void {
    this.#cancel = undefined;
    for (const item of this.#running) {
      if (item.startedMonotonicMs + this.#allowed > this.#clock.elapsed()) {
        this.#arm(item);
        return;
      }
      this.#running.delete(item);
      this.#expire(item);
    }
  }
}
