// Admission: a cache of the objects of one core kind by namespace (LimitRange, ResourceQuota).
import type { ApiObject } from '../kind/api-object.ts';
import type { ServedResource } from '../kind/registry.ts';
import { decodeLazily } from '../kind/storage/codec.ts';
import { Unreadable } from '../kind/storage/unreadable.ts';
import type { AdmissionContext } from '../registry/verb-context.ts';
import { Reflector } from '../store/reflector.ts';
import type { StoredObject } from '../store/store.ts';

/** The keys of the objects in one namespace, and the objects once they are decoded. */
interface NamespaceEntry<T> {
  readonly keys: Set<string>;
  objects: readonly T[] | undefined;
}

/**
 * Decodes the objects of a namespace when a plugin first reads them, and again after one of them has changed. Undecodable
 * objects are absent.
 */
export class ObjectsByNamespace<T extends ApiObject> {
  readonly #api: AdmissionContext;
  readonly #resource: ServedResource;
  readonly #reflector: Reflector;
  readonly #namespaces = new Map<string, NamespaceEntry<T>>();
  #isSynced = false;

  constructor(api: AdmissionContext, plural: string) {
    this.#api = api;
    this.#resource = api.registry.kind('', 'v1', plural);
    this.#reflector = new Reflector(api.store, this.#resource.prefix, {
      add: (object) => this.#add(object),
      remove: (object, isReplaced) => this.#remove(object, isReplaced),
      clear: () => this.#namespaces.clear(),
    });
  }

  /** Whether any object exists. `Plugin.handles` reads it, so a change invalidates the chain's cache. */
  get hasAny(): boolean {
    this.#syncOnce();
    return this.#namespaces.size > 0;
  }

  has(namespace: string): boolean {
    this.#syncOnce();
    return this.#namespaces.has(namespace);
  }

  /** The store keys of the objects in a namespace, ordered by name. */
  keys(namespace: string): readonly string[] {
    this.#syncOnce();
    return [...(this.#namespaces.get(namespace)?.keys ?? [])].sort();
  }

  get namespaces(): readonly string[] {
    this.#syncOnce();
    return [...this.#namespaces.keys()];
  }

  /** The objects of a namespace, ordered by name. Read-only. */
  in(namespace: string): readonly T[] {
    this.#syncOnce();
    const entry = this.#namespaces.get(namespace);
    if (!entry) return [];
    entry.objects ??= this.keys(namespace).flatMap((key) => this.#read(key));
    return entry.objects;
  }

  /** Drops all state after the store was restored to a snapshot. */
  reset(): void {
    this.#reflector.reset();
    this.#isSynced = false;
  }

  /** Hook for subclasses: an object was added, changed or deleted (`object` is then undefined). */
  protected onChange?(key: string, object: StoredObject | undefined): void;

  #syncOnce(): void {
    if (this.#isSynced) return;
    this.#isSynced = true;
    this.#reflector.sync();
  }

  #add(object: StoredObject): void {
    const { key } = object;
    const namespace = namespaceIn(key);
    let entry = this.#namespaces.get(namespace);
    if (!entry) {
      entry = { keys: new Set(), objects: undefined };
      this.#namespaces.set(namespace, entry);
      if (this.#namespaces.size === 1) this.#api.admission.invalidateHandlesCache();
    }
    entry.keys.add(key);
    entry.objects = undefined;
    this.onChange?.(key, object);
  }

  #remove({ key }: StoredObject, isReplaced: boolean): void {
    const namespace = namespaceIn(key);
    const entry = this.#namespaces.get(namespace);
    if (!entry || isReplaced) return;
    entry.keys.delete(key);
    entry.objects = undefined;
    this.onChange?.(key, undefined);
    if (entry.keys.size > 0) return;
    this.#namespaces.delete(namespace);
    if (this.#namespaces.size === 0) this.#api.admission.invalidateHandlesCache();
  }

  #read(key: string): T[] {
    const stored = this.#api.store.get(key);
    const object = stored && this.decode(stored);
    return object ? [object] : [];
  }

  /** Undefined for an undecodable object. */
  protected decode(stored: StoredObject): T | undefined {
    try {
      return decodeLazily(this.#resource, stored) as T;
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      throw error;
    }
  }
}

const namespaceIn = (key: string) => key.split('/', 2)[1]!;
