// Watch: caches objects converted by a conversion webhook, so that many watchers share one call.
import type { ServedResource } from '../../kind/registry.ts';
import { convertStates } from '../../kind/storage/convert-stored.ts';
import type { StoredObject } from '../../store/store.ts';

/** A stored state of an object, as an event contains it. */
export interface StoredState {
  readonly key: string;
  readonly json: string;
}

/** Cache size for one version of a kind, in characters of stored JSON. */
const maxCachedChars = 2 * 1024 * 1024;

/** One cache for each version of a kind. */
export class ConversionCache {
  readonly #byVersion = new WeakMap<ServedResource, VersionCache>();

  /** Converts like `convertStates`. */
  convert(resource: ServedResource, states: readonly StoredState[]): Promise<StoredObject[]> {
    let cache = this.#byVersion.get(resource);
    if (!cache) {
      cache = new VersionCache();
      this.#byVersion.set(resource, cache);
    }
    return cache.convert(resource, states);
  }
}

class VersionCache {
  /** Converted states by stored JSON, which includes the resourceVersion. The oldest come first. */
  readonly #states = new Map<string, Promise<StoredObject>>();
  #cachedChars = 0;

  convert(resource: ServedResource, states: readonly StoredState[]): Promise<StoredObject[]> {
    const uncached = states.filter(({ json }) => !this.#states.has(json));
    // Without duplicates.
    const missing = [...new Map(uncached.map((state) => [state.json, state])).values()];
    if (missing.length > 0) {
      const toConvert = missing.map(({ key, json }) => ({ key, json: Buffer.from(json) }));
      const converted = convertStates(resource, toConvert);
      for (const [index, { json }] of missing.entries()) {
        const state = converted.then((all) => all[index]!);
        this.#keep(json, state);
      }
      converted.catch(() => {
        // Failures are not cached: the next watcher calls the webhook again.
        for (const { json } of missing) this.#drop(json);
      });
    }
    const results = Promise.all(states.map(({ json }) => this.#states.get(json)!));
    this.#evictOldest();
    return results;
  }

  #keep(json: string, state: Promise<StoredObject>): void {
    if (!this.#states.has(json)) this.#cachedChars += json.length;
    this.#states.set(json, state);
  }

  #drop(json: string): void {
    if (this.#states.delete(json)) this.#cachedChars -= json.length;
  }

  #evictOldest(): void {
    for (const json of this.#states.keys()) {
      if (this.#cachedChars <= maxCachedChars) return;
      this.#drop(json);
    }
  }
}
