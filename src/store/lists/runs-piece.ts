/** The pieces of a planned page, and the reader that turns them into ranges of runs. */
import type { PastLog } from './past.ts';
import type { Undo } from './past-overlay.ts';
import type { RunBuffer } from './runs-buffer.ts';
import type { EncodedRun } from './runs-encoded.ts';
import type { RunIndex } from './runs-index.ts';
import { compareKeys } from './runs-order.ts';
import type { Pin } from './runs-pin.ts';
import { patchRun } from './runs-writer.ts';

export type PagePiece = SlicePiece | CachedPiece | UnreadPiece;

/** A range of a run that already has the state of the page's revision. */
interface SlicePiece {
  readonly kind: 'cut';
  readonly run: EncodedRun;
  readonly from: number;
  readonly to: number;
}

/** A run that was cached when the page was planned. */
interface CachedPiece {
  readonly kind: 'whole';
  readonly content: RunBuffer;
  readonly undo: readonly Undo[];
}

/** A run still to be read from the pinned view: `count` objects after the key `lower`. */
export interface UnreadPiece {
  readonly kind: 'unread';
  readonly lower: string;
  readonly count: number;
  readonly stamp: number;
  readonly undo: readonly Undo[];
}

/** The objects [from, to) of a run. */
export interface RunRange {
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

  *open(piece: PagePiece): Generator<RunRange, void, undefined> {
    this.pin.check();
    if (piece.kind === 'cut') yield piece;
    else if (piece.kind === 'whole') yield this.#applyUndo(piece.content.encoded(), piece.undo);
    else yield* this.#read(piece);
  }

  *#read({ lower, count, stamp, undo }: UnreadPiece): Generator<RunRange, void, undefined> {
    let left = count;
    let last = lower;
    let undos = undo;
    do {
      const run = this.#index.readAgain(last, left, stamp, this.pin);
      left -= run.count;
      let undosOfRun = undos;
      if (left > 0) {
        last = run.key(run.count - 1);
        const firstBeyond = undos.findIndex((candidate) => compareKeys(candidate.key, last) > 0);
        if (firstBeyond !== -1) undosOfRun = undos.slice(0, firstBeyond);
        undos = undos.slice(undosOfRun.length);
      }
      yield this.#applyUndo(run, undosOfRun);
    } while (left > 0);
  }

  #applyUndo(run: EncodedRun, undo: readonly Undo[]): RunRange {
    const restored = undo.length === 0 ? run : patchRun(run, this.#past.restore(undo));
    return { run: restored, from: 0, to: restored.count };
  }
}
