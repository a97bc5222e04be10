/**
 * Content of a run (a buffer of neighbouring objects): its encoded bytes, plus patches, the changes that are not merged
 * into them yet.
 *
 * Invariants:
 * - The objects of a content that a page has captured never change: a later change creates a new content.
 * - Changes are merged when a list reads the run, never during a write.
 */
import type { EncodedRun } from './encoded-run.ts';
import type { RunSource } from './listed-object.ts';
import { patchRun } from './run-writer.ts';

/** After this many changes without a read, the run is evicted instead of patched. */
const MAX_PATCHES = 128;
/** Approximate memory of a patch beside its key and JSON, in bytes. */
const PATCH_OVERHEAD_BYTES = 100;

export class RunContent {
  #run: EncodedRun;
  /** The new state of each changed key; null if it was deleted. */
  #patches: Map<string, RunSource | null> | undefined;
  #patchBytes = 0;
  #captured = false;

  constructor(run: EncodedRun) {
    this.#run = run;
  }

  /** Approximate memory use, in bytes. */
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
  withChange(key: string, object: RunSource | null, maxBytes: number): RunContent | undefined {
    const patches = this.#patches;
    const patchBytes = this.#patchBytes + (object?.json.length ?? 0) + key.length + PATCH_OVERHEAD_BYTES;
    if ((patches && patches.size >= MAX_PATCHES) || this.#run.bytes.length + patchBytes > maxBytes) {
      return undefined;
    }
    const next = this.#captured ? new RunContent(this.#run) : this;
    if (next !== this || !patches) next.#patches = new Map(patches);
    next.#patches!.set(key, object);
    next.#patchBytes = patchBytes;
    return next;
  }

  /** Merges all patches into the bytes, and returns them. */
  mergePatches(): EncodedRun {
    if (this.#patches) {
      this.#run = patchRun(this.#run, this.#patches);
      this.#patches = undefined;
      this.#patchBytes = 0;
    }
    return this.#run;
  }
}
