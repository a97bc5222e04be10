// The latest acknowledged revision, in memory that all serving threads share.
import type { Revision } from '../store.ts';

export class AcknowledgedRevision {
  readonly buffer: SharedArrayBuffer;
  readonly #revision: BigUint64Array;

  constructor(buffer = new SharedArrayBuffer(8)) {
    this.buffer = buffer;
    this.#revision = new BigUint64Array(buffer);
  }

  get value(): Revision {
    return Number(Atomics.load(this.#revision, 0));
  }

  /** Called by the host only. */
  set value(revision: Revision) {
    Atomics.store(this.#revision, 0, BigInt(revision));
  }
}
