import { type Cached, RunCache } from '../../store/lists/runs-cache.ts';
import type { EncodedRun } from '../../store/lists/runs-encoded.ts';

/** The objects of a run, one after the other in another form. */
interface Encoded extends Cached {
  readonly id: string;
  /** Undefined once it had to make room. */
  bytes: Buffer | undefined;
  readonly ends: Uint32Array;
}

/**
 * Runs of lists in a form that takes a while to make, kept for the next list as long as there is room. A run never
 * changes: where an object does, another run takes its place, and what was made of this one makes room in time.
 */
export class EncodedItems {
  readonly #runs = new WeakMap<EncodedRun, Encoded>();
  readonly #cache: RunCache;

  constructor(maxBytes = 64 * 1024 * 1024) {
    this.#cache = new RunCache(maxBytes);
  }

  get bytes(): number {
    return this.#cache.bytes;
  }

  /** The objects [from, to) of the run, if it is at hand in this form. */
  find(run: EncodedRun, id: string, from: number, to: number): Buffer | undefined {
    const encoded = this.#runs.get(run);
    if (encoded?.bytes === undefined || encoded.id !== id) return undefined;
    this.#cache.touch(encoded);
    return encoded.bytes.subarray(from === 0 ? 0 : encoded.ends[from - 1]!, encoded.ends[to - 1]!);
  }

  /** Keeps all objects of a run, and gives up others for that. */
  keep(run: EncodedRun, id: string, items: readonly Buffer[]): void {
    const before = this.#runs.get(run);
    if (before) this.#cache.remove(before);
    const ends = new Uint32Array(items.length);
    let end = 0;
    for (let i = 0; i < items.length; i++) {
      end += items[i]!.length;
      ends[i] = end;
    }
    const encoded: Encoded = {
      id,
      bytes: Buffer.concat(items, end),
      ends,
      slot: -1,
      weight: 0,
      readAt: 0,
      drop() {
        this.bytes = undefined;
      },
    };
    this.#runs.set(run, encoded);
    this.#cache.keep(encoded, end + ends.byteLength);
  }
}
