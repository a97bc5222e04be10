import type { Clock } from '../../clock.ts';
import { OrderedMap } from './ordered-map.ts';

/** Keys by the time they fall due. */
export type Timetable = OrderedMap<{ readonly at: number; readonly key: string }>;

/** Calls out every key in the timetable once its time has come. */
export class Expiries {
  readonly #clock: Clock;
  readonly #due: (key: string) => void;
  #timetable: Timetable = OrderedMap.empty();
  #alarm: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(clock: Clock, due: (key: string) => void) {
    this.#clock = clock;
    this.#due = due;
  }

  get timetable(): Timetable {
    return this.#timetable;
  }

  restart(timetable: Timetable): void {
    this.#timetable = timetable;
    this.#setAlarm();
  }

  add(at: number, key: string): void {
    this.#timetable = this.#timetable.with(place(at, key), { at, key });
    if (!this.#alarm || at < this.#alarm.at) this.#setAlarm();
  }

  remove(at: number, key: string): void {
    this.#timetable = this.#timetable.without(place(at, key));
  }

  stop(): void {
    this.#alarm?.cancel();
    this.#alarm = undefined;
  }

  #setAlarm(): void {
    this.stop();
    const { value: first } = this.#timetable.range('').next();
    if (!first) return;
    const cancel = this.#clock.after(Math.max(0, first.at - this.#clock.now()), () => this.#sweep());
    this.#alarm = { at: first.at, cancel };
  }

  #sweep(): void {
    this.#alarm = undefined;
    let left = MAX_PER_SWEEP;
    for (const { at, key } of this.#timetable.range('')) {
      if (at > this.#clock.now() || left-- === 0) break;
      this.remove(at, key);
      this.#due(key);
    }
    this.#setAlarm();
  }
}

/** More wait for the next turn of the event loop. */
const MAX_PER_SWEEP = 1_000;

function place(at: number, key: string): string {
  return `${String(Math.max(0, Math.ceil(at))).padStart(16, '0')}/${key}`;
}
