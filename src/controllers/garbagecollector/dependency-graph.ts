// garbage-collector-controller: the dependency graph, upstream's uidToNode. It holds the dependents of each owner.
import type { OwnerReference } from '../../kind/api-object.ts';

const noDependents: ReadonlyMap<string, boolean> = new Map();

/**
 * By uid of an owner, the keys of its dependents, and whether they block its deletion. Objects without owners are not
 * in the graph.
 */
export class DependencyGraph {
  readonly #dependents = new Map<string, Map<string, boolean>>();

  get isEmpty(): boolean {
    return this.#dependents.size === 0;
  }

  add(key: string, owners: readonly OwnerReference[]): void {
    for (const { uid, blockOwnerDeletion = false } of owners) {
      const dependents = this.#dependents.get(uid);
      if (dependents) dependents.set(key, blockOwnerDeletion);
      else this.#dependents.set(uid, new Map([[key, blockOwnerDeletion]]));
    }
  }

  remove(key: string, owners: readonly OwnerReference[]): void {
    for (const { uid } of owners) {
      const dependents = this.#dependents.get(uid);
      dependents?.delete(key);
      if (dependents?.size === 0) this.#dependents.delete(uid);
    }
  }

  dependentsOf(uid: string): ReadonlyMap<string, boolean> {
    return this.#dependents.get(uid) ?? noDependents;
  }

  /** Whether a dependent blocks the foreground deletion of this owner. */
  isBlocked(uid: string): boolean {
    for (const isBlocking of this.dependentsOf(uid).values()) if (isBlocking) return true;
    return false;
  }

  clear(): void {
    this.#dependents.clear();
  }
}
