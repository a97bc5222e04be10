import type { Revision, Store, StoredObject, View } from '../store.ts';

/** The list was let go of before it was read to its end. */
export class ListReleased extends Error {
  constructor() {
    super('the list has been released before it was read to its end');
  }
}

/** The view a list reads from: taken only if it is needed, and let go of once and for all. */
export class Pin {
  readonly #store: Store;
  readonly #revision: Revision;
  #view: View | undefined;
  #released = false;
  /** A range under way and the key it has come to. */
  #range: { readonly objects: Iterator<StoredObject>; last: string } | undefined;

  constructor(store: Store, revision: Revision) {
    this.#store = store;
    this.#revision = revision;
  }

  /** Takes the view, while its revision is the present one. */
  take(): View {
    this.check();
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

  /** The first object of the resource beyond `lower` ('' for the very first). Made for being asked in sequence. */
  next(prefix: string, lower: string): StoredObject | undefined {
    const view = this.take();
    if (this.#range?.last !== lower) {
      this.#range?.objects.return?.();
      const objects = view.range(`${prefix}/`, lower || undefined)[Symbol.iterator]();
      this.#range = { objects, last: lower };
    }
    const { value, done } = this.#range.objects.next();
    if (done) return undefined;
    this.#range.last = value.key;
    return value;
  }

  check(): void {
    if (this.#released) throw new ListReleased();
  }

  /** Nothing more will be read from the view; what is in memory may still be. */
  unpin(): void {
    this.#range?.objects.return?.();
    this.#range = undefined;
    this.#view?.release();
    this.#view = undefined;
  }

  release(): void {
    this.#released = true;
    this.unpin();
  }
}
