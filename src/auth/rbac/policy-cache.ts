// RBAC: cache of all roles and bindings, kept current by the change log of the store.
import type { ReadonlyPolicyRule } from '../../apis/rbac/rule-evaluation.ts';
import { Reflector } from '../../store/reflector.ts';
import type { Store, StoredObject } from '../../store/store.ts';
import type { BindingSubject, RoleReference } from './grant.ts';
import { PolicyScope } from './policy-scope.ts';

/** The roles and bindings of one namespace or the cluster, and the keys that changed since they were last read. */
interface CachedScope {
  readonly scope: PolicyScope;
  readonly unread: Set<string>;
  /** Changes with every write: rules resolved at another generation are stale. */
  generation: number;
}

/** The key of the cluster scope; no namespace has this name. */
const clusterScope = '';

/**
 * Invariant: a change is visible here before its write is acknowledged. Objects are decoded when a request first needs
 * their scope, and again only after they have changed.
 */
export class RbacPolicyCache {
  readonly #store: Store;
  readonly #followers: readonly Reflector[];
  readonly #scopes = new Map<string, CachedScope>();
  #isCaughtUp = false;
  #changes = 0;

  constructor(store: Store) {
    this.#store = store;
    const mark = ({ key }: StoredObject) => this.#mark(key);
    this.#followers = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'].map(
      (prefix) => new Reflector(store, prefix, { add: mark, remove: mark, clear: () => {} }),
    );
  }

  /** The roles and bindings of a namespace, or of the cluster; undefined if there are none. */
  scope(namespace = clusterScope): PolicyScope | undefined {
    const cached = this.#cached(namespace);
    if (cached === undefined) return undefined;
    for (const key of cached.unread) this.#read(cached.scope, key, namespace);
    cached.unread.clear();
    if (!cached.scope.isEmpty) return cached.scope;
    this.#scopes.delete(namespace);
    return undefined;
  }

  generation(namespace = clusterScope): number {
    return this.#cached(namespace)?.generation ?? 0;
  }

  /** Drops everything after the store was restored to another state. */
  reset(): void {
    for (const follower of this.#followers) follower.reset();
    this.#scopes.clear();
    this.#isCaughtUp = false;
  }

  #cached(namespace: string): CachedScope | undefined {
    if (!this.#isCaughtUp) {
      this.#isCaughtUp = true;
      for (const follower of this.#followers) follower.sync();
    }
    return this.#scopes.get(namespace);
  }

  #mark(key: string): void {
    const parts = key.split('/');
    const namespace = parts.length === 3 ? parts[1]! : clusterScope;
    let cached = this.#scopes.get(namespace);
    if (!cached) {
      cached = { scope: new PolicyScope(), unread: new Set(), generation: 0 };
      this.#scopes.set(namespace, cached);
    }
    cached.generation = ++this.#changes;
    cached.unread.add(key);
  }

  #read(scope: PolicyScope, key: string, namespace: string): void {
    const name = key.slice(key.lastIndexOf('/') + 1);
    const isBinding = key.startsWith('rolebindings/') || key.startsWith('clusterrolebindings/');
    const stored = this.#store.get(key);
    const object = stored && parse(stored);
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

/** An undecodable object grants nothing. */
function parse({ json }: StoredObject): RoleOrBinding | undefined {
  try {
    return JSON.parse(json.toString()) as RoleOrBinding;
  } catch {
    return undefined;
  }
}
