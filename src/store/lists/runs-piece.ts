/**
 * The pieces of a planned page, and the reader that turns them into ranges of encoded runs (buffers of neighbouring
 * objects).
 *
 * `undo`: on a page of a past revision, the changes since then to objects of the piece. The reader restores the states
 * before them.
 */
import type { PastLog } from './past.ts';
import type { Undo } from './past-overlay.ts';
import type { RunBuffer } from './runs-buffer.ts';
import type { EncodedRun } from './runs-encoded.ts';
import type { RunIndex } from './runs-index.ts';
import { compareKeys } from './runs-order.ts';
import type { Pin } from './runs-pin.ts';
import { patchRun } from './runs-writer.ts';

export type PagePiece = SlicePiece | CachedPiece | UnreadPiece;

/** A range of a run that was read, and restored to the page's revision, when the page was planned. */
interface SlicePiece {
  readonly kind: 'slice';
  readonly run: EncodedRun;
  readonly from: number;
  readonly to: number;
}

/** A whole run that was cached when the page was planned. */
interface CachedPiece {
  readonly kind: 'cached';
  readonly content: RunBuffer;
  readonly undo: readonly Undo[];
}

/** A whole run still to be read from the pinned view: `count` objects after the key `lower`. */
export interface UnreadPiece {
  readonly kind: 'unread';
  readonly lower: string;
  readonly count: number;
  /** The run's stamp when the page was planned (runs-index.ts). */
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
    if (piece.kind === 'slice') yield piece;
    else if (piece.kind === 'cached') yield this.#applyUndo(piece.content.encoded(), piece.undo);
    else yield* this.#read(piece);
  }

  /** The objects of the piece may not fit into one run of the usual size: reads as many runs as needed. */
  *#read({ lower, count, stamp, undo }: UnreadPiece): Generator<RunRange, void, undefined> {
    let remainingCount = count;
    let lastKey = lower;
    let undos = undo;
    do {
      const run = this.#index.readAgain(lastKey, remainingCount, stamp, this.pin);
      remainingCount -= run.count;
      let undosOfRun = undos;
      if (remainingCount > 0) {
        lastKey = run.key(run.count - 1);
        const firstBeyond = undos.findIndex((candidate) => compareKeys(candidate.key, lastKey) > 0);
        if (firstBeyond !== -1) undosOfRun = undos.slice(0, firstBeyond);
        undos = undos.slice(undosOfRun.length);
      }
      yield this.#applyUndo(run, undosOfRun);
    } while (remainingCount > 0);
  }

  #applyUndo(run: EncodedRun, undo: readonly Undo[]): RunRange {
    const restored = undo.length === 0 ? run : patchRun(run, this.#past.restore(undo));
    return { run: restored, from: 0, to: restored.count };
  }
}
