/** Lays out a page before anything of it is written: its pieces, its last key and how many objects follow. */
import type { PastLog } from './past.ts';
import type { Undo } from './past-overlay.ts';
import type { RunIndex } from './runs-index.ts';
import { compareKeys } from './runs-order.ts';
import type { Piece } from './runs-piece.ts';
import type { Pin } from './runs-pin.ts';
import type { KeyRange } from './runs-request.ts';

export interface Plan {
  readonly pieces: Piece[];
  /** How many objects of the range the pieces leave out. */
  readonly remaining: number;
  /** The last key, if objects remain. */
  readonly continueAfter: string | undefined;
}

export interface PlanRequest {
  readonly index: RunIndex;
  readonly range: KeyRange;
  /** Infinity for all. */
  readonly limit: number;
  readonly past: PastLog;
  /** What to undo to get from the present to the state asked for. */
  readonly undo: readonly Undo[];
  readonly pin: Pin;
}

export function plan(request: PlanRequest): Plan {
  const { index, range, limit, past, undo, pin } = request;
  const { runs } = index;
  const pieces: Piece[] = [];
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
    const count = run.count + gained(undoHere);
    isBefore &&= compareKeys(run.lower, range.lower) < 0;
    if (isBefore || mayEndInside || (taken < limit && taken + count >= limit)) {
      const present = index.read(at, pin);
      // Reading may have left a part of the run to a new one.
      stop = endOf(runs, range);
      undoHere = undoBefore(undo, undone, runs[at + 1]?.lower);
      const then = undoHere.length === 0 ? present : present.patched(past.restore(undoHere));
      const from = isBefore ? then.firstAfter(range.lower) : 0;
      const end = range.upper === undefined ? then.count : then.firstFrom(range.upper);
      const to = Math.min(end, from + limit - taken);
      if (from < to) {
        pieces.push({ kind: 'cut', run: then, from, to });
        lastKey = then.key(to - 1);
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

/** The undos from `from` on that concern keys up to `upper`. */
function undoBefore(undo: readonly Undo[], from: number, upper: string | undefined): readonly Undo[] {
  if (from === undo.length) return none;
  let to = from;
  while (to < undo.length && (upper === undefined || compareKeys(undo[to]!.key, upper) <= 0)) to++;
  return from === to ? none : undo.slice(from, to);
}

const none: readonly Undo[] = [];

function gained(undo: readonly Undo[]): number {
  let gain = 0;
  for (const { existed, exists } of undo) gain += Number(existed) - Number(exists);
  return gain;
}

/** Where the runs that begin beyond the range begin. */
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
