/** Plans a page before any of it is read: its pieces, its continue key and remainingItemCount. */
import type { PastLog } from './past.ts';
import type { Undo } from './past-overlay.ts';
import type { RunIndex } from './runs-index.ts';
import { compareKeys } from './runs-order.ts';
import type { PagePiece } from './runs-piece.ts';
import type { Pin } from './runs-pin.ts';
import type { KeyRange } from './runs-request.ts';
import { patchRun } from './runs-writer.ts';

export interface PagePlan {
  readonly pieces: PagePiece[];
  /** Number of objects in the range after the last piece. */
  readonly remaining: number;
  /** The last key, if objects remain. */
  readonly continueAfter: string | undefined;
}

export interface PagePlanRequest {
  readonly index: RunIndex;
  readonly range: KeyRange;
  readonly limit: number;
  readonly past: PastLog;
  /** The changes to undo, from the current state back to the requested revision. */
  readonly undo: readonly Undo[];
  readonly pin: Pin;
}

export function planPage(request: PagePlanRequest): PagePlan {
  const { index, range, limit, past, undo, pin } = request;
  const { runs } = index;
  const pieces: PagePiece[] = [];
  let taken = 0;
  let remaining = 0;
  let lastKey: string | undefined;
  let undone = 0;
  let isBefore = true;
  let stop = endOf(runs, range);
  for (let at = index.locateAfter(range.lower); at < stop; at++) {
    const run = runs[at]!;
    const mayEndInside = range.upper !== undefined && at === stop - 1;
    if (taken >= limit && undone === undo.length && !mayEndInside) {
      remaining += run.count;
      continue;
    }
    let undoHere = undoBefore(undo, undone, runs[at + 1]?.lower);
    const count = run.count + countDifference(undoHere);
    isBefore &&= compareKeys(run.lower, range.lower) < 0;
    if (isBefore || mayEndInside || (taken < limit && taken + count >= limit)) {
      const current = index.read(at, pin);
      // Reading may have split the run.
      stop = endOf(runs, range);
      undoHere = undoBefore(undo, undone, runs[at + 1]?.lower);
      const restored = undoHere.length === 0 ? current : patchRun(current, past.restore(undoHere));
      const from = isBefore ? restored.firstAfter(range.lower) : 0;
      const end = range.upper === undefined ? restored.count : restored.firstFrom(range.upper);
      const to = Math.min(end, from + limit - taken);
      if (from < to) {
        pieces.push({ kind: 'cut', run: restored, from, to });
        lastKey = restored.key(to - 1);
        taken += to - from;
      }
      remaining += Math.max(0, end - Math.max(from, to));
    } else if (taken >= limit) {
      remaining += count;
    } else if (count > 0 || undoHere.length > 0) {
      taken += count;
      if (run.content) {
        index.touch(run);
        pieces.push({ kind: 'whole', content: run.content.capture(), undo: undoHere });
      } else {
        pin.take();
        pieces.push({ kind: 'unread', lower: run.lower, count: run.count, stamp: run.stamp, undo: undoHere });
      }
    }
    undone += undoHere.length;
  }
  return { pieces, remaining, continueAfter: remaining > 0 ? lastKey : undefined };
}

/** The undos from index `from` on with keys up to `upper`. */
function undoBefore(undo: readonly Undo[], from: number, upper: string | undefined): readonly Undo[] {
  if (from === undo.length) return noUndos;
  let to = from;
  while (to < undo.length && (upper === undefined || compareKeys(undo[to]!.key, upper) <= 0)) to++;
  return from === to ? noUndos : undo.slice(from, to);
}

const noUndos: readonly Undo[] = [];

function countDifference(undo: readonly Undo[]): number {
  let difference = 0;
  for (const { existed, exists } of undo) difference += Number(existed) - Number(exists);
  return difference;
}

/** Index of the first run that starts after the range. */
function endOf(runs: readonly { readonly lower: string }[], { upper }: KeyRange): number {
  if (upper === undefined) return runs.length;
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(runs[middle]!.lower, upper) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
