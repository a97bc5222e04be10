// Lister: reads the objects of one resource from local state, as client-go's listers do.
import type { ServedResource } from '../kind/registry.ts';
import type { Store } from '../store/store.ts';
import { walk } from '../store/walk.ts';
import { InformerObject } from './informer-object.ts';

/** The store of this process is the cache: a lister returns the latest visible state and copies nothing. */
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

  /** By `namespace/name`, the key of an InformerObject. */
  getByKey(key: string): InformerObject<T> | undefined {
    const stored = this.store.get(`${this.resource.prefix}/${key}`);
    return stored && new InformerObject(this.resource, stored);
  }

  /** All objects at one revision, for resources with few. */
  list(): InformerObject<T>[] {
    const { resource } = this;
    const view = this.store.pin();
    try {
      return Array.from(view.range(resource.range('')), (stored) => new InformerObject<T>(resource, stored));
    } finally {
      view.release();
    }
  }

  /** The keys of all objects, or of those in a namespace. */
  keys(namespace = ''): string[] {
    const view = this.store.pin();
    try {
      const start = this.resource.prefix.length + 1;
      return Array.from(view.keys(this.resource.range(namespace)), (key) => key.slice(start));
    } finally {
      view.release();
    }
  }

  /** The first keys of all namespaces after `lastKey`, which need not exist; from the start with ''. */
  keysAfter(lastKey: string, limit: number): string[] {
    const view = this.store.pin();
    try {
      const range = this.resource.range('');
      const keys: string[] = [];
      for (const key of view.keys(range, lastKey === '' ? undefined : range + lastKey)) {
        if (keys.push(key.slice(range.length)) === limit) break;
      }
      return keys;
    } finally {
      view.release();
    }
  }

  /** Visits the objects of a namespace, or all with '', and yields to the event loop between batches. Ends early once `isOver`. */
  walk(namespace: string, visit: (object: InformerObject<T>) => void, isOver?: () => boolean): Promise<void> {
    const { resource } = this;
    return walk(
      this.store,
      resource.range(namespace),
      (stored) => visit(new InformerObject(resource, stored)),
      isOver,
    );
  }

  /** Waits until reads are linearizable: this process has applied the latest acknowledged write. Returns its resourceVersion. */
  async waitForLatest(): Promise<string> {
    return String(await this.store.head());
  }
}
