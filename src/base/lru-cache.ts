// A cache that evicts the least recently used entry.

/** Holds entries up to a total weight; by default each weighs 1, so that it is their number. */
export class LruCache<T> {
  readonly #maxWeight: number;
  readonly #weightOf: (value: T) => number;
  #weight = 0;
  /** Map order: the least recently used entry comes first. */
  readonly #entries = new Map<string, T>();

  constructor(maxWeight: number, weightOf: (value: T) => number = () => 1) {
    this.#maxWeight = maxWeight;
    this.#weightOf = weightOf;
  }

  get(key: string): T | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  getOrCreate(key: string, create: () => T): T {
    const value = this.#entries.get(key) ?? create();
    this.set(key, value);
    return value;
  }

  set(key: string, value: T): void {
    this.#delete(key);
    this.#entries.set(key, value);
    this.#weight += this.#weightOf(value);
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#maxWeight) return;
      this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#weight -= this.#weightOf(value);
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }
}
