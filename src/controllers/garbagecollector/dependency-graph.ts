import type { OwnerReference } from '../../kind/api-object.ts';

const nobody: ReadonlyMap<string, boolean> = new Map();

/**
 * Who depends on whom: by the uid of an owner, the keys of the objects that name it, and whether it has to wait for them. Of
 * objects without owners nothing is known here.
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
    return this.#dependents.get(uid) ?? nobody;
  }

  /** Whether an owner that goes last has to wait for anybody. */
  isBlocked(uid: string): boolean {
    for (const isBlocking of this.dependentsOf(uid).values()) if (isBlocking) return true;
    return false;
  }

  clear(): void {
    this.#dependents.clear();
  }
}
