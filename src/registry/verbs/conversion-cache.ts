// Watch: caches objects converted by a conversion webhook, so that many watchers share one call.
import { digestOf } from '../../base/digest.ts';
import { entryBytes, LruCache } from '../../base/lru-cache.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { convertStates } from '../../kind/storage/convert-stored.ts';
import type { StoredObject } from '../../store/store.ts';

/** A stored state of an object, as an event contains it. */
export interface StoredState {
  readonly key: string;
  readonly json: string;
}

/** Cache size for all versions of all kinds. */
const maxCachedBytes = 16 * 1024 * 1024;

interface CachedConversion {
  readonly converted: Promise<StoredObject>;
  /** The size of the stored JSON; once it is converted, of the result. */
  readonly bytes: number;
}

export class ConversionCache {
  /** A redefined kind is another ServedResource, so its old entries are not found any more. */
  readonly #ids = new WeakMap<ServedResource, number>();
  #lastId = 0;
  /** By version of a kind and digest of the stored JSON, which includes the resourceVersion. */
  readonly #conversions = new LruCache<CachedConversion>({
    maxWeight: maxCachedBytes,
    weightOf: ({ bytes }) => bytes + entryBytes,
  });

  get bytes(): number {
    return this.#conversions.weight;
  }

  /** Converts like `convertStates`. */
  convert(resource: ServedResource, states: readonly StoredState[]): Promise<StoredObject[]> {
    const id = this.#idOf(resource);
    const results = new Map<string, Promise<StoredObject>>();
    const missing = new Map<string, StoredState>();
    const keys = states.map((state) => {
      const key = `${id} ${digestOf(state.json)}`;
      const cached = this.#conversions.get(key);
      if (cached) results.set(key, cached.converted);
      else missing.set(key, state);
      return key;
    });
    if (missing.size > 0) {
      for (const [key, converted] of this.#convertMissing(resource, missing)) results.set(key, converted);
    }
    return Promise.all(keys.map((key) => results.get(key)!));
  }

  #convertMissing(
    resource: ServedResource,
    missing: ReadonlyMap<string, StoredState>,
  ): Map<string, Promise<StoredObject>> {
    const toConvert = [...missing.values()].map(({ key, json }) => ({ key, json: Buffer.from(json) }));
    const all = convertStates(resource, toConvert);
    const results = new Map<string, Promise<StoredObject>>();
    for (const [index, [key, { json }]] of [...missing].entries()) {
      const converted = all.then((objects) => objects[index]!);
      results.set(key, converted);
      this.#conversions.set(key, { converted, bytes: json.length });
    }
    all.then(
      (objects) => {
        for (const [index, [key, converted]] of [...results].entries()) {
          this.#conversions.set(key, { converted, bytes: objects[index]!.json.length });
        }
      },
      () => {
        // Failures are not cached: the next watcher calls the webhook again.
        for (const key of results.keys()) this.#conversions.delete(key);
      },
    );
    return results;
  }

  #idOf(resource: ServedResource): number {
    let id = this.#ids.get(resource);
    if (id === undefined) {
      id = ++this.#lastId;
      this.#ids.set(resource, id);
    }
    return id;
  }
}
