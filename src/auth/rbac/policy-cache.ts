// RBAC: cache of all roles and bindings, kept current by informers. A scope is one namespace, or the cluster.
import type { ReadonlyPolicyRule } from '../../apis/rbac/rule-evaluation.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import type { Informers } from '../../client/informers.ts';
import type { BindingSubject, RoleReference } from './grant.ts';
import { PolicyScope } from './policy-scope.ts';

/** A scope, and the objects that changed since it was last read. */
interface CachedScope {
  readonly scope: PolicyScope;
  readonly changed: Map<string, ChangedObject>;
  /** Increases with every change: rules that were resolved at another generation are stale. */
  generation: number;
}

/** A role or binding that was added, changed or deleted. */
interface ChangedObject {
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
  #lastGeneration = 0;

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
    const cached = this.#cachedScope(namespace);
    if (cached === undefined) return undefined;
    for (const changed of cached.changed.values()) refresh(cached.scope, namespace, changed);
    cached.changed.clear();
    if (!cached.scope.isEmpty) return cached.scope;
    this.#scopes.delete(namespace);
    return undefined;
  }

  /** Changes with every write to the scope; 0 if it has never had roles or bindings. */
  generation(namespace = clusterScope): number {
    return this.#cachedScope(namespace)?.generation ?? 0;
  }

  /** Drops everything after the store was restored to another state. */
  reset(): void {
    for (const informer of this.#informers) informer.reset();
    this.#scopes.clear();
    this.#isSynced = false;
  }

  /** Lists all roles and bindings on first use. */
  #cachedScope(namespace: string): CachedScope | undefined {
    if (!this.#isSynced) {
      this.#isSynced = true;
      for (const informer of this.#informers) informer.sync();
    }
    return this.#scopes.get(namespace);
  }

  #invalidate(namespace: string, key: string, changed: ChangedObject): void {
    let cached = this.#scopes.get(namespace);
    if (!cached) {
      cached = { scope: new PolicyScope(), changed: new Map(), generation: 0 };
      this.#scopes.set(namespace, cached);
    }
    cached.generation = ++this.#lastGeneration;
    cached.changed.set(key, changed);
  }
}

const resources = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'] as const;

/** Copies the current state of a changed object from its informer to the scope. */
function refresh(scope: PolicyScope, namespace: string, { informer, isBinding, name }: ChangedObject): void {
  const cachedObject = informer.get(namespace, name);
  const object = cachedObject && parse(cachedObject);
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
