// Implementations of ConsistentReader, for stores with one writing process and for replicas.
import {
  type ConsistentReader,
  PreconditionFailed,
  type Revision,
  type Store,
  type StoredObject,
} from './store.ts';

/** For stores that only this process writes to: the local state always is the latest. */
export const localReader: ConsistentReader = {
  refresh: async () => false,
  isOutdated: async () => false,
  confirm: async (object) => object,
};

/** For replicas: `head` waits until the local state includes every acknowledged write. */
export class ReplicaReader implements ConsistentReader {
  readonly #store: Pick<Store, 'head' | 'get' | 'revision'>;

  constructor(store: Pick<Store, 'head' | 'get' | 'revision'>) {
    this.#store = store;
  }

  async refresh(): Promise<boolean> {
    // An unreachable backend is no error here: the caller then decides on the local state.
    await this.#store.head().catch(() => {});
    return true;
  }

  async isOutdated(revision: Revision): Promise<boolean> {
    await this.#store.head();
    return this.#store.revision !== revision;
  }

  async confirm(object: StoredObject): Promise<StoredObject> {
    await this.#store.head();
    const current = this.#store.get(object.key);
    if (current?.revision !== object.revision) throw new PreconditionFailed(object.key, current);
    return object;
  }
}
