// RBAC: cache of all roles and bindings, kept current by informers.
import type { ReadonlyPolicyRule } from '../../apis/rbac/rule-evaluation.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import type { Informers } from '../../client/informers.ts';
import type { BindingSubject, RoleReference } from './grant.ts';
import { PolicyScope } from './policy-scope.ts';

/** The roles and bindings of one namespace or the cluster, and the keys that changed since they were last read. */
interface CachedScope {
  readonly scope: PolicyScope;
  readonly unread: Map<string, UnreadObject>;
  /** Changes with every write: rules resolved at another generation are stale. */
  generation: number;
}

/** A role or binding that was added, changed or deleted. */
interface UnreadObject {
  readonly informer: Informer<RoleOrBinding>;
  readonly isBinding: boolean;
  readonly name: string;
}

/** The key of the cluster scope; no namespace has this name. */
const clusterScope = '';

/**
 * Invariant: a change is visible here before its write is acknowledged. Objects are decoded when a request first needs
 * their scope, and again only after they have changed.
 */
export class RbacPolicyCache {
  readonly #informers: readonly Informer<RoleOrBinding>[];
  readonly #scopes = new Map<string, CachedScope>();
  #isSynced = false;
  #changes = 0;

  constructor(informers: Informers) {
    this.#informers = resources.map((resource) => {
      const isBinding = resource.endsWith('bindings');
      const invalidate = ({ key, namespace, name }: InformerObject<RoleOrBinding>) =>
        this.#invalidate(namespace, `${resource}/${key}`, { informer, isBinding, name });
      const informer = informers.informer<RoleOrBinding>(
        { group: 'rbac.authorization', version: 'v1', resource },
        {
          onAdd: invalidate,
          onUpdate: (_oldObject, newObject) => invalidate(newObject),
          onDelete: invalidate,
        },
      );
      return informer;
    });
  }

  /** The roles and bindings of a namespace, or of the cluster; undefined if there are none. */
  scope(namespace = clusterScope): PolicyScope | undefined {
    const cached = this.#cached(namespace);
    if (cached === undefined) return undefined;
    for (const unread of cached.unread.values()) read(cached.scope, namespace, unread);
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
    for (const informer of this.#informers) informer.reset();
    this.#scopes.clear();
    this.#isSynced = false;
  }

  #cached(namespace: string): CachedScope | undefined {
    if (!this.#isSynced) {
      this.#isSynced = true;
      for (const informer of this.#informers) informer.sync();
    }
    return this.#scopes.get(namespace);
  }

  #invalidate(namespace: string, key: string, unread: UnreadObject): void {
    let cached = this.#scopes.get(namespace);
    if (!cached) {
      cached = { scope: new PolicyScope(), unread: new Map(), generation: 0 };
      this.#scopes.set(namespace, cached);
    }
    cached.generation = ++this.#changes;
    cached.unread.set(key, unread);
  }
}

const resources = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'] as const;

function read(scope: PolicyScope, namespace: string, { informer, isBinding, name }: UnreadObject): void {
  const found = informer.get(namespace, name);
  const object = found && parse(found);
  if (!isBinding) scope.setRole(name, object && (object.rules ?? []));
  else if (!object) scope.deleteBinding(name);
  else scope.setBinding({ name, namespace, roleRef: object.roleRef, subjects: object.subjects ?? [] });
}

interface RoleOrBinding {
  readonly rules?: readonly ReadonlyPolicyRule[] | null;
  readonly roleRef: RoleReference;
  readonly subjects?: readonly BindingSubject[];
}

/** An undecodable object grants nothing. */
function parse({ json }: InformerObject<RoleOrBinding>): RoleOrBinding | undefined {
  try {
    return JSON.parse(json.toString()) as RoleOrBinding;
  } catch {
    return undefined;
  }
}
