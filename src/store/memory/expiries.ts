// Expiry of objects (TTL) in the memory store: an ordered index of expiry times with one timer.
import type { Clock } from '../../base/clock.ts';
import { OrderedMap } from './ordered-map.ts';

/** Keys ordered by expiry time. */
export type ExpiryIndex = OrderedMap<{ readonly at: number; readonly key: string }>;

/** Calls `onExpired` for every key once its expiry time has passed. */
export class Expiries {
  readonly #clock: Clock;
  readonly #onExpired: (key: string) => void;
  #timetable: ExpiryIndex = OrderedMap.empty();
  #timer: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(clock: Clock, onExpired: (key: string) => void) {
    this.#clock = clock;
    this.#onExpired = onExpired;
  }

  get timetable(): ExpiryIndex {
    return this.#timetable;
  }

  restart(timetable: ExpiryIndex): void {
    this.#timetable = timetable;
    this.#resetTimer();
  }

  add(at: number, key: string): void {
    this.#timetable = this.#timetable.with(indexKey(at, key), { at, key });
    if (!this.#timer || at < this.#timer.at) this.#resetTimer();
  }

  remove(at: number, key: string): void {
    this.#timetable = this.#timetable.without(indexKey(at, key));
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #resetTimer(): void {
    this.stop();
    const { value: first } = this.#timetable.range('').next();
    if (!first) return;
    const cancel = this.#clock.after(Math.max(0, first.at - this.#clock.now()), () => this.#sweep());
    this.#timer = { at: first.at, cancel };
  }

  #sweep(): void {
    this.#timer = undefined;
    let left = MAX_PER_SWEEP;
    for (const { at, key } of this.#timetable.range('')) {
      if (at > this.#clock.now() || left-- === 0) break;
      this.remove(at, key);
      this.#onExpired(key);
    }
    this.#resetTimer();
  }
}

/** Bounds the work per event loop turn; the rest is swept in the next one. */
const MAX_PER_SWEEP = 1_000;

function indexKey(at: number, key: string): string {
  return `${String(Math.max(0, Math.ceil(at))).padStart(16, '0')}/${key}`;
}
