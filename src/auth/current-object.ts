// Reads a few fields of one object of the core group, and decodes it again only after it has changed. The object itself is
// not kept: thousands of cached tokens may refer to one large object.
import { flatCopy } from '../base/flat-copy.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { Registry, ServedResource } from '../kind/registry.ts';
import { decodeLazily } from '../kind/storage/codec.ts';
import type { Store } from '../store/store.ts';

/** The store is read synchronously: token authentication does not await. */
export interface ObjectSources {
  readonly store: Pick<Store, 'get'>;
  readonly registry: Pick<Registry, 'kind'>;
}

/** The fields of an object on which the validity of tokens depends. */
export interface ObjectIdentity {
  readonly uid: string | undefined;
  readonly deletionTimestamp: string | undefined;
}

export const identityOf = ({ metadata: { uid, deletionTimestamp } }: ApiObject): ObjectIdentity => ({
  uid: uid && flatCopy(uid),
  deletionTimestamp: deletionTimestamp ? flatCopy(deletionTimestamp) : undefined,
});

export class CurrentObject<T> {
  readonly #store: ObjectSources['store'];
  readonly #resource: ServedResource;
  /** The storage key; undefined for an empty name, which no object has. */
  readonly #key: string | undefined;
  #revision = 0;
  readonly #readFields: (object: ApiObject) => T;
  #fields: T | undefined;

  /** `readFields` returns what to keep of the object; it must not refer to parts of the object. */
  constructor(
    { store, registry }: ObjectSources,
    plural: string,
    namespace: string,
    name: string,
    readFields: (object: ApiObject) => T,
  ) {
    this.#store = store;
    this.#readFields = readFields;
    this.#resource = registry.kind('', 'v1', plural);
    this.#key = name === '' ? undefined : this.#resource.key(namespace, name);
  }

  /** Undefined if the object does not exist. */
  get(): T | undefined {
    const stored = this.#key === undefined ? undefined : this.#store.get(this.#key);
    if (stored === undefined) {
      this.#revision = 0;
      this.#fields = undefined;
    } else if (stored.revision !== this.#revision) {
      this.#fields = this.#readFields(decodeLazily(this.#resource, stored));
      this.#revision = stored.revision;
    }
    return this.#fields;
  }
}
