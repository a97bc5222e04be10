// Cache of the encoded runs of lists. A run is about 64 KiB of neighbouring objects of a resource (store/lists); encoded, it
// holds their Protobuf items or Table rows.
import type { ServedKind } from '../../../kind/registry.ts';
import type { EncodedRun } from '../../../store/lists/encoded-run.ts';
import { type CacheEntry, RunCache } from '../../../store/lists/run-cache.ts';

/** The encoding of a run. */
export interface CachedRun {
  /** Approximate memory in bytes. */
  readonly weight: number;
}

interface Entry<T> extends CacheEntry {
  readonly kind: ServedKind;
  readonly encoding: string;
  /** Undefined once evicted. */
  encodedRun: T | undefined;
}

/**
 * Encoded runs, up to a total size. A run has one entry: another encoding of the run replaces it. Runs are immutable: a
 * change of an object replaces its run, and the entry of the old run is evicted in time.
 */
export class EncodedChunkCache<T extends CachedRun> {
  readonly #runs = new WeakMap<EncodedRun, Entry<T>>();
  readonly #cache: RunCache;

  constructor(maxBytes: number) {
    this.#cache = new RunCache(maxBytes);
  }

  get bytes(): number {
    return this.#cache.bytes;
  }

  /** A redefined custom resource is another ServedKind, so its old entries miss. */
  get(run: EncodedRun, kind: ServedKind, encoding: string): T | undefined {
    const entry = this.#runs.get(run);
    if (entry?.kind !== kind || entry.encoding !== encoding) return undefined;
    this.#cache.touch(entry);
    return entry.encodedRun;
  }

  /** Evicts other entries if the cache is full. */
  set(run: EncodedRun, kind: ServedKind, encoding: string, encodedRun: T): void {
    const previous = this.#runs.get(run);
    if (previous) this.#cache.remove(previous);
    const entry: Entry<T> = {
      kind,
      encoding,
      encodedRun,
      slot: -1,
      weight: 0,
      lastRead: 0,
      drop() {
        this.encodedRun = undefined;
      },
    };
    this.#runs.set(run, entry);
    this.#cache.addOrUpdate(entry, encodedRun.weight);
  }
}
