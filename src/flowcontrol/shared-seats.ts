/**
 * Seats of priority levels in memory that all serving threads share.
 *
 * Invariants:
 * - The seats in use, summed over all threads, stay within the limit of the level, as with one thread.
 * - While requests of another thread wait, a thread takes no more than its share of the limit, so that a thread whose requests
 *   never stop does not starve the others.
 * - The seats of a thread that has ended are returned (`releaseThread`).
 *
 * A level has a row, which threads find by a hash of its name. Rows are never freed: there are more than a server has levels.
 */
import type { Seats } from './seats.ts';

const rows = 512;
/** The fields of a row that all threads share, followed by those of each thread. */
const shared = { hash: 0, limit: 1, inUse: 2, count: 3 } as const;
const ofThread = { inUse: 0, waiting: 1, demand: 2, count: 3 } as const;

export class SharedSeatTable {
  readonly buffer: SharedArrayBuffer;
  readonly #cells: Int32Array;
  readonly #threads: number;
  readonly #thread: number;
  readonly #rowLength: number;

  /** `thread`: the index of this thread, of `threads`. */
  constructor(threads: number, thread: number, buffer?: SharedArrayBuffer) {
    this.#threads = threads;
    this.#thread = thread;
    this.#rowLength = shared.count + threads * ofThread.count;
    this.buffer = buffer ?? new SharedArrayBuffer(rows * this.#rowLength * Int32Array.BYTES_PER_ELEMENT);
    this.#cells = new Int32Array(this.buffer);
  }

  seatsOf(level: string): Seats {
    return new SharedSeats(this.#cells, this.#rowOf(level), this.#threads, this.#thread);
  }

  /** Returns the seats of a thread that has ended. */
  releaseThread(thread: number): void {
    for (let row = 0; row < this.#cells.length; row += this.#rowLength) {
      const own = row + shared.count + thread * ofThread.count;
      Atomics.sub(this.#cells, row + shared.inUse, Atomics.exchange(this.#cells, own + ofThread.inUse, 0));
      Atomics.store(this.#cells, own + ofThread.waiting, 0);
      Atomics.store(this.#cells, own + ofThread.demand, 0);
    }
  }

  /** Finds or claims the row of a level. */
  #rowOf(level: string): number {
    const hash = hashOf(level);
    for (let probe = 0; probe < rows; probe++) {
      const row = (((hash >>> 0) + probe) % rows) * this.#rowLength;
      const previous = Atomics.compareExchange(this.#cells, row + shared.hash, 0, hash);
      if (previous === 0 || previous === hash) return row;
    }
    throw new Error(`more than ${rows} priority levels have existed since the server started`);
  }
}

/** FNV-1a, never 0. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash | 0 || 1;
}

class SharedSeats implements Seats {
  readonly #cells: Int32Array;
  readonly #row: number;
  readonly #own: number;
  readonly #threads: number;

  constructor(cells: Int32Array, row: number, threads: number, thread: number) {
    this.#cells = cells;
    this.#row = row;
    this.#threads = threads;
    this.#own = row + shared.count + thread * ofThread.count;
  }

  get limit(): number {
    return Atomics.load(this.#cells, this.#row + shared.limit);
  }

  set limit(limit: number) {
    Atomics.store(this.#cells, this.#row + shared.limit, limit);
  }

  get inUse(): number {
    return Atomics.load(this.#cells, this.#row + shared.inUse);
  }

  get totalDemand(): number {
    return this.#sum(ofThread.demand);
  }

  tryTake(seats: number): boolean {
    const { limit } = this;
    const inUse = this.#row + shared.inUse;
    for (;;) {
      const current = Atomics.load(this.#cells, inUse);
      const fits = seats > limit ? current === 0 : current + seats <= limit;
      if (!fits || (current > 0 && this.#mustLeaveToOthers(seats, limit))) return false;
      if (Atomics.compareExchange(this.#cells, inUse, current, current + seats) === current) break;
    }
    Atomics.add(this.#cells, this.#own + ofThread.inUse, seats);
    return true;
  }

  take(seats: number): void {
    Atomics.add(this.#cells, this.#row + shared.inUse, seats);
    Atomics.add(this.#cells, this.#own + ofThread.inUse, seats);
  }

  report(demand: number, waiting: number): void {
    Atomics.store(this.#cells, this.#own + ofThread.demand, demand);
    Atomics.store(this.#cells, this.#own + ofThread.waiting, waiting);
  }

  #mustLeaveToOthers(seats: number, limit: number): boolean {
    const share = Math.max(1, Math.floor(limit / this.#threads));
    if (Atomics.load(this.#cells, this.#own + ofThread.inUse) + seats <= share) return false;
    return this.#sum(ofThread.waiting) > Atomics.load(this.#cells, this.#own + ofThread.waiting);
  }

  #sum(field: number): number {
    let sum = 0;
    for (let thread = 0; thread < this.#threads; thread++) {
      sum += Atomics.load(this.#cells, this.#row + shared.count + thread * ofThread.count + field);
    }
    return sum;
  }
}
