// garbage-collector-controller: the objects that wait until the kind of an owner is served.
import type { OwnerReference } from '../../kind/api-object.ts';

type KindReference = Pick<OwnerReference, 'apiVersion' | 'kind'>;

/**
 * The collector changes no object while one of its owners is of an unknown kind. So an object waits for one of these
 * kinds at a time, whichever, and costs one entry, however many references it has. Once that kind is served, the
 * collector looks at the object again and finds the next unknown kind, if any.
 */
export class UnresolvedOwners {
  readonly #kindByKey = new Map<string, string>();
  readonly #keysByKind = new Map<string, Set<string>>();

  /** `key`: the storage key of the dependent. */
  set(key: string, { apiVersion, kind }: KindReference): void {
    this.delete(key);
    const id = `${apiVersion} ${kind}`;
    this.#kindByKey.set(key, id);
    const keys = this.#keysByKind.get(id);
    if (keys) keys.add(key);
    else this.#keysByKind.set(id, new Set([key]));
  }

  delete(key: string): void {
    const id = this.#kindByKey.get(key);
    if (id === undefined) return;
    this.#kindByKey.delete(key);
    const keys = this.#keysByKind.get(id)!;
    keys.delete(key);
    if (keys.size === 0) this.#keysByKind.delete(id);
  }

  /** Removes and returns the objects that wait for a kind. */
  take({ apiVersion, kind }: KindReference): readonly string[] {
    const keys = [...(this.#keysByKind.get(`${apiVersion} ${kind}`) ?? [])];
    for (const key of keys) this.delete(key);
    return keys;
  }

  clear(): void {
    this.#kindByKey.clear();
    this.#keysByKind.clear();
  }
}
