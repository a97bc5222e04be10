// The view (snapshot of the store) that a list reads from. It is pinned only if the list needs more than the cached runs:
// a pinned view keeps the data file from reusing pages.
import type { Revision, Store, StoredObject, View } from '../store.ts';

/** A page was read after its release. */
export class ListReleased extends Error {
  constructor() {
    super('the list has been released before it was read to its end');
  }
}

/** Pins a view on first use and releases it exactly once. */
export class LazyView {
  readonly #store: Store;
  readonly #revision: Revision;
  #view: View | undefined;
  #released = false;
  /** The open range iterator and the key it has reached. */
  #range: { readonly objects: Iterator<StoredObject>; lastKey: string } | undefined;

  constructor(store: Store, revision: Revision) {
    this.#store = store;
    this.#revision = revision;
  }

  /** Pins the view, unless it is pinned. The store must still be at the revision of the list. */
  pin(): View {
    this.assertNotReleased();
    if (!this.#view) {
      const view = this.#store.pin();
      if (view.revision !== this.#revision) {
        view.release();
        throw new Error(`the store is at revision ${view.revision} instead of ${this.#revision}`);
      }
      this.#view = view;
    }
    return this.#view;
  }

  /**
   * The first object of the resource after the key `lower` ('' for the first); undefined at the end. A call that
   * continues after the last returned key reuses the open iterator.
   */
  nextObject(prefix: string, lower: string): StoredObject | undefined {
    const view = this.pin();
    if (this.#range?.lastKey !== lower) {
      this.#range?.objects.return?.();
      const objects = view.range(`${prefix}/`, lower || undefined)[Symbol.iterator]();
      this.#range = { objects, lastKey: lower };
    }
    const { value, done } = this.#range.objects.next();
    if (done) return undefined;
    this.#range.lastKey = value.key;
    return value;
  }

  /** Throws ListReleased after `release`. */
  assertNotReleased(): void {
    if (this.#released) throw new ListReleased();
  }

  /** Releases the view; runs in memory can still be read. */
  unpin(): void {
    this.#range?.objects.return?.();
    this.#range = undefined;
    this.#view?.release();
    this.#view = undefined;
  }

  /** Releases the view, and makes every further read fail. */
  release(): void {
    this.#released = true;
    this.unpin();
  }
}
