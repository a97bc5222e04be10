// A mutex by key: tasks with the same key run one after the other.

export class KeyedMutex {
  /** The end of the last task of each key; it never rejects. */
  readonly #last = new Map<string, Promise<unknown>>();

  runExclusive<T>(key: string, task: () => T | Promise<T>): Promise<T> {
    const previous = this.#last.get(key) ?? Promise.resolve();
    const result = previous.then(task);
    // A task that fails must not keep the next one from running.
    const settled = result.catch(() => {});
    this.#last.set(key, settled);
    void settled.then(() => {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    });
    return result;
  }
}
