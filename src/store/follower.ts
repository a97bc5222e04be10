import type { Store, StoredObject } from './store.ts';

/** What is kept in step with the objects of a resource. To hear of the same object twice does no harm. */
export interface Followed {
  add(object: StoredObject): void;
  /** `isReplaced`: the object is still there, and its new state is added next. */
  remove(object: StoredObject, isReplaced: boolean): void;
  clear(): void;
}

const atOnce = 200;

/** Shows an index every object of a resource: those there are when it is first asked for, then what the log says. */
export class Follower {
  readonly #store: Store;
  readonly #prefix: string;
  readonly #followed: Followed;
  #stop: (() => void) | undefined;
  /** The last key that was read; undefined once all have been. */
  #readUpTo: string | undefined = '';

  constructor(store: Store, prefix: string, followed: Followed) {
    this.#store = store;
    this.#prefix = prefix;
    this.#followed = followed;
  }

  /** From now on the index is up to date. */
  catchUp(): void {
    if (this.#readUpTo !== undefined) this.#read(Number.POSITIVE_INFINITY);
  }

  /** Brings the index up to date a few objects at a time, so that nobody who needs it has to wait for all of them. */
  async warmUp(): Promise<void> {
    while (this.#readUpTo !== undefined) {
      this.#read(atOnce);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Forgets everything, for a store that was put back to another state. */
  reset(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#readUpTo = '';
    this.#followed.clear();
  }

  /** Hears of nothing any more. */
  close(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#readUpTo = undefined;
  }

  /** Reads on. What changes behind the last key read, or before, is heard of from the log. */
  #read(most: number): void {
    this.#stop ??= this.#follow();
    const view = this.#store.pin();
    let count = 0;
    for (const object of view.range(`${this.#prefix}/`, this.#readUpTo || undefined)) {
      if (count++ === most) break;
      this.#followed.add(object);
      this.#readUpTo = object.key;
    }
    view.release();
    if (count <= most) this.#readUpTo = undefined;
  }

  #follow(): () => void {
    return this.#store.subscribe((changes) => {
      for (const { prefix, type, object, previous } of changes) {
        if (prefix !== this.#prefix) continue;
        if (previous) this.#followed.remove(previous, type !== 'deleted');
        if (type !== 'deleted') this.#followed.add(object);
      }
    });
  }
}
