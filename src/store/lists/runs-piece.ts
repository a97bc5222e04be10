/** The pieces of runs that a page of a list is made of, and how they are read. */
import type { PastLog } from './past.ts';
import type { Undo } from './past-overlay.ts';
import type { RunContent } from './runs-content.ts';
import type { EncodedRun } from './runs-encoded.ts';
import type { RunIndex } from './runs-index.ts';
import { compareKeys } from './runs-order.ts';
import type { Pin } from './runs-pin.ts';

export type Piece = Cut | Whole | Unread;

/** Some of the objects of a run, already in the state the page is of. */
export interface Cut {
  readonly kind: 'cut';
  readonly run: EncodedRun;
  readonly from: number;
  readonly to: number;
}

/** A run whose bytes were at hand when the page was planned. */
export interface Whole {
  readonly kind: 'whole';
  readonly content: RunContent;
  readonly undo: readonly Undo[];
}

/** A run still to be read from the pinned view: `count` objects beyond the key `lower`. */
export interface Unread {
  readonly kind: 'unread';
  readonly lower: string;
  readonly count: number;
  readonly stamp: number;
  readonly undo: readonly Undo[];
}

/** The objects [from, to) of a run. */
export interface Stretch {
  readonly run: EncodedRun;
  readonly from: number;
  readonly to: number;
}

export class PieceReader {
  readonly #index: RunIndex;
  readonly #past: PastLog;
  readonly pin: Pin;

  constructor(index: RunIndex, past: PastLog, pin: Pin) {
    this.#index = index;
    this.#past = past;
    this.pin = pin;
  }

  *open(piece: Piece): Generator<Stretch, void, undefined> {
    this.pin.check();
    if (piece.kind === 'cut') yield piece;
    else if (piece.kind === 'whole') yield this.#undone(piece.content.encoded(), piece.undo);
    else yield* this.#read(piece);
  }

  *#read({ lower, count, stamp, undo }: Unread): Generator<Stretch, void, undefined> {
    let left = count;
    let last = lower;
    let undos = undo;
    do {
      const run = this.#index.readAgain(last, left, stamp, this.pin);
      left -= run.count;
      let here = undos;
      if (left > 0) {
        last = run.key(run.count - 1);
        const beyond = undos.findIndex((candidate) => compareKeys(candidate.key, last) > 0);
        if (beyond !== -1) here = undos.slice(0, beyond);
        undos = undos.slice(here.length);
      }
      yield this.#undone(run, here);
    } while (left > 0);
  }

  #undone(run: EncodedRun, undo: readonly Undo[]): Stretch {
    const then = undo.length === 0 ? run : run.patched(this.#past.restore(undo));
    return { run: then, from: 0, to: then.count };
  }
}
