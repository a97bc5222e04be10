// Reads candidates of a list by selector from the indexes of labels and fields.
import { compareKeys } from '../lists/key-order.ts';
import type { ContentRequirement, IndexQuery } from '../store.ts';
import type { ReadSnapshot } from './environment.ts';
import { CatalogueReader, type IndexDefinition } from './index-catalogue.ts';
import { entriesOf, keyOfEntry } from './index-entries.ts';

/** A requirement with more values than this is not looked up: a cursor is opened for each. */
const MAX_VALUES = 64;
/** An index with at most this many candidates is used without looking for a better one. */
const FEW_CANDIDATES = 64;
/** Entries per read: few at first, for callers that want only one page. */
const FIRST_CHUNK_ITEMS = 32;
const MAX_CHUNK_ITEMS = 512;
/** How often the use of an index is reported. */
const USE_INTERVAL_MS = 10_000;

/** An index, and the requirement that it answers. */
interface Answer {
  readonly definition: IndexDefinition;
  readonly values: readonly string[];
}

export class IndexReads {
  readonly #catalogue = new CatalogueReader();
  readonly #onUse: (id: number) => void;
  /** By index id, when its use was last reported. */
  readonly #reportedAtMs = new Map<number, number>();

  /** `onUse`: called from time to time with the id of an index that is in use. */
  constructor(onUse: (id: number) => void) {
    this.#onUse = onUse;
  }

  /** See View.candidates. `snapshot` is called for every read, and throws once the view is released. */
  candidates(snapshot: () => ReadSnapshot, query: IndexQuery): Iterable<string> | undefined {
    const definitions = this.#catalogue.read(snapshot());
    if (definitions.length === 0) return undefined;
    const answer = bestAnswer(snapshot(), definitions, query);
    if (!answer) return undefined;
    this.#reportUse(answer.definition.id);
    return readCandidates(snapshot, answer, query);
  }

  #reportUse(id: number): void {
    const nowMs = performance.now();
    if (nowMs - (this.#reportedAtMs.get(id) ?? -Infinity) < USE_INTERVAL_MS) return;
    this.#reportedAtMs.set(id, nowMs);
    this.#onUse(id);
  }
}

/** The index with few candidates, or else the first one that does not have too many. */
function bestAnswer(
  snapshot: ReadSnapshot,
  definitions: readonly IndexDefinition[],
  query: IndexQuery,
): Answer | undefined {
  let best: Answer | undefined;
  for (const { kind, name, values } of query.requirements) {
    if (values.length > MAX_VALUES) continue;
    const definition = definitions.find((each) => isReady(each, query.prefix, kind, name));
    if (!definition) continue;
    const answer = { definition, values };
    if (!hasMoreThan(snapshot, answer, query, Math.min(FEW_CANDIDATES, query.maxCandidates))) return answer;
    if (!best && !hasMoreThan(snapshot, answer, query, query.maxCandidates)) best = answer;
  }
  return best;
}

function isReady(
  definition: IndexDefinition,
  prefix: string,
  kind: ContentRequirement['kind'],
  name: string,
): boolean {
  return (
    definition.phase === 'ready' &&
    definition.prefix === prefix &&
    definition.kind === kind &&
    definition.name === name
  );
}

/** Whether one of the values has more candidates than this. LMDB skips entries without reading them. */
function hasMoreThan(
  { tables, options }: ReadSnapshot,
  { definition, values }: Answer,
  { keyPrefix, after }: IndexQuery,
  count: number,
): boolean {
  return values.some((value) => {
    const range = entriesOf(definition, value, keyPrefix, after);
    const [found] = tables.indexes!.getKeys({ ...options, ...range, offset: count, limit: 1 });
    return found !== undefined;
  });
}

function readCandidates(
  snapshot: () => ReadSnapshot,
  { definition, values }: Answer,
  { keyPrefix, after }: IndexQuery,
): Iterable<string> {
  const keys = values.map((value) => keysOfValue(snapshot, definition, value, keyPrefix, after));
  return keys.length === 1 ? keys[0]! : mergeKeys(keys);
}

function* keysOfValue(
  snapshot: () => ReadSnapshot,
  definition: IndexDefinition,
  value: string,
  keyPrefix: string,
  after: string,
): Generator<string, void, undefined> {
  let limit = FIRST_CHUNK_ITEMS;
  let { start, exclusiveStart, end } = entriesOf(definition, value, keyPrefix, after);
  for (;;) {
    const { tables, options } = snapshot();
    const chunk: Buffer[] = [];
    for (const entry of tables.indexes!.getKeys({ ...options, start, exclusiveStart, end, limit }))
      chunk.push(entry);
    for (const entry of chunk) yield keyOfEntry(definition, entry);
    const last = chunk[chunk.length - 1];
    if (chunk.length < limit || !last) return;
    start = last;
    exclusiveStart = true;
    limit = MAX_CHUNK_ITEMS;
  }
}

/** Merges keys in order. Values with equal hashes have the same keys, which are returned once. */
function* mergeKeys(
  sources: readonly Generator<string, void, undefined>[],
): Generator<string, void, undefined> {
  const heads = sources.flatMap((keys) => {
    const { value, done } = keys.next();
    return done ? [] : [{ key: value, keys }];
  });
  let previous: string | undefined;
  while (heads.length > 0) {
    let first = 0;
    for (let i = 1; i < heads.length; i++) if (compareKeys(heads[i]!.key, heads[first]!.key) < 0) first = i;
    const head = heads[first]!;
    if (head.key !== previous) yield head.key;
    previous = head.key;
    const { value, done } = head.keys.next();
    if (done) heads.splice(first, 1);
    else head.key = value;
  }
}
