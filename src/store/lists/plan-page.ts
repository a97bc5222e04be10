/**
 * Plans a page of a list: its segments, its continue key and remainingItemCount.
 *
 * Runs (buffers of neighbouring objects) have exact counts, so only the runs at the boundaries of the page are read
 * here. The others become segments that are read when the page is sent.
 */
import { compareKeys } from './key-order.ts';
import type { LazyView } from './lazy-view.ts';
import type { KeyRange } from './list-request.ts';
import type { PageSegment } from './page-segments.ts';
import type { PastLog } from './past-log.ts';
import type { Undo } from './past-overlay.ts';
import type { Run, RunIndex } from './run-index.ts';
import { patchRun } from './run-writer.ts';

export interface PagePlan {
  readonly segments: PageSegment[];
  /** Number of objects in the range after the last segment. */
  readonly remaining: number;
  /** The last key, if objects remain. */
  readonly continueAfter: string | undefined;
}

export interface PagePlanRequest {
  readonly index: RunIndex;
  readonly range: KeyRange;
  /** Maximum number of objects; Infinity for all. */
  readonly limit: number;
  readonly pastLog: PastLog;
  /** How to restore the keys in the range that have changed since the requested revision, in key order. */
  readonly undos: readonly Undo[];
  readonly view: LazyView;
}

export function planPage(request: PagePlanRequest): PagePlan {
  return new PagePlanner(request).plan();
}

class PagePlanner {
  readonly #request: PagePlanRequest;
  readonly #segments: PageSegment[] = [];
  /** Number of objects on the page so far. */
  #taken = 0;
  /** Number of undos that belong to the runs visited so far. */
  #visitedUndos = 0;
  #remaining = 0;
  #lastKey: string | undefined;

  constructor(request: PagePlanRequest) {
    this.#request = request;
  }

  plan(): PagePlan {
    const { index, range, limit } = this.#request;
    const { runs } = index;
    let startsBeforeRange = true;
    let runsEnd = findRunsEnd(runs, range);
    for (let i = index.indexAfter(range.lower); i < runsEnd; i++) {
      const rangeMayEndInside = range.upper !== undefined && i === runsEnd - 1;
      if (this.#taken >= limit && !rangeMayEndInside) {
        // The page is full: the runs up to the last one that is wholly in the range need only be counted.
        const end = range.upper === undefined ? runsEnd : runsEnd - 1;
        this.#countRuns(i, end);
        i = end - 1;
        continue;
      }
      const run = runs[i]!;
      const undosOfRun = this.#undosOf(i);
      const count = run.count + countDifference(undosOfRun);
      startsBeforeRange &&= compareKeys(run.lower, range.lower) < 0;
      const pageMayEndInside = this.#taken < limit && this.#taken + count >= limit;
      if (startsBeforeRange || rangeMayEndInside || pageMayEndInside) {
        this.#addSlice(i, startsBeforeRange);
        // Reading may have split the run.
        runsEnd = findRunsEnd(runs, range);
        continue;
      }
      if (count > 0 || undosOfRun.length > 0) this.#addWholeRun(run, count, undosOfRun);
      this.#visitedUndos += undosOfRun.length;
    }
    return {
      segments: this.#segments,
      remaining: this.#remaining,
      continueAfter: this.#remaining > 0 ? this.#lastKey : undefined,
    };
  }

  /** Counts the objects of the runs [from, to) at the requested revision. */
  #countRuns(from: number, to: number): void {
    const undos = this.#undosBefore(to);
    this.#remaining += this.#request.index.countOfRuns(from, to) + countDifference(undos);
    this.#visitedUndos += undos.length;
  }

  /** Reads a run in which the range or the page may start or end, and adds the part that belongs to the page. */
  #addSlice(runIndex: number, startsBeforeRange: boolean): void {
    const { index, range, limit, pastLog, view } = this.#request;
    const currentRun = index.read(runIndex, view);
    const undos = this.#undosOf(runIndex);
    const run = undos.length === 0 ? currentRun : patchRun(currentRun, pastLog.readPastStates(undos));
    const from = startsBeforeRange ? run.firstAfter(range.lower) : 0;
    const end = range.upper === undefined ? run.count : run.firstFrom(range.upper);
    const to = Math.min(end, from + limit - this.#taken);
    if (from < to) {
      this.#segments.push({ kind: 'slice', run, from, to });
      this.#lastKey = run.key(to - 1);
      this.#taken += to - from;
    }
    this.#remaining += Math.max(0, end - Math.max(from, to));
    this.#visitedUndos += undos.length;
  }

  /** `count`: the number of objects at the requested revision. */
  #addWholeRun(run: Run, count: number, undos: readonly Undo[]): void {
    const { index, view } = this.#request;
    this.#taken += count;
    if (run.content) {
      index.touch(run);
      this.#segments.push({ kind: 'cached', content: run.content.capture(), undos });
      return;
    }
    // The segment is read later, from the state of now.
    view.pin();
    const { lower, stamp } = run;
    this.#segments.push({ kind: 'unread', lower, count: run.count, stamp, undos });
  }

  /** The undos of the keys in a run; those before it have been visited. */
  #undosOf(runIndex: number): readonly Undo[] {
    return this.#undosBefore(runIndex + 1);
  }

  /** The undos of the keys before a run that have not been visited. */
  #undosBefore(runIndex: number): readonly Undo[] {
    const { index, undos } = this.#request;
    const from = this.#visitedUndos;
    if (from === undos.length) return noUndos;
    const upper = index.runs[runIndex]?.lower;
    let to = from;
    while (to < undos.length && (upper === undefined || compareKeys(undos[to]!.key, upper) <= 0)) to++;
    return from === to ? noUndos : undos.slice(from, to);
  }
}

const noUndos: readonly Undo[] = [];

/** How many more objects existed at the requested revision than do now. */
function countDifference(undos: readonly Undo[]): number {
  let difference = 0;
  for (const { existed, exists } of undos) difference += Number(existed) - Number(exists);
  return difference;
}

/** Index of the first run that starts after the range. */
function findRunsEnd(runs: readonly Run[], { upper }: KeyRange): number {
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
