/**
 * The keys of one resource, in order, cut into runs.
 *
 * Invariants:
 * - Run i holds the keys in (runs[i].lower, runs[i + 1].lower]; the first has '' as its lower end, the last no upper.
 * - Counts are right at all times, for runs whose bytes are at hand and for those whose bytes are not.
 * - A run's stamp is new after every change to its objects; runs cut from one another without a change share it.
 *   So whoever has seen a run and finds its stamp again knows that no object in it has changed.
 */

import type { Change, Revision, StoredObject, View } from '../store.ts';
import type { RunCache } from './runs-cache.ts';
import { RunContent } from './runs-content.ts';
import { EncodedRun } from './runs-encoded.ts';
import { compareKeys } from './runs-order.ts';
import type { Pin } from './runs-pin.ts';
import type { KeyRange } from './runs-request.ts';

export class Run {
  readonly lower: string;
  count: number;
  stamp: number;
  content: RunContent | undefined;
  slot = -1;
  weight = 0;
  readAt = 0;

  constructor(lower: string, count: number, stamp: number) {
    this.lower = lower;
    this.count = count;
    this.stamp = stamp;
  }

  drop(): void {
    this.content = undefined;
  }
}

/** Bounds a run of very small objects. */
const MAX_OBJECTS = 1024;

export class RunIndex {
  readonly prefix: string;
  readonly runs: Run[];
  /** The last change the counts know of. */
  #revision: Revision;
  readonly #cache: RunCache;
  readonly #runBytes: number;
  #usualCount: number;
  #stamp = 0;

  private constructor(
    prefix: string,
    revision: Revision,
    runs: Run[],
    usualCount: number,
    options: RunOptions,
  ) {
    this.prefix = prefix;
    this.runs = runs;
    this.#revision = revision;
    this.#usualCount = usualCount;
    this.#cache = options.cache;
    this.#runBytes = options.runBytes;
  }

  /** Finds where the runs lie by reading keys alone. Yields between steps; the view may be read over many turns. */
  static *build(prefix: string, view: View, options: RunOptions): Generator<void, RunIndex, undefined> {
    const usualCount = guessCount(prefix, view, options.runBytes);
    const runs = [new Run('', 0, 0)];
    let last = runs[0]!;
    let previous = '';
    let keys = 0;
    for (const key of view.keys(`${prefix}/`)) {
      if (last.count === usualCount) {
        last = new Run(previous, 0, 0);
        runs.push(last);
      }
      last.count++;
      previous = key;
      if (++keys % KEYS_PER_STEP === 0) yield;
    }
    return new RunIndex(prefix, view.revision, runs, usualCount, options);
  }

  apply(change: Change): void {
    if (change.revision <= this.#revision) return;
    this.#revision = change.revision;
    const at = this.locate(change.key);
    const run = this.runs[at]!;
    run.stamp = ++this.#stamp;
    if (run.content) this.#follow(run, change);
    if (change.type === 'created') run.count++;
    if (change.type === 'deleted') {
      run.count--;
      this.#mergeIfSmall(at);
    }
  }

  /** How many objects lie in a range, counted by whole runs and no further than `enough`. */
  count({ lower, upper }: KeyRange, enough: number): number {
    const last = upper === undefined ? this.runs.length - 1 : this.locate(upper);
    let count = 0;
    for (let at = this.locateAfter(lower); at <= last && count < enough; at++) count += this.runs[at]!.count;
    return count;
  }

  /** The run that `key` lies in, or would. */
  locate(key: string): number {
    return this.#lastBelow(key, 0);
  }

  /** The run that the first key beyond `key` lies in, if there is one. */
  locateAfter(key: string): number {
    return this.#lastBelow(key, 1);
  }

  /** The objects of run `at`, read from a pin of the present state if need be. May leave a part to a new run after it. */
  read(at: number, pin: Pin): EncodedRun {
    const run = this.runs[at]!;
    if (run.content) {
      this.#cache.touch(run);
      return run.content.encoded();
    }
    const encoded = this.#readAfter(run.lower, run.count, pin);
    this.#install(run, at, encoded);
    return encoded;
  }

  /** As read, for a run as it was when its stamp was `stamp`; if it still is so, what was read is kept. */
  readAgain(lower: string, count: number, stamp: number, pin: Pin): EncodedRun {
    const at = this.locateAfter(lower);
    const run = this.runs[at]!;
    const same = run.lower === lower && run.stamp === stamp;
    if (same && run.content) {
      this.#cache.touch(run);
      return run.content.encoded();
    }
    const encoded = this.#readAfter(lower, count, pin);
    if (same) this.#install(run, at, encoded);
    return encoded;
  }

  /** For runs that are read while they are whole in memory. */
  touch(run: Run): void {
    this.#cache.touch(run);
  }

  /** Lets go of all bytes. */
  clear(): void {
    for (const run of this.runs) this.#drop(run);
  }

  /** The next objects beyond `lower`: at most `count`, and about as many as make a run. */
  #readAfter(lower: string, count: number, pin: Pin): EncodedRun {
    const objects: StoredObject[] = [];
    let size = 0;
    let last = lower;
    while (objects.length < count && objects.length < MAX_OBJECTS) {
      const object = pin.next(this.prefix, last);
      if (!object) throw new Error(`the runs of ${this.prefix} are inconsistent with the store`);
      objects.push(object);
      last = object.key;
      size += object.json.length;
      // A small rest is better taken along than left as a run of its own.
      const restIsSmall = (count - objects.length) * 4 < objects.length;
      if (size >= (restIsSmall ? 2 * this.#runBytes : this.#runBytes)) break;
    }
    return EncodedRun.of(objects);
  }

  #install(run: Run, at: number, encoded: EncodedRun): void {
    const rest = run.count - encoded.count;
    if (rest > 0) {
      this.runs.splice(at + 1, 0, new Run(encoded.key(encoded.count - 1), rest, run.stamp));
      this.#usualCount = encoded.count;
    }
    run.count = encoded.count;
    run.content = new RunContent(encoded);
    this.#cache.keep(run, encoded.weight);
  }

  #follow(run: Run, change: Change): void {
    const item = change.type === 'deleted' ? null : change.object;
    run.content = run.content?.change(change.key, item, 3 * this.#runBytes);
    if (run.content) this.#cache.keep(run, run.content.weight);
    else this.#drop(run);
  }

  #mergeIfSmall(at: number): void {
    const first = this.runs[at + 1] ? at : at - 1;
    const [left, right] = [this.runs[first], this.runs[first + 1]];
    if (!left || !right || (left.count + right.count) * 2 > this.#usualCount) return;
    this.#drop(left);
    this.#drop(right);
    left.count += right.count;
    left.stamp = ++this.#stamp;
    this.runs.splice(first + 1, 1);
  }

  #drop(run: Run): void {
    this.#cache.remove(run);
    run.drop();
  }

  /** The last run whose lower end is before `key` (`most` = 0), or not beyond it (`most` = 1). */
  #lastBelow(key: string, most: 0 | 1): number {
    let low = 0;
    let high = this.runs.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (compareKeys(this.runs[middle]!.lower, key) < most) low = middle;
      else high = middle;
    }
    return low;
  }
}

export interface RunOptions {
  readonly cache: RunCache;
  /** About how large a run is. */
  readonly runBytes: number;
}

const KEYS_PER_STEP = 4096;

/** How many objects make a run, judging by the first few. */
function guessCount(prefix: string, view: View, runBytes: number): number {
  let bytes = 0;
  let objects = 0;
  for (const object of view.range(`${prefix}/`)) {
    bytes += object.json.length + 1;
    if (++objects === 8) break;
  }
  if (objects === 0) return MAX_OBJECTS;
  return Math.min(MAX_OBJECTS, Math.max(1, Math.round((runBytes * objects) / bytes)));
}
