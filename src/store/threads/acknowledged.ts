// What all serving threads know of the store, in shared memory: the latest acknowledged revision, and the generation of the data.
import type { Revision } from '../store.ts';

const cells = { revision: 0, generation: 1, count: 2 } as const;

export class AcknowledgedRevision {
  readonly buffer: SharedArrayBuffer;
  readonly #cells: BigUint64Array;

  constructor(buffer = new SharedArrayBuffer(cells.count * BigUint64Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#cells = new BigUint64Array(buffer);
  }

  get value(): Revision {
    return Number(Atomics.load(this.#cells, cells.revision));
  }

  /** Set by the host only. */
  set value(revision: Revision) {
    Atomics.store(this.#cells, cells.revision, BigInt(revision));
  }

  /** How often the contents of the file were replaced, times two. Odd while they are being replaced: the file shows neither state. */
  get generation(): number {
    return Number(Atomics.load(this.#cells, cells.generation));
  }

  get isReplacing(): boolean {
    return this.generation % 2 === 1;
  }

  /** Set by the host before it replaces the contents, and after that. */
  set isReplacing(isReplacing: boolean) {
    if (this.isReplacing !== isReplacing) Atomics.add(this.#cells, cells.generation, 1n);
  }
}
