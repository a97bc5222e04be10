/**
 * Eviction of encoded runs (the buffers of neighbouring objects that lists are served from): keeps their total size
 * below a bound.
 *
 * Approximate LRU: samples a few runs at random and evicts the least recently read. Unlike strict LRU this still
 * keeps part of a collection that is larger than the bound and is listed repeatedly.
 */

export interface CacheEntry {
  /** Index in the cache's table; -1 if not cached. */
  slot: number;
  /** Approximate memory use, in bytes. */
  weight: number;
  /** When the entry was last read, as a count of reads. */
  lastRead: number;
  /** Frees the bytes. */
  drop(): void;
}

/** Number of entries that are compared for one eviction. */
const SAMPLES = 6;

export class RunCache {
  readonly #maxBytes: number;
  readonly #entries: CacheEntry[] = [];
  #bytes = 0;
  /** Number of reads so far: the clock of `lastRead`. */
  #reads = 0;
  #randomState = 1;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Adds the entry, or updates its weight. Evicts entries, possibly this one, while the cache is too large. */
  addOrUpdate(entry: CacheEntry, weight: number): void {
    if (entry.slot === -1) {
      entry.slot = this.#entries.push(entry) - 1;
      entry.weight = 0;
      this.touch(entry);
    }
    this.#bytes += weight - entry.weight;
    entry.weight = weight;
    while (this.#bytes > this.#maxBytes && this.#entries.length > 0) this.#evictOne();
  }

  /** Marks the entry as just read. */
  touch(entry: CacheEntry): void {
    entry.lastRead = ++this.#reads;
  }

  /** Does nothing if the entry is not cached. */
  remove(entry: CacheEntry): void {
    if (entry.slot === -1) return;
    this.#bytes -= entry.weight;
    // Moves the last entry into the free slot.
    const last = this.#entries.pop()!;
    if (last !== entry) {
      this.#entries[entry.slot] = last;
      last.slot = entry.slot;
    }
    entry.slot = -1;
  }

  #evictOne(): void {
    let oldest = this.#randomEntry();
    for (let i = 1; i < SAMPLES; i++) {
      const candidate = this.#randomEntry();
      if (candidate.lastRead < oldest.lastRead) oldest = candidate;
    }
    this.remove(oldest);
    oldest.drop();
  }

  #randomEntry(): CacheEntry {
    // Linear congruential generator: it must be cheap and uncorrelated with the order of lists.
    this.#randomState = (Math.imul(this.#randomState, 1103515245) + 12345) >>> 0;
    return this.#entries[(this.#randomState >>> 8) % this.#entries.length]!;
  }
}
