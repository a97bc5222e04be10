// Change history of the memory store: a gapless window, bounded by age and length.
import type { Clock } from '../../base/clock.ts';
import type { Change, Revision } from '../store.ts';
import { Compacted } from '../store.ts';

/** The change with revision r is at index r - compacted - 1. A timer compacts old changes. */
export class HistoryWindow {
  readonly #clock: Clock;
  readonly #maxAge: number;
  readonly #maxChanges: number;
  #changes: Change[] = [];
  /** Number of compacted changes at the front that have not been sliced off yet. */
  #compactedCount = 0;
  #compacted: Revision;
  #bytes = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock, maxAge: number, maxChanges: number, compacted: Revision) {
    this.#clock = clock;
    this.#maxAge = maxAge;
    this.#maxChanges = maxChanges;
    this.#compacted = compacted;
  }

  get compacted(): Revision {
    return this.#compacted;
  }

  /** Bytes of object states that are reachable only through the history. */
  get bytes(): number {
    return this.#bytes;
  }

  add(change: Change): void {
    this.#changes.push(change);
    this.#bytes += supersededBytes(change);
    if (this.#changes.length - this.#compactedCount > this.#maxChanges) this.compact(this.#compacted + 1);
    this.#scheduleCompaction();
  }

  read(prefix: string, after: Revision, until: Revision, under: string): Iterable<Change> {
    if (after < this.#compacted) throw new Compacted(this.#compacted);
    return this.#read(prefix, after, until, under);
  }

  *#read(
    prefix: string,
    after: Revision,
    until: Revision,
    under: string,
  ): Generator<Change, void, undefined> {
    for (let revision = after + 1; revision <= until; revision++) {
      if (revision <= this.#compacted) throw new Compacted(this.#compacted);
      const change = this.#changes[this.#compactedCount + revision - this.#compacted - 1]!;
      if (change.prefix === prefix && change.key.startsWith(under)) yield change;
    }
  }

  compact(revision: Revision): void {
    for (; this.#compacted < revision; this.#compacted++) {
      this.#bytes -= supersededBytes(this.#changes[this.#compactedCount++]!);
    }
    if (this.#compactedCount * 2 > this.#changes.length) {
      this.#changes = this.#changes.slice(this.#compactedCount);
      this.#compactedCount = 0;
    }
  }

  /** Discards everything; the next change is `revision` + 1. */
  restart(revision: Revision): void {
    this.#changes = [];
    this.#compactedCount = 0;
    this.#bytes = 0;
    this.#compacted = revision;
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #scheduleCompaction(): void {
    const oldest = this.#changes[this.#compactedCount];
    if (this.#cancelTimer || !oldest) return;
    // Waits a tenth longer than the maximum age, so that under steady writes one timer compacts many changes.
    const due = Math.max(0, oldest.at - this.#clock.now()) + this.#maxAge * 1.1;
    this.#cancelTimer = this.#clock.after(due, () => {
      this.#cancelTimer = undefined;
      const horizon = this.#clock.now() - this.#maxAge;
      let revision = this.#compacted;
      for (let i = this.#compactedCount; (this.#changes[i]?.at ?? Infinity) <= horizon; i++) revision++;
      this.compact(revision);
      this.#scheduleCompaction();
    });
  }
}

function supersededBytes(change: Change): number {
  return (change.previous?.json.length ?? 0) + (change.type === 'deleted' ? change.object.json.length : 0);
}
