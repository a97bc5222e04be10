// Rows in order: an array that stays sorted while single rows change, without sorting all of them again.

export type Compare<T> = (one: T, other: T) => number;

/** `compare` must be a total order: rows that compare as equal are the same row. */
export class OrderedRows<T> {
  #items: T[] = [];
  #compare: Compare<T>;

  constructor(compare: Compare<T>) {
    this.#compare = compare;
  }

  get items(): readonly T[] {
    return this.#items;
  }

  reset(items: Iterable<T>, compare = this.#compare): void {
    this.#compare = compare;
    this.#items = [...items].sort(compare);
  }

  insert(item: T): void {
    this.#items.splice(this.#position(item), 0, item);
  }

  /** The row must be as it was when it was inserted. */
  remove(item: T): void {
    const position = this.#position(item);
    if (this.#items[position] === item) this.#items.splice(position, 1);
  }

  /** The index of the first row that is not before this one. */
  #position(item: T): number {
    let low = 0;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(this.#items[middle]!, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
