// Reads the current state of one object of the core group, and decodes it again only after it has changed.
import type { ApiObject } from '../kind/api-object.ts';
import type { Registry, ServedResource } from '../kind/registry.ts';
import { decodeLazily } from '../kind/storage/codec.ts';
import type { Store } from '../store/store.ts';

/** The store is read synchronously: token authentication does not await. */
export interface ObjectSources {
  readonly store: Pick<Store, 'get'>;
  readonly registry: Pick<Registry, 'kind'>;
}

export class CurrentObject {
  readonly #store: ObjectSources['store'];
  readonly #resource: ServedResource;
  /** The storage key; undefined for an empty name, which no object has. */
  readonly #key: string | undefined;
  #revision = 0;
  #object: ApiObject | undefined;

  constructor({ store, registry }: ObjectSources, plural: string, namespace: string, name: string) {
    this.#store = store;
    this.#resource = registry.kind('', 'v1', plural);
    this.#key = name === '' ? undefined : this.#resource.key(namespace, name);
  }

  /** Undefined if the object does not exist. Callers must not modify it. */
  get(): ApiObject | undefined {
    const stored = this.#key === undefined ? undefined : this.#store.get(this.#key);
    if (stored === undefined) {
      this.#revision = 0;
      this.#object = undefined;
    } else if (stored.revision !== this.#revision) {
      this.#object = decodeLazily(this.#resource, stored);
      this.#revision = stored.revision;
    }
    return this.#object;
  }
}
