// Admission: a cache of the objects of one core kind by namespace (LimitRange, ResourceQuota).
import type { ApiObject } from '../kind/api-object.ts';
import type { ServedResource } from '../kind/registry.ts';
import { decodeLazily } from '../kind/storage/codec.ts';
import { Unreadable } from '../kind/storage/unreadable.ts';
import type { Api } from '../registry/api.ts';
import { Reflector } from '../store/reflector.ts';
import type { StoredObject } from '../store/store.ts';

/** The keys of the objects in one namespace, and the objects once they are decoded. */
interface Place<T> {
  readonly keys: Set<string>;
  objects: readonly T[] | undefined;
}

/**
 * The objects of one kind of the core group that say what holds in their namespace, in step with the log. They are read
 * when something is first written where they count, and again only once one of them has changed.
 */
export class ObjectsByNamespace<T extends ApiObject> {
  readonly #api: Api;
  readonly #resource: ServedResource;
  readonly #follower: Reflector;
  readonly #places = new Map<string, Place<T>>();
  #isCaughtUp = false;

  constructor(api: Api, plural: string) {
    this.#api = api;
    this.#resource = api.registry.kind('', 'v1', plural);
    this.#follower = new Reflector(api.store, this.#resource.prefix, {
      add: (object) => this.#add(object),
      remove: (object, isReplaced) => this.#remove(object, isReplaced),
      clear: () => this.#places.clear(),
    });
  }

  /** Whether any object exists. The plugins are reconsidered when this changes. */
  get any(): boolean {
    this.#catchUp();
    return this.#places.size > 0;
  }

  has(namespace: string): boolean {
    this.#catchUp();
    return this.#places.has(namespace);
  }

  /** The keys of those in a namespace, by name. */
  keys(namespace: string): readonly string[] {
    this.#catchUp();
    return [...(this.#places.get(namespace)?.keys ?? [])].sort();
  }

  get namespaces(): readonly string[] {
    this.#catchUp();
    return [...this.#places.keys()];
  }

  /** The objects of a namespace, ordered by name. Read-only. */
  in(namespace: string): readonly T[] {
    this.#catchUp();
    const place = this.#places.get(namespace);
    if (!place) return [];
    place.objects ??= this.keys(namespace).flatMap((key) => this.#read(key));
    return place.objects;
  }

  /** Forgets everything, for a store that was put back to another state. */
  reset(): void {
    this.#follower.reset();
    this.#isCaughtUp = false;
  }

  /** Hook for subclasses: an object was added, changed or (undefined) deleted. */
  protected noticed?(key: string, object: StoredObject | undefined): void;

  #catchUp(): void {
    if (this.#isCaughtUp) return;
    this.#isCaughtUp = true;
    this.#follower.sync();
  }

  #add(object: StoredObject): void {
    const { key } = object;
    const namespace = namespaceIn(key);
    let place = this.#places.get(namespace);
    if (!place) {
      place = { keys: new Set(), objects: undefined };
      this.#places.set(namespace, place);
      if (this.#places.size === 1) this.#api.admission.reconsider();
    }
    place.keys.add(key);
    place.objects = undefined;
    this.noticed?.(key, object);
  }

  #remove({ key }: StoredObject, isReplaced: boolean): void {
    const namespace = namespaceIn(key);
    const place = this.#places.get(namespace);
    if (!place || isReplaced) return;
    place.keys.delete(key);
    place.objects = undefined;
    this.noticed?.(key, undefined);
    if (place.keys.size > 0) return;
    this.#places.delete(namespace);
    if (this.#places.size === 0) this.#api.admission.reconsider();
  }

  #read(key: string): T[] {
    const stored = this.#api.store.get(key);
    const object = stored && this.glance(stored);
    return object ? [object] : [];
  }

  /** Undefined for an undecodable object. */
  protected glance(stored: StoredObject): T | undefined {
    try {
      return decodeLazily(this.#resource, stored) as T;
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      throw error;
    }
  }
}

const namespaceIn = (key: string) => key.split('/', 2)[1]!;
