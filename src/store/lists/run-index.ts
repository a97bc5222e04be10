/**
 * Index of one resource's keys, divided into runs: ranges of neighbouring keys whose objects are encoded as one buffer.
 *
 * Invariants:
 * - Run i holds the keys in (runs[i].lower, runs[i + 1].lower]; the first run has lower bound '', the last has no
 *   upper bound.
 * - Counts are always exact, whether or not a run's bytes are cached.
 * - A run gets a new stamp after every change to its objects; runs split from one another without a change share it.
 *   Equal stamps therefore mean that no object in the run has changed.
 */

import type { Change, Revision, StoredObject, View } from '../store.ts';
import type { EncodedRun } from './encoded-run.ts';
import { compareKeys } from './key-order.ts';
import type { LazyView } from './lazy-view.ts';
import type { KeyRange } from './list-request.ts';
import type { RunCache } from './run-cache.ts';
import { RunContent } from './run-content.ts';
import { RunCounts } from './run-counts.ts';
import { encodeRun } from './run-writer.ts';

/** One run, which is also its entry in the RunCache (`slot`, `weight`, `lastRead`, `drop`). */
export class Run {
  /** The lower bound, exclusive: the last key of the run before it. */
  readonly lower: string;
  /** Number of objects. */
  count: number;
  /** Changes with every change to an object of the run. */
  stamp: number;
  /** The encoded objects; undefined if they are not cached. */
  content: RunContent | undefined;
  slot = -1;
  weight = 0;
  lastRead = 0;

  constructor(lower: string, count: number, stamp: number) {
    this.lower = lower;
    this.count = count;
    this.stamp = stamp;
  }

  drop(): void {
    this.content = undefined;
  }
}

/** Bounds the number of objects in a run of very small objects. */
const MAX_OBJECTS = 1024;

export class RunIndex {
  readonly prefix: string;
  readonly runs: Run[];
  readonly #counts: RunCounts;
  /** The latest revision that the counts include. */
  #revision: Revision;
  readonly #cache: RunCache;
  readonly #runBytes: number;
  /** Number of objects in a run of about `runBytes`. */
  #typicalCount: number;
  /** The last stamp that was given to a run. */
  #stamp = 0;

  private constructor(
    prefix: string,
    revision: Revision,
    runs: Run[],
    typicalCount: number,
    options: RunOptions,
  ) {
    this.prefix = prefix;
    this.runs = runs;
    this.#counts = new RunCounts(runs);
    this.#revision = revision;
    this.#typicalCount = typicalCount;
    this.#cache = options.cache;
    this.#runBytes = options.runBytes;
  }

  /**
   * Determines run boundaries from the keys; of the objects it reads only a few, to estimate their size. Yields between
   * steps, so the view may be read over many turns.
   */
  static *build(prefix: string, view: View, options: RunOptions): Generator<void, RunIndex, undefined> {
    const typicalCount = estimateCount(prefix, view, options.runBytes);
    const runs = [new Run('', 0, 0)];
    let lastRun = runs[0]!;
    let previousKey = '';
    let keys = 0;
    for (const key of view.keys(`${prefix}/`)) {
      if (lastRun.count === typicalCount) {
        lastRun = new Run(previousKey, 0, 0);
        runs.push(lastRun);
      }
      lastRun.count++;
      previousKey = key;
      if (++keys % KEYS_PER_STEP === 0) yield;
    }
    return new RunIndex(prefix, view.revision, runs, typicalCount, options);
  }

  /** Ignores a change that the index already includes. */
  apply(change: Change): void {
    if (change.revision <= this.#revision) return;
    this.#revision = change.revision;
    const runIndex = this.indexContaining(change.key);
    const run = this.runs[runIndex]!;
    run.stamp = ++this.#stamp;
    if (run.content) this.#patchContent(run, change);
    if (change.type === 'updated') return;
    const difference = change.type === 'created' ? 1 : -1;
    run.count += difference;
    this.#counts.add(runIndex, difference);
    if (change.type === 'deleted') this.#mergeIfSmall(runIndex);
  }

  /** Number of objects of the resource. */
  get total(): number {
    return this.#counts.total;
  }

  /** Number of objects in the first runs after a key. */
  countAfter(key: string, runs: number): number {
    const from = this.indexAfter(key);
    return this.countOfRuns(from, Math.min(from + runs, this.runs.length));
  }

  /** Number of objects in the runs [from, to). */
  countOfRuns(from: number, to: number): number {
    return this.#counts.sum(from, to);
  }

  /** Number of objects in a range, rounded up to whole runs and counted no further than `maxCount`. */
  count({ lower, upper }: KeyRange, maxCount: number): number {
    const last = upper === undefined ? this.runs.length - 1 : this.indexContaining(upper);
    let count = 0;
    for (let i = this.indexAfter(lower); i <= last && count < maxCount; i++) count += this.runs[i]!.count;
    return count;
  }

  /** Index of the run that contains `key`, or would contain it. */
  indexContaining(key: string): number {
    return this.#lastBelow(key, 'exclusive');
  }

  /** Index of the run that contains the first key after `key`, if there is one. */
  indexAfter(key: string): number {
    return this.#lastBelow(key, 'inclusive');
  }

  /**
   * The objects of a run, read from a view of the current state if they are not cached. May split off the run's tail as
   * a new run.
   */
  read(runIndex: number, view: LazyView): EncodedRun {
    const run = this.runs[runIndex]!;
    if (run.content) {
      this.#cache.touch(run);
      return run.content.mergePatches();
    }
    const encoded = this.#readAfter(run.lower, run.count, view);
    this.#install(run, runIndex, encoded);
    return encoded;
  }

  /**
   * Reads up to `count` objects after `lower`, which were a run with this stamp when a page was planned. The result is
   * cached if that run has not changed since.
   */
  readPlanned(lower: string, count: number, stamp: number, view: LazyView): EncodedRun {
    const runIndex = this.indexAfter(lower);
    const run = this.runs[runIndex]!;
    const isUnchanged = run.lower === lower && run.stamp === stamp;
    if (isUnchanged && run.content) {
      this.#cache.touch(run);
      return run.content.mergePatches();
    }
    const encoded = this.#readAfter(lower, count, view);
    if (isUnchanged) this.#install(run, runIndex, encoded);
    return encoded;
  }

  /** Marks a run as recently read without reading it through the index. */
  touch(run: Run): void {
    this.#cache.touch(run);
  }

  /** Frees all cached bytes. */
  clear(): void {
    for (const run of this.runs) this.#drop(run);
  }

  /** Encodes the objects after `lower`: at most `count`, and no more than fit into a run. */
  #readAfter(lower: string, count: number, view: LazyView): EncodedRun {
    const objects: StoredObject[] = [];
    let size = 0;
    let lastKey = lower;
    while (objects.length < count && objects.length < MAX_OBJECTS) {
      const object = view.nextObject(this.prefix, lastKey);
      if (!object) throw new Error(`the runs of ${this.prefix} are inconsistent with the store`);
      objects.push(object);
      lastKey = object.key;
      size += object.json.length;
      // Include a small remainder instead of leaving it as a run of its own.
      const isRemainderSmall = (count - objects.length) * 4 < objects.length;
      if (size >= (isRemainderSmall ? 2 * this.#runBytes : this.#runBytes)) break;
    }
    return encodeRun(objects);
  }

  /** Caches the content of a run. Splits off the objects that did not fit into `encoded`. */
  #install(run: Run, runIndex: number, encoded: EncodedRun): void {
    const remainder = run.count - encoded.count;
    run.count = encoded.count;
    if (remainder > 0) {
      const lastKey = encoded.key(encoded.count - 1);
      this.#counts.add(runIndex, -remainder);
      this.runs.splice(runIndex + 1, 0, new Run(lastKey, remainder, run.stamp));
      this.#counts.inserted(runIndex + 1);
      this.#typicalCount = encoded.count;
    }
    run.content = new RunContent(encoded);
    this.#cache.addOrUpdate(run, encoded.weight);
  }

  #patchContent(run: Run, change: Change): void {
    const object = change.type === 'deleted' ? null : change.object;
    run.content = run.content?.withChange(change.key, object, MAX_GROWTH * this.#runBytes);
    if (run.content) this.#cache.addOrUpdate(run, run.content.weight);
    else this.#drop(run);
  }

  /** Merges a run with its neighbour if both together are at most half a run. */
  #mergeIfSmall(runIndex: number): void {
    const first = this.runs[runIndex + 1] ? runIndex : runIndex - 1;
    const [left, right] = [this.runs[first], this.runs[first + 1]];
    if (!left || !right || (left.count + right.count) * 2 > this.#typicalCount) return;
    this.#drop(left);
    this.#drop(right);
    left.count += right.count;
    left.stamp = ++this.#stamp;
    this.#counts.add(first, right.count);
    this.runs.splice(first + 1, 1);
    this.#counts.removed(first + 1, right.count);
  }

  #drop(run: Run): void {
    this.#cache.remove(run);
    run.drop();
  }

  /** Index of the last run whose lower bound is < `key`, or <= `key` if that is inclusive. */
  #lastBelow(key: string, bound: 'exclusive' | 'inclusive'): number {
    let low = 0;
    let high = this.runs.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const order = compareKeys(this.runs[middle]!.lower, key);
      if (bound === 'inclusive' ? order <= 0 : order < 0) low = middle;
      else high = middle;
    }
    return low;
  }
}

export interface RunOptions {
  readonly cache: RunCache;
  /** Approximate size of a run. */
  readonly runBytes: number;
}

const KEYS_PER_STEP = 4096;
/** A run that has grown to this many times its size is dropped, and divided when it is read again. */
const MAX_GROWTH = 3;
/** Number of objects from which the size of an object is estimated. */
const SAMPLES = 8;

/** Estimates the number of objects per run from the first few. */
function estimateCount(prefix: string, view: View, runBytes: number): number {
  let bytes = 0;
  let objects = 0;
  for (const object of view.range(`${prefix}/`)) {
    bytes += object.json.length + 1;
    if (++objects === SAMPLES) break;
  }
  if (objects === 0) return MAX_OBJECTS;
  return Math.min(MAX_OBJECTS, Math.max(1, Math.round((runBytes * objects) / bytes)));
}
