// Cache of runs of list items, encoded as Protobuf items or Table rows.
import type { ServedKind } from '../../../kind/registry.ts';
import { type CacheEntry, RunCache } from '../../../store/lists/runs-cache.ts';
import type { EncodedRun } from '../../../store/lists/runs-encoded.ts';

/** The objects of a run in a form that takes a while to make. */
export interface RunInForm {
  /** About what it takes in memory. */
  readonly weight: number;
}

interface Entry<T> extends CacheEntry {
  readonly kind: ServedKind;
  readonly form: string;
  /** Undefined once it had to make room. */
  value: T | undefined;
}

/**
 * Runs of lists in some form, kept for the next list as long as there is room. A run never changes: where an object
 * does, another run takes its place, and what was made of this one makes room in time.
 */
export class EncodedChunkCache<T extends RunInForm> {
  readonly #runs = new WeakMap<EncodedRun, Entry<T>>();
  readonly #cache: RunCache;

  constructor(maxBytes: number) {
    this.#cache = new RunCache(maxBytes);
  }

  get bytes(): number {
    return this.#cache.bytes;
  }

  /** A kind that is defined anew is another one. */
  find(run: EncodedRun, kind: ServedKind, form: string): T | undefined {
    const entry = this.#runs.get(run);
    if (entry?.kind !== kind || entry.form !== form) return undefined;
    this.#cache.touch(entry);
    return entry.value;
  }

  /** Keeps it, and gives up others for that. */
  keep(run: EncodedRun, kind: ServedKind, form: string, value: T): void {
    const before = this.#runs.get(run);
    if (before) this.#cache.remove(before);
    const entry: Entry<T> = {
      kind,
      form,
      value,
      slot: -1,
      weight: 0,
      readAt: 0,
      drop() {
        this.value = undefined;
      },
    };
    this.#runs.set(run, entry);
    this.#cache.keep(entry, value.weight);
  }
}
