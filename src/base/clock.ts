// The clock of the server: tests replace it, so no other file in src/ reads the system's time.
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Monotonic time in milliseconds: use it to measure durations. */
  elapsed(): number;
  /** Calls `callback` once after `ms`. Returns a function that cancels the timer. */
  after(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, callback) {
    // Timers do not keep the process alive; listeners do.
    const timer = setTimeout(callback, Math.min(ms, 0x7fffffff)).unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Calls `callback` periodically. A clock that is advanced by many intervals at once calls it once, as tests may
 * advance by a year. Returns a function that cancels the timer.
 */
export function every(clock: Clock, ms: number, callback: () => void): () => void {
  let stop = () => {};
  let isOver = false;
  const begin = () => {
    if (isOver) return;
    stop = clock.after(ms, () => {
      // After the clock has stopped advancing.
      queueMicrotask(begin);
      callback();
    });
  };
  begin();
  return () => {
    isOver = true;
    stop();
  };
}

/**
 * A manual clock: follows the system's time, and `advance` moves it ahead and fires the timers that fall due, in
 * order.
 */
export class MovableClock implements Clock {
  #offset = 0;
  readonly #base: Clock;
  readonly #due = new Set<Alarm>();

  constructor(base: Clock = systemClock) {
    this.#base = base;
  }

  now(): number {
    return this.#base.now() + this.#offset;
  }

  elapsed(): number {
    return this.#base.elapsed() + this.#offset;
  }

  after(ms: number, callback: () => void): () => void {
    const alarm: Alarm = { at: this.now() + ms, run: callback, cancelBase: () => {} };
    alarm.cancelBase = this.#base.after(ms, () => this.#fire(alarm));
    this.#due.add(alarm);
    return () => {
      alarm.cancelBase();
      this.#due.delete(alarm);
    };
  }

  advance(ms: number): void {
    const target = this.now() + ms;
    for (;;) {
      const next = [...this.#due].filter((alarm) => alarm.at <= target).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#offset += Math.max(0, next.at - this.now());
      this.#fire(next);
    }
    this.#offset += Math.max(0, target - this.now());
    for (const alarm of this.#due) {
      alarm.cancelBase();
      alarm.cancelBase = this.#base.after(Math.max(0, alarm.at - this.now()), () => this.#fire(alarm));
    }
  }

  #fire(alarm: Alarm): void {
    if (!this.#due.delete(alarm)) return;
    alarm.cancelBase();
    alarm.run();
  }
}

interface Alarm {
  at: number;
  run: () => void;
  cancelBase: () => void;
}
