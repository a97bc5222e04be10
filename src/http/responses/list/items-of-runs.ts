// Encodes the runs of a list page, through the cache of encoded runs.
import { type Chunk, type Pause, waitFor, yieldPause } from '../../../base/chunk.ts';
import type { ServedKind } from '../../../kind/registry.ts';
import { type ReadingOfMany, Unreadable } from '../../../kind/storage/unreadable.ts';
import type { EncodedRun } from '../../../store/lists/runs-encoded.ts';
import type { ListedObject } from '../../../store/lists/runs-object.ts';
import type { RunRange } from '../../../store/lists/runs-piece.ts';
import type { EncodedChunkCache, RunInForm } from './encoded-chunk-cache.ts';

/** How to encode the objects of runs, and the cache for them. */
export interface RunWriting<Item, Joined extends RunInForm> {
  readonly kind: ServedKind;
  /** The cache key of the encoding. */
  readonly form: string;
  readonly kept: EncodedChunkCache<Joined>;
  write(object: ListedObject): Item | Promise<Item>;
  join(items: readonly Item[]): Joined;
  part(joined: Joined, from: number, to: number): Buffer;
}

/** A run is encoded and cached whole if more than this share of it is requested. */
const smallPart = 0.5;
/** Bytes of JSON after which the encoder yields to the event loop. */
const bytesPerTurn = 64 * 1024;
/** The cost of a run without a match, in such bytes. */
const bytesPerLook = 1024;

/** The encoded objects of these ranges, with pauses. Yields no more bytes after an object that could not be decoded. */
export function* itemsOfRuns<Item, Joined extends RunInForm>(
  stretches: Iterable<RunRange>,
  { kind, form, kept, write, join, part }: RunWriting<Item, Joined>,
  reading: ReadingOfMany,
): Generator<Chunk, void> {
  let sinceTurn = 0;
  for (const { run, from, to } of stretches) {
    if (sinceTurn >= bytesPerTurn) {
      sinceTurn = 0;
      yield yieldPause;
    }
    if (from === to) {
      sinceTurn += bytesPerLook;
      continue;
    }
    const ready = kept.find(run, kind, form);
    if (ready) {
      if (!reading.hasFailed) yield part(ready, from, to);
      continue;
    }
    const whole = to - from > run.count * smallPart ? yield* allOf(run, write) : undefined;
    if (whole) {
      sinceTurn += run.bytes.length;
      const joined = join(whole);
      kept.keep(run, kind, form, joined);
      if (!reading.hasFailed) yield part(joined, from, to);
      continue;
    }
    const items: Item[] = [];
    for (let i = from; i < to && !reading.isHopeless; i++) {
      const writing = reading.try(() => write(run.object(i)));
      if (writing !== undefined) items.push(writing instanceof Promise ? yield* waitFor(writing) : writing);
    }
    sinceTurn += run.end(to - 1) - run.start(from);
    if (!reading.hasFailed) yield part(join(items), 0, to - from);
  }
}

/** All objects of a run; undefined if one cannot be decoded, because the request may not include it. */
function* allOf<Item>(
  run: EncodedRun,
  write: (object: ListedObject) => Item | Promise<Item>,
): Generator<Pause, Item[] | undefined> {
  const items: Item[] = [];
  try {
    for (let i = 0; i < run.count; i++) {
      const writing = write(run.object(i));
      items.push(writing instanceof Promise ? yield* waitFor(writing) : writing);
    }
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
  return items;
}
