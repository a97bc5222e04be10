// Watch: caches objects converted by a conversion webhook, so that many watchers share one call.
import type { ServedResource } from '../../kind/registry.ts';
import { statesInVersion } from '../../kind/storage/converted.ts';
import type { StoredObject } from '../../store/store.ts';

/** A state of an object, by its JSON as it is stored. */
export interface StoredState {
  readonly key: string;
  readonly json: string;
}

/** Cache size for one version of a kind, in characters of stored JSON. */
const maxCachedChars = 2 * 1024 * 1024;

export class ConversionCache {
  readonly #byVersion = new WeakMap<ServedResource, VersionCache>();

  /** As statesInVersion. */
  of(resource: ServedResource, states: readonly StoredState[]): Promise<StoredObject[]> {
    let kept = this.#byVersion.get(resource);
    if (!kept) {
      kept = new VersionCache();
      this.#byVersion.set(resource, kept);
    }
    return kept.of(resource, states);
  }
}

class VersionCache {
  readonly #states = new Map<string, Promise<StoredObject>>();
  #size = 0;

  of(resource: ServedResource, states: readonly StoredState[]): Promise<StoredObject[]> {
    const unknown = states.filter(({ json }) => !this.#states.has(json));
    const missing = [...new Map(unknown.map((state) => [state.json, state])).values()];
    if (missing.length > 0) {
      const asked = missing.map(({ key, json }) => ({ key, json: Buffer.from(json) }));
      const answers = statesInVersion(resource, asked);
      for (const [index, { json }] of missing.entries())
        this.#keep(
          json,
          answers.then((all) => all[index]!),
        );
      answers.catch(() => {
        // Failures are not cached: the next watcher calls the webhook again.
        for (const { json } of missing) this.#drop(json);
      });
    }
    const wanted = Promise.all(states.map(({ json }) => this.#states.get(json)!));
    this.#makeRoom();
    return wanted;
  }

  #keep(json: string, state: Promise<StoredObject>): void {
    if (!this.#states.has(json)) this.#size += json.length;
    this.#states.set(json, state);
  }

  #drop(json: string): void {
    if (this.#states.delete(json)) this.#size -= json.length;
  }

  #makeRoom(): void {
    for (const json of this.#states.keys()) {
      if (this.#size <= maxCachedChars) return;
      this.#drop(json);
    }
  }
}
