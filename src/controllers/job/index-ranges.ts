// Completion indexes of an Indexed Job as ranges, such as `0,3-5,7` (upstream: orderedIntervals).

type Range = readonly [first: number, last: number];

/** Immutable. Ranges are ascending, and there is a gap between any two of them. */
export class IndexRanges {
  static readonly none = new IndexRanges([]);
  readonly #ranges: readonly Range[];
  /** The number of indexes. */
  readonly count: number;

  private constructor(ranges: readonly Range[]) {
    this.#ranges = ranges;
    this.count = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  }

  static of(indexes: Iterable<number>): IndexRanges {
    return new IndexRanges(merge(Array.from(indexes, (index) => [index, index])));
  }

  /** Ignores invalid parts, and indexes that are not below `completions`: an elastic Job may have been scaled down. */
  static parse(text: string, completions: number): IndexRanges {
    const ranges = text.split(',').flatMap((part): Range[] => {
      const bounds = /^([0-9]{1,10})(?:-([0-9]{1,10}))?$/.exec(part);
      if (!bounds) return [];
      const first = Number(bounds[1]);
      const last = Math.min(Number(bounds[2] ?? first), completions - 1);
      return first <= last ? [[first, last]] : [];
    });
    return new IndexRanges(merge(ranges));
  }

  has(index: number): boolean {
    let low = 0;
    let high = this.#ranges.length;
    // The range of the index, if any, is the first one that does not end before it.
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#ranges[middle]![1] < index) low = middle + 1;
      else high = middle;
    }
    const range = this.#ranges[low];
    return range !== undefined && range[0] <= index;
  }

  union(...others: readonly IndexRanges[]): IndexRanges {
    const all = [this, ...others].filter(({ count }) => count > 0);
    if (all.length < 2) return all[0] ?? IndexRanges.none;
    return new IndexRanges(merge(all.flatMap((ranges) => ranges.#ranges)));
  }

  /** The number of indexes in both. */
  countCommon(other: IndexRanges): number {
    return this.count + other.count - this.union(other).count;
  }

  /** The lowest indexes below `completions` that are not in the ranges, at most `limit`. */
  firstAbsent(limit: number, completions: number): number[] {
    const absent: number[] = [];
    let candidate = 0;
    for (const [first, last] of [...this.#ranges, [completions, completions] as const]) {
      for (; candidate < Math.min(first, completions) && absent.length < limit; candidate++)
        absent.push(candidate);
      candidate = last + 1;
    }
    return absent;
  }

  /** As in `status.completedIndexes`: a range of two indexes is written as both of them. */
  toString(): string {
    return this.#ranges
      .map(([first, last]) => {
        if (first === last) return `${first}`;
        return last === first + 1 ? `${first},${last}` : `${first}-${last}`;
      })
      .join(',');
  }
}

/** Sorts ranges, and joins those that overlap or touch. */
function merge(ranges: readonly Range[]): Range[] {
  const merged: [number, number][] = [];
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const previous = merged.at(-1);
    if (previous && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else merged.push([first, last]);
  }
  return merged;
}
