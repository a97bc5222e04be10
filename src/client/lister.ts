// Lister: reads the objects of one resource from the store of this process, as client-go's listers read from their cache.
import type { ServedResource } from '../kind/registry.ts';
import type { Store } from '../store/store.ts';
import { walk } from '../store/walk.ts';
import { InformerObject } from './informer-object.ts';

/**
 * Returns the latest state that is visible in this process, and copies nothing. Its keys are `namespace/name`, or `name` for
 * cluster-scoped objects: the storage keys without the prefix of the resource.
 */
export class Lister<T> {
  protected readonly store: Store;
  readonly resource: ServedResource;

  constructor(store: Store, resource: ServedResource) {
    this.store = store;
    this.resource = resource;
  }

  /** `namespace` is '' for cluster-scoped resources. */
  get(namespace: string, name: string): InformerObject<T> | undefined {
    const stored = this.store.get(this.resource.key(namespace, name));
    return stored && new InformerObject(this.resource, stored);
  }

  getByKey(key: string): InformerObject<T> | undefined {
    const stored = this.store.get(`${this.resource.prefix}/${key}`);
    return stored && new InformerObject(this.resource, stored);
  }

  /** All objects at one revision. Only for resources with few objects: it does not yield to the event loop. */
  list(): InformerObject<T>[] {
    const { resource } = this;
    const snapshot = this.store.pin();
    try {
      const range = resource.range('');
      return Array.from(snapshot.range(range), (stored) => new InformerObject<T>(resource, stored));
    } finally {
      snapshot.release();
    }
  }

  /** The keys of all objects, or of those in a namespace. */
  keys(namespace = ''): string[] {
    const snapshot = this.store.pin();
    try {
      const start = this.resource.prefix.length + 1;
      return Array.from(snapshot.keys(this.resource.range(namespace)), (key) => key.slice(start));
    } finally {
      snapshot.release();
    }
  }

  /** The next keys of all namespaces after `lastKey`, which need not exist; the first ones with ''. */
  keysAfter(lastKey: string, limit: number): string[] {
    const snapshot = this.store.pin();
    try {
      const range = this.resource.range('');
      const startAfter = lastKey === '' ? undefined : range + lastKey;
      const keys: string[] = [];
      for (const key of snapshot.keys(range, startAfter)) {
        keys.push(key.slice(range.length));
        if (keys.length === limit) break;
      }
      return keys;
    } finally {
      snapshot.release();
    }
  }

  /**
   * Visits the objects of a namespace, or of all namespaces with '', and yields to the event loop between batches. Ends
   * after the batch in which `shouldStop()` becomes true.
   */
  walk(
    namespace: string,
    visit: (object: InformerObject<T>) => void,
    shouldStop?: () => boolean,
  ): Promise<void> {
    const { resource } = this;
    return walk(
      this.store,
      resource.range(namespace),
      (stored) => visit(new InformerObject(resource, stored)),
      shouldStop,
    );
  }

  /** Waits until this process has applied the latest acknowledged write, and returns the resourceVersion of that write. */
  async waitForLatest(): Promise<string> {
    return String(await this.store.head());
  }
}
