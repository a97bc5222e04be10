// Informer factory, as client-go's SharedInformerFactory. Informers are not shared: each caller gets its own, which is cheap,
// because an informer has no cache.
import type { Dialect } from '../dialect/dialect.ts';
import type { GroupId } from '../dialect/groups.ts';
import type { Registry, ServedResource } from '../kind/registry.ts';
import type { Store } from '../store/store.ts';
import { type IndexFunction, Informer, type InformerHandlers } from './informer.ts';
import { Lister } from './lister.ts';

/** A built-in resource in one version. */
export interface ResourceId {
  readonly group: GroupId;
  readonly version: string;
  readonly resource: string;
}

export class Informers {
  readonly #registry: Registry;
  readonly #store: Store;
  readonly #dialect: Dialect;

  constructor({
    registry,
    store,
    dialect,
  }: {
    readonly registry: Registry;
    readonly store: Store;
    readonly dialect: Dialect;
  }) {
    this.#registry = registry;
    this.#store = store;
    this.#dialect = dialect;
  }

  informer<T>(
    id: ResourceId,
    handlers: InformerHandlers<T>,
    indexFunctions?: Readonly<Record<string, IndexFunction<T>>>,
  ): Informer<T> {
    return new Informer<T>(this.#store, this.#find(id), handlers, indexFunctions);
  }

  lister<T>(id: ResourceId): Lister<T> {
    return new Lister<T>(this.#store, this.#find(id));
  }

  /** A lister of a served resource, also of a custom resource; undefined if it is not served. */
  findLister<T>(group: string, version: string, resource: string): Lister<T> | undefined {
    const served = this.#registry.find(group, version, resource);
    return served && new Lister<T>(this.#store, served);
  }

  /** A lister of a resource from the registry of kinds. */
  listerOf<T>(resource: ServedResource): Lister<T> {
    return new Lister<T>(this.#store, resource);
  }

  /** An informer of a resource from the registry of kinds. */
  informerOf<T>(resource: ServedResource, handlers: InformerHandlers<T>): Informer<T> {
    return new Informer<T>(this.#store, resource, handlers);
  }

  #find({ group, version, resource }: ResourceId): ServedResource {
    return this.#registry.kind(this.#dialect.groupName(group), version, resource);
  }
}
