/**
 * One page of a list, read lazily.
 *
 * Invariants:
 * - It is one state, that of its revision, however long it takes to be read.
 * - What it holds in memory shrinks as it is read; a view is pinned only while runs remain that must be read from it.
 * - It is read once, as chunks, as objects, as batches of them or as runs.
 */

import type { Selection } from '../selection.ts';
import type { Revision } from '../store.ts';
import type { EncodedRun } from './runs-encoded.ts';
import type { ListedObject } from './runs-object.ts';
import type { Piece, PieceReader, Stretch } from './runs-piece.ts';

/** What to do with objects whose bytes were written under another schema than today's. */
export interface Freshness {
  readonly mark: string;
  /** The object as an item of a list. */
  encode(object: ListedObject): Buffer;
}

export interface ListPage {
  readonly revision: Revision;
  /** The key of the last object, when more follow it. */
  readonly continueAfter?: string;
  /** How many follow; known only where nothing is selected. */
  readonly remaining?: number;
  /**
   * Buffers that joined are `object,object,…`. An empty one says that nothing was found for a while: a reader lets
   * the event loop turn and comes back. Throws ListReleased once released, Compacted when a past state is gone.
   */
  chunks(fresh?: Freshness): Iterable<Buffer>;
  objects(): Iterable<ListedObject>;
  /** The objects, some at a time; sometimes none, as with chunks. */
  batches(): Iterable<readonly ListedObject[]>;
  /** The runs it reads, with the objects of each that belong to it: sometimes none. Undefined where it reads no runs. */
  runs?(): Iterable<Stretch>;
  /** Lets go of everything, also of a pinned view. Reading to the end does so by itself. */
  release(): void;
}

export interface PageParts {
  readonly revision: Revision;
  readonly pieces: Piece[];
  readonly reader: PieceReader;
  readonly select: Selection | undefined;
  /** How many of the selected objects to give; Infinity for all. */
  readonly limit: number;
  readonly continueAfter?: string | undefined;
  readonly remaining?: number | undefined;
}

export class RunPage implements ListPage {
  readonly revision: Revision;
  readonly continueAfter?: string;
  readonly remaining?: number;
  readonly #reader: PieceReader;
  readonly #select: Selection | undefined;
  readonly #limit: number;
  readonly #pieces: (Piece | undefined)[];
  #unread: number;

  constructor(parts: PageParts) {
    this.revision = parts.revision;
    if (parts.continueAfter !== undefined) this.continueAfter = parts.continueAfter;
    if (parts.remaining) this.remaining = parts.remaining;
    this.#reader = parts.reader;
    this.#select = parts.select;
    this.#limit = parts.limit;
    this.#pieces = parts.pieces;
    this.#unread = countUnread(parts.pieces);
    if (this.#unread === 0) this.#reader.pin.unpin();
  }

  *chunks(fresh?: Freshness): Generator<Buffer, void, undefined> {
    let idle = 0;
    let isFirst = true;
    let looked: EncodedRun | undefined;
    let isFresh = true;
    for (const { run, from, to } of this.#chosen()) {
      if (from === to) {
        if (++idle % RUNS_PER_TURN === 0) yield nothing;
        continue;
      }
      idle = 0;
      if (run !== looked) {
        looked = run;
        isFresh = !fresh || run.traits.every((traits) => traits.mark === fresh.mark);
      }
      if (isFresh) {
        // In a run every object has a comma in front.
        yield run.bytes.subarray(run.start(from) + (isFirst ? 1 : 0), run.end(to - 1));
      } else {
        for (let i = from; i < to; i++) {
          if (!isFirst || i > from) yield comma;
          const object = run.object(i);
          yield object.mark === fresh!.mark ? object.item : fresh!.encode(object);
        }
      }
      isFirst = false;
    }
  }

  *objects(): Generator<ListedObject, void, undefined> {
    for (const batch of this.batches()) yield* batch;
  }

  *batches(): Generator<readonly ListedObject[], void, undefined> {
    for (const { run, from, to } of this.#chosen()) {
      yield Array.from({ length: to - from }, (_, i) => run.object(from + i));
    }
  }

  runs(): Iterable<Stretch> {
    return this.#chosen();
  }

  release(): void {
    this.#pieces.length = 0;
    this.#reader.pin.release();
  }

  /** The stretches of selected objects, up to the limit. With a selection every run begins with an empty one. */
  *#chosen(): Generator<Stretch, void, undefined> {
    this.#reader.pin.check();
    let left = this.#limit;
    try {
      for (let p = 0; p < this.#pieces.length && left > 0; p++) {
        const piece = this.#pieces[p]!;
        for (const stretch of this.#reader.open(piece)) {
          if (!this.#select) {
            yield stretch;
            continue;
          }
          yield { run: stretch.run, from: 0, to: 0 };
          for (const part of selected(stretch, this.#select)) {
            const to = Math.min(part.to, part.from + left);
            left -= to - part.from;
            yield { run: part.run, from: part.from, to };
            if (left === 0) break;
          }
          if (left === 0) break;
        }
        this.#reader.pin.check();
        // What has been read need not be kept for those who read slowly.
        this.#pieces[p] = undefined;
        if (piece.kind === 'unread' && --this.#unread === 0) this.#reader.pin.unpin();
      }
    } finally {
      this.release();
    }
  }
}

/** The longest stretches within this one whose objects are all selected. */
export function* selected(
  { run, from, to }: Stretch,
  select: Selection,
): Generator<Stretch, void, undefined> {
  const answers = run.traits.map((traits) => select.matchesTraits(traits.labels, traits.fields));
  let start = -1;
  for (let i = from; i < to; i++) {
    const chosen = answers[run.traitOf[i]!]! && (!select.looksAtKeys || select.matchesKey(run.key(i)));
    if (chosen && start === -1) start = i;
    if (!chosen && start !== -1) {
      yield { run, from: start, to: i };
      start = -1;
    }
  }
  if (start !== -1) yield { run, from: start, to };
}

/**
 * Where a page of at most `limit` selected objects ends: the key of its last object, if anything follows that,
 * selected or not. Yields between steps, and drops the pieces the page does not get to.
 */
export function* findEnd(
  pieces: Piece[],
  reader: PieceReader,
  select: Selection,
  limit: number,
): Generator<void, string | undefined, undefined> {
  let left = limit;
  let last: string | undefined;
  let runs = 0;
  for (let p = 0; p < pieces.length; p++) {
    for (const stretch of reader.open(pieces[p]!)) {
      if (last !== undefined) {
        if (stretch.from === stretch.to) continue;
        pieces.length = p + 1;
        return last;
      }
      for (const part of selected(stretch, select)) {
        const end = Math.min(part.to, part.from + left);
        left -= end - part.from;
        if (left > 0) continue;
        last = part.run.key(end - 1);
        if (end < stretch.to) {
          pieces.length = p + 1;
          return last;
        }
        break;
      }
      if (++runs % RUNS_PER_TURN === 0) yield;
    }
  }
  return undefined;
}

function countUnread(pieces: readonly Piece[]): number {
  let unread = 0;
  for (const piece of pieces) if (piece.kind === 'unread') unread++;
  return unread;
}

/** So many runs without anything selected are enough for one turn of the event loop. */
const RUNS_PER_TURN = 64;
const nothing = Buffer.alloc(0);
const comma = Buffer.from(',');
