// A random source with a seed, so that a run can be repeated.

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** An integer from 0 up to and without `limit` (mulberry32). */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % limit;
  }

  /** An integer from `min` to `max`, both included. */
  between(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }

  of<T>(items: readonly T[]): T | undefined {
    return items[this.below(Math.max(1, items.length))];
  }
}
