// The encoded Protobuf items of a run (neighbouring objects of a list) in one buffer, as EncodedChunkCache keeps them.
import type { CachedRun } from './encoded-chunk-cache.ts';

export class JoinedItems implements CachedRun {
  readonly #bytes: Buffer;
  /** Offset of the end of each item. */
  readonly #ends: Uint32Array;

  constructor(items: readonly Buffer[]) {
    this.#ends = new Uint32Array(items.length);
    let end = 0;
    for (let i = 0; i < items.length; i++) {
      end += items[i]!.length;
      this.#ends[i] = end;
    }
    this.#bytes = Buffer.concat(items, end);
  }

  get weight(): number {
    return this.#bytes.length + this.#ends.byteLength;
  }

  /** The items [from, to), at least one. */
  slice(from: number, to: number): Buffer {
    return this.#bytes.subarray(from === 0 ? 0 : this.#ends[from - 1]!, this.#ends[to - 1]!);
  }
}
