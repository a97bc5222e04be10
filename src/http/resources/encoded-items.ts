import type { EncodedRun } from '../../store/lists/runs-encoded.ts';

/** The objects of a run, one after the other in another form. */
interface Encoded {
  readonly id: string;
  readonly bytes: Buffer;
  readonly ends: Uint32Array;
}

/**
 * Runs of lists in a form that takes a while to make, kept for the next list as long as there is room. A run never
 * changes: where an object does, another run takes its place, and this one is forgotten in time.
 */
export class EncodedItems {
  readonly #maxBytes: number;
  /** Those that were asked for last are at the end. */
  readonly #runs = new Map<EncodedRun, Encoded>();
  #bytes = 0;

  constructor(maxBytes = 64 * 1024 * 1024) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The objects [from, to) of the run, if it is at hand in this form. */
  find(run: EncodedRun, id: string, from: number, to: number): Buffer | undefined {
    const encoded = this.#runs.get(run);
    if (encoded?.id !== id) return undefined;
    this.#runs.delete(run);
    this.#runs.set(run, encoded);
    return encoded.bytes.subarray(from === 0 ? 0 : encoded.ends[from - 1]!, encoded.ends[to - 1]!);
  }

  /** Keeps all objects of a run, and gives up others for that. */
  keep(run: EncodedRun, id: string, items: readonly Buffer[]): void {
    this.#forget(run);
    const ends = new Uint32Array(items.length);
    let end = 0;
    for (let i = 0; i < items.length; i++) {
      end += items[i]!.length;
      ends[i] = end;
    }
    const weight = end + run.weight;
    if (weight > this.#maxBytes) return;
    this.#runs.set(run, { id, bytes: Buffer.concat(items, end), ends });
    this.#bytes += weight;
    for (const oldest of this.#runs.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#forget(oldest);
    }
  }

  #forget(run: EncodedRun): void {
    const encoded = this.#runs.get(run);
    if (!encoded) return;
    this.#runs.delete(run);
    // The run itself may have no other keeper.
    this.#bytes -= encoded.bytes.length + run.weight;
  }
}
