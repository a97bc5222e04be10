/** Where the server's time comes from. A test moves it; nothing in src/ asks the system directly. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since some moment. It goes on evenly when somebody sets the clock: by this one tells how long something takes. */
  elapsed(): number;
  /** Runs `callback` once, `ms` from now on this clock. Returns a function that calls it off. */
  after(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, callback) {
    // A timer of this server never keeps the process alive by itself: the listeners do.
    const timer = setTimeout(callback, Math.min(ms, 0x7fffffff)).unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Runs `callback` again and again, `ms` after each time. Where the clock is moved ahead by many such times at once, it is run
 * once: a test may move a server by a year. Returns a function that calls it off.
 */
export function every(clock: Clock, ms: number, callback: () => void): () => void {
  let stop = () => {};
  let isOver = false;
  const begin = () => {
    if (isOver) return;
    stop = clock.after(ms, () => {
      // Only once the clock stands still again.
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

/** A clock that follows the system's until it is moved: `advance` jumps ahead and runs what fell due on the way, in order. */
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

  /** Moves the clock ahead by `ms`. */
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
