// Expiry of objects (TTL) in the memory store: an ordered index of expiry times with one timer.
import type { Clock } from '../../base/clock.ts';
import { OrderedMap } from './ordered-map.ts';

/** Keys ordered by expiry time. */
export type ExpiryIndex = OrderedMap<{ readonly expiresAtMs: number; readonly key: string }>;

/** Calls `onExpired` for every key once its expiry time has passed. */
export class Expiries {
  readonly #clock: Clock;
  readonly #onExpired: (key: string) => void;
  #timetable: ExpiryIndex = OrderedMap.empty();
  #timer: { readonly dueMs: number; readonly cancel: () => void } | undefined;

  constructor(clock: Clock, onExpired: (key: string) => void) {
    this.#clock = clock;
    this.#onExpired = onExpired;
  }

  get timetable(): ExpiryIndex {
    return this.#timetable;
  }

  /** Replaces all expiry times. */
  restart(timetable: ExpiryIndex): void {
    this.#timetable = timetable;
    this.#resetTimer();
  }

  add(expiresAtMs: number, key: string): void {
    this.#timetable = this.#timetable.with(indexKey(expiresAtMs, key), { expiresAtMs, key });
    if (!this.#timer || expiresAtMs < this.#timer.dueMs) this.#resetTimer();
  }

  remove(expiresAtMs: number, key: string): void {
    this.#timetable = this.#timetable.without(indexKey(expiresAtMs, key));
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #resetTimer(): void {
    this.stop();
    const { value: first } = this.#timetable.range('').next();
    if (!first) return;
    const dueMs = first.expiresAtMs;
    const cancel = this.#clock.after(Math.max(0, dueMs - this.#clock.now()), () => this.#sweep());
    this.#timer = { dueMs, cancel };
  }

  /** The timetable is immutable: the loop is not affected by removals. */
  #sweep(): void {
    this.#timer = undefined;
    let expired = 0;
    for (const { expiresAtMs, key } of this.#timetable.range('')) {
      if (expiresAtMs > this.#clock.now() || expired === MAX_PER_SWEEP) break;
      expired++;
      this.remove(expiresAtMs, key);
      this.#onExpired(key);
    }
    this.#resetTimer();
  }
}

/** Bounds the work per event loop turn; the rest is swept in the next one. */
const MAX_PER_SWEEP = 1_000;

/** Padded, so that the order of the texts is the order of the times. */
export function indexKey(expiresAtMs: number, key: string): string {
  return `${String(Math.max(0, Math.ceil(expiresAtMs))).padStart(16, '0')}/${key}`;
}
