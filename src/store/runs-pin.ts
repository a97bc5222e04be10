import type { Revision, Store, View } from './store.ts';

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

  constructor(store: Store, revision: Revision) {
    this.#store = store;
    this.#revision = revision;
  }

  /** The state at the pin's revision; the first call must come while that is the present. */
  view(): View {
    this.check();
    if (!this.#view) {
      const view = this.#store.pin();
      if (view.revision !== this.#revision) {
        view.release();
        throw new Error(`the store shows revision ${view.revision} where ${this.#revision} was announced`);
      }
      this.#view = view;
    }
    return this.#view;
  }

  check(): void {
    if (this.#released) throw new ListReleased();
  }

  /** Nothing more will be read from the view; what is in memory may still be. */
  unpin(): void {
    this.#view?.release();
    this.#view = undefined;
  }

  release(): void {
    this.#released = true;
    this.unpin();
  }
}
