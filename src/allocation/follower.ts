import type { Store, StoredObject } from '../store/store.ts';

/** What is kept in step with the objects of a resource. */
export interface Followed {
  add(object: StoredObject): void;
  remove(object: StoredObject): void;
  clear(): void;
}

/** Shows an index every object of a resource: those there are when it is first asked for, then what the log says. */
export class Follower {
  readonly #store: Store;
  readonly #prefix: string;
  readonly #followed: Followed;
  #stop: (() => void) | undefined;

  constructor(store: Store, prefix: string, followed: Followed) {
    this.#store = store;
    this.#prefix = prefix;
    this.#followed = followed;
  }

  /** From now on the index is up to date. Nothing is read before the first call, so that a server starts without it. */
  catchUp(): void {
    if (this.#stop) return;
    const view = this.#store.pin();
    for (const object of view.range(`${this.#prefix}/`)) this.#followed.add(object);
    view.release();
    this.#stop = this.#store.subscribe((changes) => {
      for (const { prefix, type, object, previous } of changes) {
        if (prefix !== this.#prefix) continue;
        if (previous) this.#followed.remove(previous);
        if (type !== 'deleted') this.#followed.add(object);
      }
    });
  }

  /** Forgets everything, for a store that was put back to another state. */
  reset(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#followed.clear();
  }
}
