// Encodes the runs of a list page as Protobuf items or Table rows, through the cache of encoded runs. A run is about 64 KiB
// of neighbouring objects of a resource, stored as the JSON of list items (store/lists).
import { type Chunk, type Pause, waitFor, yieldPause } from '../../../base/chunk.ts';
import type { ServedKind } from '../../../kind/registry.ts';
import { type TolerantReader, Unreadable } from '../../../kind/storage/unreadable.ts';
import type { EncodedRun } from '../../../store/lists/encoded-run.ts';
import type { ListedObject } from '../../../store/lists/listed-object.ts';
import type { RunRange } from '../../../store/lists/page-segments.ts';
import type { CachedRun, EncodedChunkCache } from './encoded-chunk-cache.ts';

/** How to encode the objects of runs as `Item`s and join them to one cacheable `Joined`, and the cache for those. */
export interface RunEncoder<Item, Joined extends CachedRun> {
  readonly kind: ServedKind;
  /** Identifies the encoding in the cache. */
  readonly encoding: string;
  readonly cache: EncodedChunkCache<Joined>;
  encode(object: ListedObject): Item | Promise<Item>;
  join(items: readonly Item[]): Joined;
  slice(encodedRun: Joined, from: number, to: number): Buffer;
}

/** A run is encoded and cached whole if more than this share of it is requested. */
const maxPartialShare = 0.5;
/** Bytes of JSON after which the encoder yields to the event loop. */
const bytesPerYield = 64 * 1024;
/** The cost of a run without a requested object, as a number of bytes. */
const emptyRunBytes = 1024;

/**
 * The encoded objects of these ranges, with pauses. `reader` collects objects that cannot be decoded: after the first, the
 * response will be an error that names all of them, so only pauses are yielded.
 */
export function* encodeRuns<Item, Joined extends CachedRun>(
  ranges: Iterable<RunRange>,
  { kind, encoding, cache, encode, join, slice }: RunEncoder<Item, Joined>,
  reader: TolerantReader,
): Generator<Chunk, void> {
  let bytesSinceYield = 0;
  for (const { run, from, to } of ranges) {
    if (bytesSinceYield >= bytesPerYield) {
      bytesSinceYield = 0;
      yield yieldPause;
    }
    if (from === to) {
      bytesSinceYield += emptyRunBytes;
      continue;
    }
    const cached = cache.get(run, kind, encoding);
    if (cached) {
      if (!reader.hasFailed) yield slice(cached, from, to);
      continue;
    }
    const encodesWholeRun = to - from > run.count * maxPartialShare;
    const runItems = encodesWholeRun ? yield* encodeWholeRun(run, encode) : undefined;
    if (runItems) {
      bytesSinceYield += run.bytes.length;
      const encodedRun = join(runItems);
      cache.set(run, kind, encoding, encodedRun);
      if (!reader.hasFailed) yield slice(encodedRun, from, to);
      continue;
    }
    const items: Item[] = [];
    for (let i = from; i < to && !reader.hasTooManyFailures; i++) {
      const encoded = reader.try(() => encode(run.object(i)));
      if (encoded !== undefined) items.push(encoded instanceof Promise ? yield* waitFor(encoded) : encoded);
    }
    bytesSinceYield += run.end(to - 1) - run.start(from);
    if (!reader.hasFailed) yield slice(join(items), 0, to - from);
  }
}

/** All objects of a run, encoded. Undefined if one cannot be decoded: it may be none that the request includes. */
function* encodeWholeRun<Item>(
  run: EncodedRun,
  encode: (object: ListedObject) => Item | Promise<Item>,
): Generator<Pause, Item[] | undefined> {
  const items: Item[] = [];
  try {
    for (let i = 0; i < run.count; i++) {
      const encoded = encode(run.object(i));
      items.push(encoded instanceof Promise ? yield* waitFor(encoded) : encoded);
    }
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
  return items;
}
