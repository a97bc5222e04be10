// Dispatches committed changes to the store's listeners.
import type { Change, ChangeListener } from './store.ts';

/** Every listener receives every batch once and in order, also when a listener itself writes. */
export class ChangeListeners {
  readonly #listeners = new Set<ChangeListener>();
  readonly #queued: (readonly Change[])[] = [];
  #dispatching = false;

  add(listener: ChangeListener): () => void {
    // A wrapper per registration, so that the same function can be added twice.
    const registered: ChangeListener = (changes) => listener(changes);
    this.#listeners.add(registered);
    return () => this.#listeners.delete(registered);
  }

  notify(changes: readonly Change[]): void {
    this.#queued.push(changes);
    // Re-entrant call from a listener that writes: its batch waits until all listeners have received the current one.
    if (this.#dispatching) return;
    this.#dispatching = true;
    for (let batch = this.#queued.shift(); batch; batch = this.#queued.shift()) {
      for (const listener of this.#listeners) {
        try {
          listener(batch);
        } catch (error) {
          // Report the bug as an uncaught exception without keeping the change from other listeners.
          queueMicrotask(() => {
            throw error;
          });
        }
      }
    }
    this.#dispatching = false;
  }
}
