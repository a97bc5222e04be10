import type { Change, Listener } from './store.ts';

/** Those who hear of changes. Every listener hears every batch once, in order, also when one of them writes. */
export class Listeners {
  readonly #listeners = new Set<Listener>();
  readonly #waiting: (readonly Change[])[] = [];
  #telling = false;

  add(listener: Listener): () => void {
    // A listener of its own, so that the same function may be added twice.
    const own: Listener = (changes) => listener(changes);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  tell(changes: readonly Change[]): void {
    this.#waiting.push(changes);
    // A listener that writes comes back here: its change waits until all have heard of the one before.
    if (this.#telling) return;
    this.#telling = true;
    for (let batch = this.#waiting.shift(); batch; batch = this.#waiting.shift()) {
      for (const listener of this.#listeners) {
        try {
          listener(batch);
        } catch (error) {
          // A bug that must not be lost, but neither may it keep the others from hearing.
          queueMicrotask(() => {
            throw error;
          });
        }
      }
    }
    this.#telling = false;
  }
}
