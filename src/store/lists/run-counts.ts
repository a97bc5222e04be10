/**
 * Sums of the counts of neighbouring runs, so that a page of a large collection does not visit every run that follows it.
 *
 * Invariant: block i is the sum of the counts of the runs [i * BLOCK_RUNS, (i + 1) * BLOCK_RUNS).
 */

/** Larger blocks make sums slower, smaller ones make insertions and removals slower. */
const BLOCK_RUNS = 256;

interface Counted {
  readonly count: number;
}

export class RunCounts {
  readonly #runs: readonly Counted[];
  readonly #blocks: number[] = [];
  #total = 0;

  constructor(runs: readonly Counted[]) {
    this.#runs = runs;
    for (let i = 0; i < runs.length; i++) this.add(i, runs[i]!.count);
  }

  get total(): number {
    return this.#total;
  }

  /** The count of a run has changed by `difference`. */
  add(index: number, difference: number): void {
    const block = blockOf(index);
    this.#blocks[block] = (this.#blocks[block] ?? 0) + difference;
    this.#total += difference;
  }

  /** Called after a run was inserted. Every later run has moved by one, the last of each block into the next block. */
  inserted(index: number): void {
    const last = blockOf(this.#runs.length - 1);
    for (let block = blockOf(index); block < last; block++) {
      const moved = this.#runs[(block + 1) * BLOCK_RUNS]!.count;
      this.#blocks[block] = this.#blocks[block]! - moved;
      this.#blocks[block + 1] = (this.#blocks[block + 1] ?? 0) + moved;
    }
    this.add(index, this.#runs[index]!.count);
  }

  /** Called after a run with this count was removed. */
  removed(index: number, count: number): void {
    this.add(index, -count);
    const last = blockOf(this.#runs.length);
    for (let block = blockOf(index); block < last; block++) {
      const moved = this.#runs[(block + 1) * BLOCK_RUNS - 1]!.count;
      this.#blocks[block] = this.#blocks[block]! + moved;
      this.#blocks[block + 1] = this.#blocks[block + 1]! - moved;
    }
  }

  /** Sum of the counts of the runs [from, to). */
  sum(from: number, to: number): number {
    let sum = 0;
    for (let i = from; i < to; ) {
      const isWholeBlock = i % BLOCK_RUNS === 0 && i + BLOCK_RUNS <= to;
      sum += isWholeBlock ? (this.#blocks[i / BLOCK_RUNS] ?? 0) : this.#runs[i]!.count;
      i += isWholeBlock ? BLOCK_RUNS : 1;
    }
    return sum;
  }
}

const blockOf = (index: number) => Math.floor(index / BLOCK_RUNS);
