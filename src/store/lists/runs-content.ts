/**
 * The objects of a run at one moment: encoded bytes, and the changes since that are not worked into them yet.
 *
 * Invariants:
 * - Once captured by a page it stands for the same state for ever: a change makes a new content.
 * - Changes are worked in when somebody reads the run, never on the way of a write.
 */
import type { EncodedRun } from './runs-encoded.ts';
import type { RunSource } from './runs-object.ts';

/** So many changes without a reader, and the run is not worth following. */
const MAX_PATCHES = 128;

export class RunContent {
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

  /** The content a page may keep. */
  capture(): this {
    this.#captured = true;
    return this;
  }

  /** The content with one object created, updated or (null) deleted. Nothing when it outgrows `maxBytes`. */
  change(key: string, item: RunSource | null, maxBytes: number): RunContent | undefined {
    const patches = this.#patches;
    const patchBytes = this.#patchBytes + (item?.json.length ?? 0) + key.length + PATCH_OVERHEAD;
    if ((patches && patches.size >= MAX_PATCHES) || this.#run.bytes.length + patchBytes > maxBytes) {
      return undefined;
    }
    const next = this.#captured ? new RunContent(this.#run) : this;
    if (next !== this || !patches) next.#patches = new Map(patches);
    next.#patches!.set(key, item);
    next.#patchBytes = patchBytes;
    return next;
  }

  encoded(): EncodedRun {
    if (this.#patches) {
      this.#run = this.#run.patched(this.#patches);
      this.#patches = undefined;
      this.#patchBytes = 0;
    }
    return this.#run;
  }
}

const PATCH_OVERHEAD = 100;
