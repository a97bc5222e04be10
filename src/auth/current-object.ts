import type { ApiObject } from '../kind/api-object.ts';
import type { ServedResource } from '../kind/registry.ts';
import { decodeLazily } from '../kind/storage/codec.ts';
import type { Api } from '../registry/api.ts';

/** An object of the core group that is looked at again and again: it is read anew only once it has changed. */
export class CurrentObject {
  readonly #store: Api['store'];
  readonly #resource: ServedResource;
  readonly #key: string | undefined;
  #revision = 0;
  #object: ApiObject | undefined;

  constructor(
    { store, registry }: Pick<Api, 'store' | 'registry'>,
    plural: string,
    namespace: string,
    name: string,
  ) {
    this.#store = store;
    this.#resource = registry.kind('', 'v1', plural);
    this.#key = name === '' ? undefined : this.#resource.key(namespace, name);
  }

  /** As it is now; undefined where it is not there. Only to be looked at. */
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
