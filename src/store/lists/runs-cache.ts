/**
 * Keeps the bytes of all runs below a bound by letting go of some that have not been read for long.
 *
 * It looks at a few runs at random and drops the one read longest ago: unlike a strict order of use this still
 * keeps a part of a collection that is larger than the bound and is listed over and over.
 */

export interface Cached {
  /** Its place in the cache's table; -1 when it is not there. */
  slot: number;
  weight: number;
  readAt: number;
  /** Lets go of the bytes. */
  drop(): void;
}

const SAMPLES = 6;

export class RunCache {
  readonly #maxBytes: number;
  readonly #entries: Cached[] = [];
  #bytes = 0;
  #reads = 0;
  #seed = 1;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Takes it in, or takes note of its new weight. */
  keep(entry: Cached, weight: number): void {
    if (entry.slot === -1) {
      entry.slot = this.#entries.push(entry) - 1;
      entry.weight = 0;
      this.touch(entry);
    }
    this.#bytes += weight - entry.weight;
    entry.weight = weight;
    while (this.#bytes > this.#maxBytes && this.#entries.length > 0) this.#evictOne();
  }

  touch(entry: Cached): void {
    entry.readAt = ++this.#reads;
  }

  remove(entry: Cached): void {
    if (entry.slot === -1) return;
    this.#bytes -= entry.weight;
    const last = this.#entries.pop()!;
    if (last !== entry) {
      this.#entries[entry.slot] = last;
      last.slot = entry.slot;
    }
    entry.slot = -1;
  }

  #evictOne(): void {
    let oldest = this.#any();
    for (let i = 1; i < SAMPLES; i++) {
      const other = this.#any();
      if (other.readAt < oldest.readAt) oldest = other;
    }
    this.remove(oldest);
    oldest.drop();
  }

  #any(): Cached {
    // A linear congruential step: what matters is to be cheap and not in step with the lists.
    this.#seed = (Math.imul(this.#seed, 1103515245) + 12345) >>> 0;
    return this.#entries[(this.#seed >>> 8) % this.#entries.length]!;
  }
}
