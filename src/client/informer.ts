// Informer: lists and watches one resource and calls handlers with its objects, as client-go's informers do.
import type { ServedResource } from '../kind/registry.ts';
import { Reflector } from '../store/reflector.ts';
import type { Store, StoredObject } from '../store/store.ts';
import { InformerObject } from './informer-object.ts';
import { Lister } from './lister.ts';

/**
 * Handlers run before the write of a change is acknowledged. They should not throw: the object of a handler or index
 * function that throws is quarantined, which is a deletion for the informer (see Reflector). They must be idempotent: during the
 * initial list an object may be added twice, or updated or deleted before it is added.
 */
export interface InformerHandlers<T> {
  onAdd?(object: InformerObject<T>): void;
  onUpdate?(oldObject: InformerObject<T>, newObject: InformerObject<T>): void;
  /** `object` is the last state. */
  onDelete?(object: InformerObject<T>): void;
  /** Drops derived state: the store was restored to another state, and all objects are added again. */
  onReset?(): void;
}

/** The values under which an index holds an object. */
export type IndexFunction<T> = (object: InformerObject<T>) => readonly string[];

/** Has no cache of objects: it reads them from the store (see Lister), and its indexes hold only keys. */
export class Informer<T> extends Lister<T> {
  readonly #handlers: InformerHandlers<T>;
  readonly #indexes: ReadonlyMap<string, Index<T>>;
  readonly #reflector: Reflector;
  #synced: Promise<void> = Promise.resolve();

  constructor(
    store: Store,
    resource: ServedResource,
    handlers: InformerHandlers<T>,
    indexFunctions: Readonly<Record<string, IndexFunction<T>>> = {},
  ) {
    super(store, resource);
    this.#handlers = handlers;
    this.#indexes = new Map(
      Object.entries(indexFunctions).map(([name, valuesOf]) => [name, new Index(valuesOf)]),
    );
    this.#reflector = new Reflector(store, resource.prefix, {
      add: (stored) => this.#onAdd(this.#wrap(stored)),
      update: (previous, stored) => this.#onUpdate(this.#wrap(previous), this.#wrap(stored)),
      remove: (stored) => this.#onDelete(this.#wrap(stored)),
      clear: () => this.#onReset(),
    });
  }

  /** Watches, and lists in the background, yielding to the event loop between batches. */
  start(): void {
    this.#synced = this.#reflector.warmUp();
  }

  /** Watches, and completes the initial list before it returns. */
  sync(): void {
    this.#reflector.sync();
  }

  /** Watches without the initial list: `onAdd` is called only for objects that are created from now on. */
  watch(): void {
    this.#reflector.watch();
  }

  /** Resolves once the initial list is complete. */
  get hasSynced(): Promise<void> {
    return this.#synced;
  }

  /** Drops indexes and derived state after the store was restored. The caller starts the informer again. */
  reset(): void {
    this.#reflector.reset();
  }

  close(): void {
    this.#reflector.close();
  }

  /** The objects that an index holds under a value. */
  byIndex(index: string, value: string): InformerObject<T>[] {
    return [...this.keysByIndex(index, value)].flatMap((key) => this.getByKey(key) ?? []);
  }

  keysByIndex(index: string, value: string): Iterable<string> {
    return this.#indexes.get(index)!.keysOf(value);
  }

  /** The keys of all objects that an index holds. */
  indexedKeys(index: string): Iterable<string> {
    return this.#indexes.get(index)!.keys();
  }

  #wrap(stored: StoredObject): InformerObject<T> {
    return new InformerObject(this.resource, stored);
  }

  #onAdd(object: InformerObject<T>): void {
    for (const index of this.#indexes.values()) index.add(object);
    this.#handlers.onAdd?.(object);
  }

  #onUpdate(oldObject: InformerObject<T>, newObject: InformerObject<T>): void {
    for (const index of this.#indexes.values()) {
      index.remove(oldObject);
      index.add(newObject);
    }
    this.#handlers.onUpdate?.(oldObject, newObject);
  }

  #onDelete(object: InformerObject<T>): void {
    for (const index of this.#indexes.values()) index.remove(object);
    this.#handlers.onDelete?.(object);
  }

  #onReset(): void {
    for (const index of this.#indexes.values()) index.clear();
    this.#handlers.onReset?.();
  }
}

/** Keys of objects by the values of an index function. */
class Index<T> {
  readonly #valuesOf: IndexFunction<T>;
  readonly #keysByValue = new Map<string, Set<string>>();

  constructor(valuesOf: IndexFunction<T>) {
    this.#valuesOf = valuesOf;
  }

  keysOf(value: string): Iterable<string> {
    return this.#keysByValue.get(value) ?? [];
  }

  *keys(): Iterable<string> {
    for (const keys of this.#keysByValue.values()) yield* keys;
  }

  add(object: InformerObject<T>): void {
    for (const value of this.#valuesOf(object)) {
      const keys = this.#keysByValue.get(value);
      if (keys) keys.add(object.key);
      else this.#keysByValue.set(value, new Set([object.key]));
    }
  }

  remove(object: InformerObject<T>): void {
    for (const value of this.#valuesOf(object)) {
      const keys = this.#keysByValue.get(value);
      if (keys?.delete(object.key) && keys.size === 0) this.#keysByValue.delete(value);
    }
  }

  clear(): void {
    this.#keysByValue.clear();
  }
}
