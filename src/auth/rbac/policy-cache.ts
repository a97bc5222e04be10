import type { ReadonlyPolicyRule } from '../../apis/rbac/rule-evaluation.ts';
import { Reflector } from '../../store/reflector.ts';
import type { Store, StoredObject } from '../../store/store.ts';
import type { BindingSubject, RoleReference } from './grant.ts';
import { PolicyScope } from './policy-scope.ts';

/** The roles and bindings of one place, and the keys of those that have changed since they were last asked for. */
interface Place {
  readonly scope: PolicyScope;
  readonly unread: Set<string>;
  /** Another number after every change: what was made of the scope before no longer holds. */
  generation: number;
}

/** Where what holds for the whole cluster is kept; no namespace has this name. */
const everywhere = '';

/**
 * All roles and bindings, in step with the log: a change is known here before its writer hears that it is done. Objects are
 * read when somebody first does something where they count, and again only when they have changed.
 */
export class PolicyCache {
  readonly #store: Store;
  readonly #followers: readonly Reflector[];
  readonly #places = new Map<string, Place>();
  #isCaughtUp = false;
  #changes = 0;

  constructor(store: Store) {
    this.#store = store;
    const mark = ({ key }: StoredObject) => this.#mark(key);
    this.#followers = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'].map(
      (prefix) => new Reflector(store, prefix, { add: mark, remove: mark, clear: () => {} }),
    );
  }

  /** The roles and bindings of a namespace, or without one those of the whole cluster; undefined where there are none. */
  scope(namespace = everywhere): PolicyScope | undefined {
    const place = this.#place(namespace);
    if (place === undefined) return undefined;
    for (const key of place.unread) this.#read(place.scope, key, namespace);
    place.unread.clear();
    if (!place.scope.isEmpty) return place.scope;
    this.#places.delete(namespace);
    return undefined;
  }

  generation(namespace = everywhere): number {
    return this.#place(namespace)?.generation ?? 0;
  }

  /** Forgets everything, for a store that was put back to another state. */
  reset(): void {
    for (const follower of this.#followers) follower.reset();
    this.#places.clear();
    this.#isCaughtUp = false;
  }

  #place(namespace: string): Place | undefined {
    if (!this.#isCaughtUp) {
      this.#isCaughtUp = true;
      for (const follower of this.#followers) follower.sync();
    }
    return this.#places.get(namespace);
  }

  #mark(key: string): void {
    const parts = key.split('/');
    const namespace = parts.length === 3 ? parts[1]! : everywhere;
    let place = this.#places.get(namespace);
    if (!place) {
      place = { scope: new PolicyScope(), unread: new Set(), generation: 0 };
      this.#places.set(namespace, place);
    }
    place.generation = ++this.#changes;
    place.unread.add(key);
  }

  #read(scope: PolicyScope, key: string, namespace: string): void {
    const name = key.slice(key.lastIndexOf('/') + 1);
    const isBinding = key.startsWith('rolebindings/') || key.startsWith('clusterrolebindings/');
    const stored = this.#store.get(key);
    const object = stored && parsed(stored);
    if (!isBinding) scope.setRole(name, object && (object.rules ?? []));
    else if (!object) scope.deleteBinding(name);
    else scope.setBinding({ name, namespace, roleRef: object.roleRef, subjects: object.subjects ?? [] });
  }
}

interface RoleOrBinding {
  readonly rules?: readonly ReadonlyPolicyRule[] | null;
  readonly roleRef: RoleReference;
  readonly subjects?: readonly BindingSubject[];
}

/** What cannot be read grants nothing. */
function parsed({ json }: StoredObject): RoleOrBinding | undefined {
  try {
    return JSON.parse(json.toString()) as RoleOrBinding;
  } catch {
    return undefined;
  }
}
