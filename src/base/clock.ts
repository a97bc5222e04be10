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

/**
 * A clock that follows the base clock until it is moved or frozen. `advance` fires timers that fall due on the way, in order.
 */
export class MovableClock implements Clock {
  readonly #base: Clock;
  readonly #timers = new Set<MovableTimer>();
  /** Added to the monotonic time of the base clock. */
  #offsetMs = 0;
  /** The wall clock time minus the monotonic time. */
  #wallOffsetMs: number;
  /** The monotonic time of the base clock when this one was frozen. */
  #frozenAtMs: number | undefined;

  constructor(base: Clock = systemClock) {
    this.#base = base;
    this.#wallOffsetMs = base.now() - base.elapsed();
  }

  /** It follows the monotonic time: a timer for a wall clock time fires when `now` has reached it. */
  now(): number {
    return Math.round(this.elapsed() + this.#wallOffsetMs);
  }

  elapsed(): number {
    return (this.#frozenAtMs ?? this.#base.elapsed()) + this.#offsetMs;
  }

  after(ms: number, callback: () => void): () => void {
    const timer: MovableTimer = { dueMs: this.elapsed() + ms, callback, cancelBase: () => {} };
    this.#timers.add(timer);
    this.#scheduleOnBase(timer);
    return () => {
      timer.cancelBase();
      this.#timers.delete(timer);
    };
  }

  advance(ms: number): void {
    const targetMs = this.elapsed() + ms;
    for (;;) {
      const earliest = [...this.#timers]
        .filter((timer) => timer.dueMs <= targetMs)
        .sort((a, b) => a.dueMs - b.dueMs)[0];
      if (!earliest) break;
      this.#offsetMs += Math.max(0, earliest.dueMs - this.elapsed());
      this.#fire(earliest);
    }
    this.#offsetMs += Math.max(0, targetMs - this.elapsed());
    for (const timer of this.#timers) this.#scheduleOnBase(timer);
  }

  /** Sets the wall clock time. A later time is reached as by `advance`; an earlier one fires no timers and delays none. */
  set(time: Date | string | number): void {
    const ms = new Date(time).getTime();
    if (Number.isNaN(ms)) throw new RangeError(`${JSON.stringify(time)} is not a time`);
    this.advance(Math.max(0, ms - this.now()));
    this.#wallOffsetMs = ms - this.elapsed();
  }

  /** Stops the time until `resume`. `advance` and `set` still move it. */
  freeze(): void {
    this.#frozenAtMs ??= this.#base.elapsed();
    for (const timer of this.#timers) timer.cancelBase();
  }

  /** A clock with the same time, without timers, that moves independently. */
  fork(): MovableClock {
    const fork = new MovableClock(this.#base);
    fork.#offsetMs = this.#offsetMs;
    fork.#wallOffsetMs = this.#wallOffsetMs;
    fork.#frozenAtMs = this.#frozenAtMs;
    return fork;
  }

  /** Lets the time go on from where it stands. */
  resume(): void {
    if (this.#frozenAtMs === undefined) return;
    this.#offsetMs -= this.#base.elapsed() - this.#frozenAtMs;
    this.#frozenAtMs = undefined;
    for (const timer of this.#timers) this.#scheduleOnBase(timer);
  }

  #scheduleOnBase(timer: MovableTimer): void {
    timer.cancelBase();
    if (this.#frozenAtMs !== undefined) return;
    const delayMs = Math.max(0, timer.dueMs - this.elapsed());
    timer.cancelBase = this.#base.after(delayMs, () => this.#fire(timer));
  }

  #fire(timer: MovableTimer): void {
    if (!this.#timers.delete(timer)) return;
    timer.cancelBase();
    timer.callback();
  }
}

interface MovableTimer {
  /** Of `elapsed`. */
  readonly dueMs: number;
  readonly callback: () => void;
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
