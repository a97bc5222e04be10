/**
 * Plans a page: its pieces, its continue key and remainingItemCount.
 *
 * Runs (buffers of neighbouring objects) have exact counts, so only the runs at the boundaries of the page are read
 * here. The others become pieces that are read with the page.
 */
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
  /** How to restore the keys in the range that have changed since the requested revision, in key order. */
  readonly undo: readonly Undo[];
  readonly pin: Pin;
}

export function planPage(request: PagePlanRequest): PagePlan {
  const { index, range, limit, past, undo, pin } = request;
  const { runs } = index;
  const pieces: PagePiece[] = [];
  // Number of objects on the page so far, and of undos that belong to the runs so far.
  let taken = 0;
  let undone = 0;
  let remaining = 0;
  let lastKey: string | undefined;
  let startsBeforeRange = true;
  let runsEnd = endOf(runs, range);
  for (let at = index.locateAfter(range.lower); at < runsEnd; at++) {
    const run = runs[at]!;
    const mayEndInside = range.upper !== undefined && at === runsEnd - 1;
    // The page is full, and nothing is undone in this run or those after it.
    if (taken >= limit && undone === undo.length && !mayEndInside) {
      remaining += run.count;
      continue;
    }
    let undosOfRun = undosUpTo(undo, undone, runs[at + 1]?.lower);
    const count = run.count + countDifference(undosOfRun);
    startsBeforeRange &&= compareKeys(run.lower, range.lower) < 0;
    if (startsBeforeRange || mayEndInside || (taken < limit && taken + count >= limit)) {
      // A boundary of the range or of the page may be inside this run.
      const currentRun = index.read(at, pin);
      // Reading may have split the run.
      runsEnd = endOf(runs, range);
      undosOfRun = undosUpTo(undo, undone, runs[at + 1]?.lower);
      const restored = undosOfRun.length === 0 ? currentRun : patchRun(currentRun, past.restore(undosOfRun));
      const from = startsBeforeRange ? restored.firstAfter(range.lower) : 0;
      const end = range.upper === undefined ? restored.count : restored.firstFrom(range.upper);
      const to = Math.min(end, from + limit - taken);
      if (from < to) {
        pieces.push({ kind: 'slice', run: restored, from, to });
        lastKey = restored.key(to - 1);
        taken += to - from;
      }
      remaining += Math.max(0, end - Math.max(from, to));
    } else if (taken >= limit) {
      remaining += count;
    } else if (count > 0 || undosOfRun.length > 0) {
      taken += count;
      if (run.content) {
        index.touch(run);
        pieces.push({ kind: 'cached', content: run.content.capture(), undo: undosOfRun });
      } else {
        pin.take();
        pieces.push({
          kind: 'unread',
          lower: run.lower,
          count: run.count,
          stamp: run.stamp,
          undo: undosOfRun,
        });
      }
    }
    undone += undosOfRun.length;
  }
  return { pieces, remaining, continueAfter: remaining > 0 ? lastKey : undefined };
}

/** The undos from index `from` on with keys up to `upper`. */
function undosUpTo(undo: readonly Undo[], from: number, upper: string | undefined): readonly Undo[] {
  if (from === undo.length) return noUndos;
  let to = from;
  while (to < undo.length && (upper === undefined || compareKeys(undo[to]!.key, upper) <= 0)) to++;
  return from === to ? noUndos : undo.slice(from, to);
}

const noUndos: readonly Undo[] = [];

/** How many more objects existed at the requested revision than do now. */
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
