import type { Clock } from '../../clock.ts';
import type { Change, Revision } from '../store.ts';
import { Compacted } from '../store.ts';

/** The latest changes, without a gap: that of revision r stands at r - compacted - 1. Old ones leave by the clock. */
export class HistoryWindow {
  readonly #clock: Clock;
  readonly #maxAge: number;
  readonly #maxChanges: number;
  #changes: Change[] = [];
  /** Places at the front whose change is forgotten but that have not been cut off yet. */
  #forgotten = 0;
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

  /** Bytes of the states that only the history holds on to. */
  get bytes(): number {
    return this.#bytes;
  }

  add(change: Change): void {
    this.#changes.push(change);
    this.#bytes += supersededBytes(change);
    if (this.#changes.length - this.#forgotten > this.#maxChanges) this.compact(this.#compacted + 1);
    this.#watchAge();
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
      const change = this.#changes[this.#forgotten + revision - this.#compacted - 1]!;
      if (change.prefix === prefix && change.key.startsWith(under)) yield change;
    }
  }

  compact(revision: Revision): void {
    for (; this.#compacted < revision; this.#compacted++) {
      this.#bytes -= supersededBytes(this.#changes[this.#forgotten++]!);
    }
    if (this.#forgotten * 2 > this.#changes.length) {
      this.#changes = this.#changes.slice(this.#forgotten);
      this.#forgotten = 0;
    }
  }

  /** Forgets all; what follows comes after `revision`. */
  restart(revision: Revision): void {
    this.#changes = [];
    this.#forgotten = 0;
    this.#bytes = 0;
    this.#compacted = revision;
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #watchAge(): void {
    const oldest = this.#changes[this.#forgotten];
    if (this.#cancelTimer || !oldest) return;
    // A tenth more, so that under steady writes the timer takes many changes at once.
    const due = Math.max(0, oldest.at - this.#clock.now()) + this.#maxAge * 1.1;
    this.#cancelTimer = this.#clock.after(due, () => {
      this.#cancelTimer = undefined;
      const horizon = this.#clock.now() - this.#maxAge;
      let revision = this.#compacted;
      for (let i = this.#forgotten; (this.#changes[i]?.at ?? Infinity) <= horizon; i++) revision++;
      this.compact(revision);
      this.#watchAge();
    });
  }
}

function supersededBytes(change: Change): number {
  return (change.previous?.json.length ?? 0) + (change.type === 'deleted' ? change.object.json.length : 0);
}
