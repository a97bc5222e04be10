// Caches large objects of the latest snapshot: each read from LMDB copies the object.
import type { ReadSnapshot } from './environment.ts';
import type { StoredRecord } from './record.ts';
import { readObject } from './view.ts';

/** Smaller objects are read faster than they are found to be worth caching. Bytes. */
const minObjectBytes = 64 * 1024;
const maxBytes = 8 * 1024 * 1024;

/** Invariant: the cached objects are those of one snapshot, so that every commit empties the cache. */
export class LargeObjectCache {
  #snapshot: ReadSnapshot | undefined;
  readonly #objects = new Map<string, StoredRecord>();
  #bytes = 0;

  /** The object in the latest snapshot. */
  get(snapshot: ReadSnapshot, key: string): StoredRecord | undefined {
    if (snapshot !== this.#snapshot) this.#clear(snapshot);
    const cached = this.#objects.get(key);
    if (cached) return cached;
    const object = readObject(snapshot, key);
    if (object && object.record.length >= minObjectBytes) this.#add(snapshot, object);
    return object;
  }

  #add(snapshot: ReadSnapshot, object: StoredRecord): void {
    const { length } = object.record;
    if (this.#bytes + length > maxBytes) this.#clear(snapshot);
    this.#objects.set(object.key, object);
    this.#bytes += length;
  }

  #clear(snapshot: ReadSnapshot): void {
    this.#snapshot = snapshot;
    if (this.#bytes === 0) return;
    this.#objects.clear();
    this.#bytes = 0;
  }
}
