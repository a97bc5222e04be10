// The clock of the server, timers on it, and its time as metav1.Time. Tests replace the clock: components get a Clock
// instead of reading the system time.
export interface Clock {
  /** Wall clock time in milliseconds since the Unix epoch. */
  now(): number;
  /** Monotonic time in milliseconds, to measure durations. */
  elapsed(): number;
  /** Calls `callback` once after `ms`. Returns a function that cancels the timer. */
  after(ms: number, callback: () => void): () => void;
}

/** setTimeout calls back at once for a longer time. */
const maxTimeoutMs = 0x7fffffff;

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, callback) {
    // Timers do not keep the process alive; listeners do.
    const timer = setTimeout(callback, Math.min(ms, maxTimeoutMs)).unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Calls `callback` periodically. If a test advances the clock by many intervals at once, it is called only once.
 * Returns a function that cancels the timer.
 */
export function every(clock: Clock, ms: number, callback: () => void): () => void {
  let cancelTimer = () => {};
  let isStopped = false;
  const schedule = () => {
    if (isStopped) return;
    cancelTimer = clock.after(ms, () => {
      // `advance` is synchronous: a timer that is scheduled in a microtask fires at the next `advance` at the earliest.
      queueMicrotask(schedule);
      callback();
    });
  };
  schedule();
  return () => {
    isStopped = true;
    cancelTimer();
  };
}

/** An item of a DeadlineQueue. */
interface TimedItem {
  /** When its time started, of `Clock.elapsed`. */
  readonly receivedMonotonicMs: number;
}

/** Expires items by age. All have the same timeout, so one timer, for the oldest, serves all. */
export class DeadlineQueue<T extends TimedItem> {
  /** Oldest first. */
  readonly #items = new Set<T>();
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #expire: (item: T) => void;
  /** Cancels the timer; undefined while there is none. */
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock, timeoutMs: number, expire: (item: T) => void) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#expire = expire;
  }

  /** Adds an item that is younger than all others. */
  add(item: T): void {
    this.#items.add(item);
    if (this.#cancelTimer === undefined) this.#startTimer(item);
  }

  /** Removes an item before its deadline. The timer stays: it then finds that nothing is due. */
  remove(item: T): void {
    this.#items.delete(item);
  }

  close(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#items.clear();
  }

  #startTimer(oldest: T): void {
    this.#cancelTimer = this.#clock.after(
      oldest.receivedMonotonicMs + this.#timeoutMs - this.#clock.elapsed(),
      () => this.#expireDue(),
    );
  }

  /** Expires the items that are due, and starts the timer for the oldest of the others. */
  #expireDue(): void {
    this.#cancelTimer = undefined;
    for (const item of this.#items) {
      if (item.receivedMonotonicMs + this.#timeoutMs > this.#clock.elapsed()) {
        this.#startTimer(item);
        return;
      }
      this.#items.delete(item);
      this.#expire(item);
    }
  }
}

/** A fake clock for tests: it follows the base clock, and `advance` steps it ahead and fires due timers in order. */
export class MovableClock implements Clock {
  #offset = 0;
  readonly #base: Clock;
  readonly #timers = new Set<ManualTimer>();

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
    const timer: ManualTimer = { dueMs: this.now() + ms, callback, cancelBase: () => {} };
    timer.cancelBase = this.#base.after(ms, () => this.#fire(timer));
    this.#timers.add(timer);
    return () => {
      timer.cancelBase();
      this.#timers.delete(timer);
    };
  }

  advance(ms: number): void {
    const targetMs = this.now() + ms;
    for (;;) {
      const earliest = [...this.#timers]
        .filter((timer) => timer.dueMs <= targetMs)
        .sort((a, b) => a.dueMs - b.dueMs)[0];
      if (!earliest) break;
      this.#offset += Math.max(0, earliest.dueMs - this.now());
      this.#fire(earliest);
    }
    this.#offset += Math.max(0, targetMs - this.now());
    for (const timer of this.#timers) {
      timer.cancelBase();
      timer.cancelBase = this.#base.after(Math.max(0, timer.dueMs - this.now()), () => this.#fire(timer));
    }
  }

  #fire(timer: ManualTimer): void {
    if (!this.#timers.delete(timer)) return;
    timer.cancelBase();
    timer.callback();
  }
}

interface ManualTimer {
  dueMs: number;
  callback: () => void;
  /** Cancels the timer of the base clock. */
  cancelBase: () => void;
}

/** The timestamp that was formatted last: most objects that are written in a burst share a second. */
let lastFormatted = { second: Number.NaN, text: '' };

/** The current time as objects carry it (metav1.Time): RFC 3339 in UTC, whole seconds. */
export function timestamp(clock: Clock): string {
  const second = Math.floor(clock.now() / 1000);
  if (lastFormatted.second !== second) lastFormatted = { second, text: formatTimestamp(second * 1000) };
  return lastFormatted.text;
}

const formatTimestamp = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

export function addSeconds(timestamp: string, seconds: number): string {
  return formatTimestamp(Date.parse(timestamp) + seconds * 1000);
}
