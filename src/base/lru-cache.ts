// A cache that evicts the least recently used entries when their total weight, usually in bytes, exceeds a bound.

/** Approximate memory of an entry beside its key and value, in bytes. */
export const entryBytes = 100;

export interface LruCacheOptions<T> {
  readonly maxWeight: number;
  /** Called once per `set`; by default each entry weighs 1, so that `maxWeight` is their number. */
  weightOf?(value: T, key: string): number;
  /** Called for entries that are displaced by others, or too heavy to be kept. */
  onEvict?(value: T): void;
}

interface Entry<T> {
  readonly value: T;
  readonly weight: number;
}

export class LruCache<T> {
  readonly #options: LruCacheOptions<T>;
  #weight = 0;
  /** Map order: the least recently used entry comes first. */
  readonly #entries = new Map<string, Entry<T>>();

  constructor(options: LruCacheOptions<T>) {
    this.#options = options;
  }

  get weight(): number {
    return this.#weight;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  getOrCreate(key: string, create: () => T): T {
    const cached = this.get(key);
    if (cached !== undefined) return cached;
    const value = create();
    this.set(key, value);
    return value;
  }

  /** Adds or replaces a value, and weighs it. A value that exceeds the maximum weight alone is not kept. */
  set(key: string, value: T): void {
    const { maxWeight, weightOf, onEvict } = this.#options;
    this.delete(key);
    const weight = weightOf ? weightOf(value, key) : 1;
    if (weight > maxWeight) {
      onEvict?.(value);
      return;
    }
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const [oldest, entry] of this.#entries) {
      if (this.#weight <= maxWeight) return;
      this.delete(oldest);
      onEvict?.(entry.value);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }
}
