/**
 * Content of a run: its encoded bytes, plus patches, the changes that are not merged into them yet.
 *
 * Invariants:
 * - A content that was captured by a page never changes: a later change creates a new content.
 * - Changes are merged when a list reads the run, never during a write.
 */
import type { EncodedRun } from './runs-encoded.ts';
import type { RunSource } from './runs-object.ts';
import { patchRun } from './runs-writer.ts';

/** After this many changes without a read, the run is evicted instead of patched. */
const MAX_PATCHES = 128;
/** Approximate memory of a patch beside its key and JSON, in bytes. */
const PATCH_OVERHEAD = 100;

export class RunBuffer {
  #run: EncodedRun;
  #patches: Map<string, RunSource | null> | undefined;
  #patchBytes = 0;
  #captured = false;

  constructor(run: EncodedRun) {
    this.#run = run;
  }

  get weight(): number {
    return this.#run.weight + this.#patchBytes;
  }

  /** Marks the content as shared with a page (copy-on-write from now on). */
  capture(): this {
    this.#captured = true;
    return this;
  }

  /**
   * The content after one object was created, updated or (null) deleted. Undefined if it would exceed `maxBytes` or
   * have too many patches: the caller then evicts the run.
   */
  change(key: string, item: RunSource | null, maxBytes: number): RunBuffer | undefined {
    const patches = this.#patches;
    const patchBytes = this.#patchBytes + (item?.json.length ?? 0) + key.length + PATCH_OVERHEAD;
    if ((patches && patches.size >= MAX_PATCHES) || this.#run.bytes.length + patchBytes > maxBytes) {
      return undefined;
    }
    const next = this.#captured ? new RunBuffer(this.#run) : this;
    if (next !== this || !patches) next.#patches = new Map(patches);
    next.#patches!.set(key, item);
    next.#patchBytes = patchBytes;
    return next;
  }

  /** The run with all patches merged. */
  encoded(): EncodedRun {
    if (this.#patches) {
      this.#run = patchRun(this.#run, this.#patches);
      this.#patches = undefined;
      this.#patchBytes = 0;
    }
    return this.#run;
  }
}
