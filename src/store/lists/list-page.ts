/**
 * One page of a list, read lazily from encoded runs (buffers of neighbouring objects).
 *
 * Invariants:
 * - A page is a snapshot at its revision, however long it takes to read.
 * - Its memory shrinks while it is read; a view is pinned only while runs remain that must be read from it.
 * - A page is read once: as chunks, objects, batches or runs.
 */

import { type Chunk, yieldPause } from '../../base/chunk.ts';
import type { Selection } from '../selection.ts';
import type { Revision } from '../store.ts';
import type { EncodedRun } from './encoded-run.ts';
import type { ListedObject } from './listed-object.ts';
import type { PageSegment, RunRange, SegmentReader } from './page-segments.ts';

/** How to serve objects whose bytes were written under another schema. */
export interface SchemaUpgrade {
  /** Identifies the current schema: objects with this fingerprint are served as they are stored. */
  readonly schemaFingerprint: string;
  /** Encodes the object as a list item. */
  encode(object: ListedObject): Buffer;
}

export interface ListPage {
  readonly revision: Revision;
  /** The key of the last object, if more follow. */
  readonly continueAfter?: string;
  /** remainingItemCount; known only without a selector. */
  readonly remaining?: number;
  /**
   * Buffers that, concatenated, are `object,object,…`, with a pause where nothing matched for a while. Throws
   * ListReleased after release, Compacted if the history of a past revision was compacted.
   */
  chunks(upgrade?: SchemaUpgrade): Iterable<Chunk>;
  objects(): Iterable<ListedObject>;
  /** The objects in batches; a batch may be empty where nothing matched for a while. */
  batches(): Iterable<readonly ListedObject[]>;
  /**
   * The runs of the page, with the range of objects in each that belong to it (possibly empty). Undefined for pages
   * without runs.
   */
  runs?(): Iterable<RunRange>;
  /** Releases all memory and the pinned view. Reading to the end releases them too. */
  release(): void;
}

export interface PageParts {
  readonly revision: Revision;
  readonly segments: PageSegment[];
  readonly reader: SegmentReader;
  readonly select: Selection | undefined;
  /** Maximum number of selected objects; Infinity for all. */
  readonly limit: number;
  readonly continueAfter?: string | undefined;
  readonly remaining?: number | undefined;
  /** Called with the number of objects that were read and returned, if there is a selector. */
  readonly onRead?: ((examined: number, returned: number) => void) | undefined;
}

export class RunPage implements ListPage {
  readonly revision: Revision;
  readonly continueAfter?: string;
  readonly remaining?: number;
  readonly #reader: SegmentReader;
  readonly #select: Selection | undefined;
  readonly #limit: number;
  readonly #onRead: PageParts['onRead'];
  /** Undefined: already read. */
  readonly #segments: (PageSegment | undefined)[];
  /** Number of segments that need the pinned view. */
  #unreadCount: number;

  constructor(parts: PageParts) {
    this.revision = parts.revision;
    if (parts.continueAfter !== undefined) this.continueAfter = parts.continueAfter;
    if (parts.remaining) this.remaining = parts.remaining;
    this.#reader = parts.reader;
    this.#select = parts.select;
    this.#limit = parts.limit;
    this.#onRead = parts.onRead;
    this.#segments = parts.segments;
    this.#unreadCount = countUnread(parts.segments);
    if (this.#unreadCount === 0) this.#reader.view.unpin();
  }

  *chunks(upgrade?: SchemaUpgrade): Generator<Chunk, void, undefined> {
    let emptyRanges = 0;
    let isFirst = true;
    let lastRun: EncodedRun | undefined;
    // Whether all objects of `lastRun` can be sent as they are.
    let hasCurrentSchema = true;
    for (const { run, from, to } of this.#selectedRanges()) {
      if (from === to) {
        if (++emptyRanges % RUNS_PER_TURN === 0) yield yieldPause;
        continue;
      }
      emptyRanges = 0;
      if (run !== lastRun) {
        lastRun = run;
        hasCurrentSchema =
          !upgrade ||
          run.properties.every((shared) => shared.schemaFingerprint === upgrade.schemaFingerprint);
      }
      if (hasCurrentSchema) {
        // Every object in a run has a comma in front, which the first of the page must not have.
        const start = run.start(from) + (isFirst ? 1 : 0);
        yield run.bytes.subarray(start, run.end(to - 1));
      } else {
        if (!isFirst) yield comma;
        yield* upgradedItems({ run, from, to }, upgrade!);
      }
      isFirst = false;
    }
  }

  *objects(): Generator<ListedObject, void, undefined> {
    for (const batch of this.batches()) yield* batch;
  }

  *batches(): Generator<readonly ListedObject[], void, undefined> {
    for (const { run, from, to } of this.#selectedRanges()) {
      yield Array.from({ length: to - from }, (_, i) => run.object(from + i));
    }
  }

  runs(): Iterable<RunRange> {
    return this.#selectedRanges();
  }

  release(): void {
    this.#segments.length = 0;
    this.#reader.view.release();
  }

  /**
   * Ranges of selected objects, up to the limit. With a selector, every run starts with an empty range, so that readers
   * notice runs without a match.
   */
  *#selectedRanges(): Generator<RunRange, void, undefined> {
    this.#reader.view.assertNotReleased();
    let remainingLimit = this.#limit;
    let examined = 0;
    let returned = 0;
    try {
      for (let i = 0; i < this.#segments.length && remainingLimit > 0; i++) {
        const segment = this.#segments[i]!;
        for (const range of this.#reader.read(segment)) {
          if (!this.#select) {
            yield range;
            continue;
          }
          examined += range.to - range.from;
          yield { run: range.run, from: 0, to: 0 };
          for (const { run, from, to: matchEnd } of selectedWithin(range, this.#select)) {
            const to = Math.min(matchEnd, from + remainingLimit);
            remainingLimit -= to - from;
            returned += to - from;
            yield { run, from, to };
            if (remainingLimit === 0) break;
          }
          if (remainingLimit === 0) break;
        }
        // The reader of the page may have released it between two ranges.
        this.#reader.view.assertNotReleased();
        // Free what has been read, so that slow clients do not hold it in memory.
        this.#segments[i] = undefined;
        if (segment.kind === 'unread' && --this.#unreadCount === 0) this.#reader.view.unpin();
      }
    } finally {
      this.#onRead?.(examined, returned);
      this.release();
    }
  }
}

/** The objects of a range as `object,object,…`, encoded again where their schema is not the current one. */
function* upgradedItems(
  { run, from, to }: RunRange,
  upgrade: SchemaUpgrade,
): Generator<Buffer, void, undefined> {
  for (let i = from; i < to; i++) {
    if (i > from) yield comma;
    const object = run.object(i);
    yield object.schemaFingerprint === upgrade.schemaFingerprint ? object.item : upgrade.encode(object);
  }
}

/** The maximal ranges within this one whose objects all match the selector. */
function* selectedWithin(
  { run, from, to }: RunRange,
  select: Selection,
): Generator<RunRange, void, undefined> {
  const matches = run.properties.map((shared) =>
    select.matchesLabelsAndFields(shared.labels, shared.selectableFields),
  );
  let start = -1;
  for (let i = from; i < to; i++) {
    const isSelected =
      matches[run.propertiesIndex[i]!]! && (!select.hasKeyPredicate || select.matchesKey(run.key(i)));
    if (isSelected && start === -1) start = i;
    if (!isSelected && start !== -1) {
      yield { run, from: start, to: i };
      start = -1;
    }
  }
  if (start !== -1) yield { run, from: start, to };
}

/**
 * Finds the end of a page of at most `limit` selected objects: the key of its last object, if any object follows it,
 * selected or not. Yields between steps, and drops the segments beyond the end of the page.
 */
export function* findContinueKey(
  segments: PageSegment[],
  reader: SegmentReader,
  select: Selection,
  limit: number,
): Generator<void, string | undefined, undefined> {
  let remainingLimit = limit;
  let lastKey: string | undefined;
  let runs = 0;
  for (let i = 0; i < segments.length; i++) {
    for (const range of reader.read(segments[i]!)) {
      if (lastKey !== undefined) {
        // The page ended with the range before; it has a continue key if any object follows.
        if (range.from === range.to) continue;
        segments.length = i + 1;
        return lastKey;
      }
      for (const match of selectedWithin(range, select)) {
        const end = Math.min(match.to, match.from + remainingLimit);
        remainingLimit -= end - match.from;
        if (remainingLimit > 0) continue;
        lastKey = match.run.key(end - 1);
        if (end < range.to) {
          segments.length = i + 1;
          return lastKey;
        }
        break;
      }
      if (++runs % RUNS_PER_TURN === 0) yield;
    }
  }
  return undefined;
}

function countUnread(segments: readonly PageSegment[]): number {
  let unread = 0;
  for (const segment of segments) if (segment.kind === 'unread') unread++;
  return unread;
}

/** After this many runs (without a match, if the page is being served) the reader yields to the event loop. */
const RUNS_PER_TURN = 64;
const comma = Buffer.from(',');
