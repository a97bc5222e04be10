/**
 * The segments of a planned page, and the reader that turns them into ranges of encoded runs (buffers of neighbouring
 * objects of one resource).
 *
 * `undos`: on a page of a past revision, the changes since then to objects of the segment. The reader restores the
 * states before them.
 */

import type { EncodedRun } from './encoded-run.ts';
import { compareKeys } from './key-order.ts';
import type { LazyView } from './lazy-view.ts';
import type { PastLog } from './past-log.ts';
import type { Undo } from './past-overlay.ts';
import type { RunContent } from './run-content.ts';
import type { RunIndex } from './run-index.ts';
import { patchRun } from './run-writer.ts';

export type PageSegment = SliceSegment | CachedSegment | UnreadSegment;

/** A range of a run that was read, and restored to the page's revision, when the page was planned. */
interface SliceSegment {
  readonly kind: 'slice';
  readonly run: EncodedRun;
  readonly from: number;
  readonly to: number;
}

/** A whole run that was cached when the page was planned. */
interface CachedSegment {
  readonly kind: 'cached';
  readonly content: RunContent;
  readonly undos: readonly Undo[];
}

/** A whole run still to be read from the pinned view: `count` objects after the key `lower`. */
export interface UnreadSegment {
  readonly kind: 'unread';
  readonly lower: string;
  readonly count: number;
  /** The run's stamp when the page was planned (run-index.ts). */
  readonly stamp: number;
  readonly undos: readonly Undo[];
}

/** The objects [from, to) of a run. */
export interface RunRange {
  readonly run: EncodedRun;
  readonly from: number;
  readonly to: number;
}

export class SegmentReader {
  readonly #index: RunIndex;
  readonly #pastLog: PastLog;
  readonly view: LazyView;

  constructor(index: RunIndex, pastLog: PastLog, view: LazyView) {
    this.#index = index;
    this.#pastLog = pastLog;
    this.view = view;
  }

  /** Throws ListReleased if the page has been released, Compacted if a past state has been compacted. */
  *read(segment: PageSegment): Generator<RunRange, void, undefined> {
    this.view.assertNotReleased();
    if (segment.kind === 'slice') yield segment;
    else if (segment.kind === 'cached') yield this.#undo(segment.content.mergePatches(), segment.undos);
    else yield* this.#readFromView(segment);
  }

  /** The objects of the segment may not fit into one run of the usual size: reads as many runs as needed. */
  *#readFromView({ lower, count, stamp, undos }: UnreadSegment): Generator<RunRange, void, undefined> {
    let remainingCount = count;
    let lastKey = lower;
    let remainingUndos = undos;
    do {
      const run = this.#index.readPlanned(lastKey, remainingCount, stamp, this.view);
      remainingCount -= run.count;
      let undosOfRun = remainingUndos;
      if (remainingCount > 0) {
        lastKey = run.key(run.count - 1);
        const firstBeyond = remainingUndos.findIndex(({ key }) => compareKeys(key, lastKey) > 0);
        if (firstBeyond !== -1) undosOfRun = remainingUndos.slice(0, firstBeyond);
        remainingUndos = remainingUndos.slice(undosOfRun.length);
      }
      yield this.#undo(run, undosOfRun);
    } while (remainingCount > 0);
  }

  /** The whole run, with its objects restored to the revision of the page. */
  #undo(run: EncodedRun, undos: readonly Undo[]): RunRange {
    const restored = undos.length === 0 ? run : patchRun(run, this.#pastLog.readPastStates(undos));
    return { run: restored, from: 0, to: restored.count };
  }
}
