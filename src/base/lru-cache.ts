// A cache that evicts the least recently used entry.

export class LruCache<T> {
  readonly #maxEntries: number;
  /** Map order: the least recently used entry comes first. */
  readonly #entries = new Map<string, T>();

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
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
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#maxEntries) return;
    const [oldest] = this.#entries.keys();
    this.#entries.delete(oldest!);
  }

  clear(): void {
    this.#entries.clear();
  }
}
