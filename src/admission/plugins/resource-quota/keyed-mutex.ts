// A mutex by key: tasks with the same key run one after the other.

/** Lets tasks that are about the same thing run one after the other. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  take<T>(about: string, task: () => T | Promise<T>): Promise<T> {
    const before = this.#last.get(about) ?? Promise.resolve();
    const turn = before.then(task);
    const over = turn.catch(() => {});
    this.#last.set(about, over);
    void over.then(() => {
      if (this.#last.get(about) === over) this.#last.delete(about);
    });
    return turn;
  }
}
