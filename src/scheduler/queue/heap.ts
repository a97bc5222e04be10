// A binary heap.
export class Heap<T> {
  readonly #isBefore: (one: T, other: T) => boolean;
  readonly #items: T[] = [];

  constructor(isBefore: (one: T, other: T) => boolean) {
    this.#isBefore = isBefore;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let index = items.push(item) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isBefore(items[index]!, items[parent]!)) return;
      this.#swap(index, parent);
      index = parent;
    }
  }

  pop(): T | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (items.length === 0) return first;
    items[0] = last!;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      let next = index;
      if (left < items.length && this.#isBefore(items[left]!, items[next]!)) next = left;
      if (right < items.length && this.#isBefore(items[right]!, items[next]!)) next = right;
      if (next === index) return first;
      this.#swap(index, next);
      index = next;
    }
  }

  clear(): void {
    this.#items.length = 0;
  }

  #swap(one: number, other: number): void {
    const items = this.#items;
    [items[one], items[other]] = [items[other]!, items[one]!];
  }
}
