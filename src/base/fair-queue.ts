// Fair queue: flows take turns, so that a flow with many waiting items delays an item of another flow by one of its own.

export class FairQueue<T> {
  /** The flow whose turn it is comes first. A Set keeps the order of its items, and removes any of them at once. */
  readonly #waiting = new Map<string, Set<T>>();

  countOf(flow: string): number {
    return this.#waiting.get(flow)?.size ?? 0;
  }

  add(flow: string, item: T): void {
    const items = this.#waiting.get(flow);
    if (items) items.add(item);
    else this.#waiting.set(flow, new Set([item]));
  }

  /** Does nothing if the item is not in the queue any more. */
  remove(flow: string, item: T): void {
    const items = this.#waiting.get(flow);
    items?.delete(item);
    if (items?.size === 0) this.#waiting.delete(flow);
  }

  /** Removes and returns the oldest item of the flow whose turn it is; undefined if the queue is empty. */
  take(): T | undefined {
    for (const [flow, items] of this.#waiting) {
      const [item] = items;
      items.delete(item!);
      // The flow moves behind the others.
      this.#waiting.delete(flow);
      if (items.size > 0) this.#waiting.set(flow, items);
      return item;
    }
    return undefined;
  }
}
