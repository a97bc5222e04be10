// Encodes the runs of a list page as Protobuf items or Table rows, through the cache of encoded runs. A run is about 64 KiB
// of neighbouring objects of a resource, stored as the JSON of list items (store/lists).
import { type Chunk, type Pause, waitFor, yieldPause } from '../../../base/chunk.ts';
import type { ServedKind } from '../../../kind/registry.ts';
import { type TolerantReader, Unreadable } from '../../../kind/storage/unreadable.ts';
import type { EncodedRun } from '../../../store/lists/encoded-run.ts';
import type { ListedObject } from '../../../store/lists/listed-object.ts';
import type { RunRange } from '../../../store/lists/page-segments.ts';
import type { CachedRun, EncodedChunkCache } from './encoded-chunk-cache.ts';

/** How to encode the objects of runs as `Item`s and to join those of a run to one cacheable `Joined`. */
export interface RunEncoder<Item, Joined extends CachedRun> {
  readonly kind: ServedKind;
  /** Identifies the encoding in the cache. */
  readonly encoding: string;
  readonly cache: EncodedChunkCache<Joined>;
  encode(object: ListedObject): Item | Promise<Item>;
  join(items: readonly Item[]): Joined;
  /** The bytes of the items [from, to) of an encoded run. */
  slice(encodedRun: Joined, from: number, to: number): Buffer;
}

/** A run is encoded and cached whole if more than this share of it is requested. */
const maxPartialShare = 0.5;
/** Bytes of JSON after which the encoder yields to the event loop. */
const bytesPerYield = 64 * 1024;
/** The cost of a run without a requested object, as a number of bytes. */
const emptyRunBytes = 1024;

/**
 * Encodes the objects of these ranges, with pauses. A run comes from the cache; if most of it is requested, it is encoded as a
 * whole and cached; otherwise only its requested objects are encoded. `reader` collects objects that cannot be decoded:
 * after the first, the response will be an error that names all of them, so only pauses are yielded.
 */
export function* encodeRuns<Item, Joined extends CachedRun>(
  ranges: Iterable<RunRange>,
  encoder: RunEncoder<Item, Joined>,
  reader: TolerantReader,
): Generator<Chunk, void> {
  let bytesSinceYield = 0;
  for (const range of ranges) {
    const { run, from, to } = range;
    if (bytesSinceYield >= bytesPerYield) {
      bytesSinceYield = 0;
      yield yieldPause;
    }
    if (from === to) {
      bytesSinceYield += emptyRunBytes;
      continue;
    }
    const cached = encoder.cache.get(run, encoder.kind, encoder.encoding);
    if (cached) {
      if (!reader.hasFailed) yield encoder.slice(cached, from, to);
      continue;
    }
    const isMostlyRequested = to - from > run.count * maxPartialShare;
    const encodedRun = isMostlyRequested ? yield* encodeWholeRun(run, encoder) : undefined;
    if (encodedRun) {
      bytesSinceYield += run.bytes.length;
      if (!reader.hasFailed) yield encoder.slice(encodedRun, from, to);
      continue;
    }
    const items = yield* encodeRange(range, encoder, reader);
    bytesSinceYield += run.end(to - 1) - run.start(from);
    if (!reader.hasFailed) yield encoder.slice(encoder.join(items), 0, to - from);
  }
}

/**
 * Encodes and caches all objects of a run. Undefined if one cannot be decoded: the request may not include that object,
 * so only the requested range is encoded then.
 */
function* encodeWholeRun<Item, Joined extends CachedRun>(
  run: EncodedRun,
  { kind, encoding, cache, encode, join }: RunEncoder<Item, Joined>,
): Generator<Pause, Joined | undefined> {
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
  const encodedRun = join(items);
  cache.set(run, kind, encoding, encodedRun);
  return encodedRun;
}

/** Encodes the requested objects of a run, without those that cannot be decoded. */
function* encodeRange<Item, Joined extends CachedRun>(
  { run, from, to }: RunRange,
  { encode }: RunEncoder<Item, Joined>,
  reader: TolerantReader,
): Generator<Pause, Item[]> {
  const items: Item[] = [];
  for (let i = from; i < to && !reader.hasTooManyFailures; i++) {
    const encoding = reader.try(() => encode(run.object(i)));
    const encoded = encoding instanceof Promise ? yield* tryWaitFor(encoding, reader) : encoding;
    if (encoded !== undefined) items.push(encoded);
  }
  return items;
}

/** Waits for an encoded object. Undefined if it cannot be decoded, which `reader` records. */
export function* tryWaitFor<T>(promise: Promise<T>, reader: TolerantReader): Generator<Pause, T | undefined> {
  try {
    return yield* waitFor(promise);
  } catch (error) {
    return reader.try(() => {
      throw error;
    });
  }
}
