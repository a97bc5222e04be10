/**
 * Lists by selector from an index of the store: reads only the objects that may match, one by one, instead of all runs.
 *
 * A list at a past revision reads the candidates of the present, and in addition every object that has changed since then, in its
 * state at that revision.
 */
import { type Chunk, yieldPause } from '../../base/chunk.ts';
import type { Selection } from '../selection.ts';
import type { Revision, View } from '../store.ts';
import { compareKeys } from './key-order.ts';
import type { LazyView } from './lazy-view.ts';
import type { ListPage, SchemaUpgrade } from './list-page.ts';
import { ListedObject, type RunSource } from './listed-object.ts';
import type { PastLog } from './past-log.ts';
import type { Undo } from './past-overlay.ts';

/** The most candidates that are read from an index, ... */
const MAX_CANDIDATES = 50_000;
/** ... and the part of all objects from which on runs are faster: they are read in order, and cached. */
const MAX_CANDIDATES_SHARE = 1 / 16;
/** With this many candidates the index is used whatever the number of objects. */
const FEW_CANDIDATES = 1_000;

/** Objects that are read per turn of the event loop. */
const OBJECTS_PER_STEP = 64;
/** A page that has this many bytes of objects reads the others when it is sent. */
const MAX_PLANNED_BYTES = 1024 * 1024;
/** Approximate size of a batch. */
const BATCH_BYTES = 64 * 1024;

/** `total`: the number of objects of the resource; undefined if it is not known. */
export function maxCandidates(total: number | undefined): number {
  const share = total === undefined ? 0 : Math.floor(total * MAX_CANDIDATES_SHARE);
  return Math.min(MAX_CANDIDATES, Math.max(FEW_CANDIDATES, share));
}

export interface IndexedListParts {
  readonly revision: Revision;
  readonly select: Selection;
  /** Maximum number of objects; Infinity for all. */
  readonly limit: number;
  readonly keyPrefix: string;
  /** The keys that may match, from the index. */
  readonly keys: Iterable<string>;
  readonly view: LazyView;
  readonly pastLog: PastLog;
  /** How to restore the keys in the range that have changed since the requested revision, in key order. */
  readonly undos: readonly Undo[];
  /** Called with the number of objects that were read and returned. */
  readonly onRead: (examined: number, returned: number) => void;
}

/** A key that may match; with `undo`, its state at the requested revision is a past one. */
interface Candidate {
  readonly key: string;
  readonly undo?: Undo;
}

/** Reads the start of the page, and the whole page if it has a limit. Yields between steps. */
export function* planIndexedPage(parts: IndexedListParts): Generator<void, ListPage, undefined> {
  const { limit, view, revision, onRead } = parts;
  const matches = readMatches(parts);
  const planned: RunSource[] = [];
  const unread: Candidate[] = [];
  let bytes = 0;
  let examined = 0;
  let lastKey = '';
  while (planned.length + unread.length < limit) {
    const { value: match, done } = matches.next();
    if (done) {
      onRead(examined, planned.length + unread.length);
      if (unread.length === 0) view.unpin();
      return new IndexedPage(revision, view, planned, rereadMatches(parts, unread), undefined);
    }
    if (++examined % OBJECTS_PER_STEP === 0) yield;
    if (!match) continue;
    lastKey = match.candidate.key;
    if (bytes < MAX_PLANNED_BYTES) planned.push(match.object);
    else unread.push(match.candidate);
    bytes += match.object.json.length;
    if (limit === Infinity && bytes >= MAX_PLANNED_BYTES) {
      const rest = function* () {
        for (const each of matches) yield each?.object;
      };
      return new IndexedPage(revision, view, planned, rest(), undefined);
    }
  }
  onRead(examined, limit);
  const continueAfter = hasObjectAfter(parts, lastKey) ? lastKey : undefined;
  if (unread.length === 0) view.unpin();
  return new IndexedPage(revision, view, planned, rereadMatches(parts, unread), continueAfter);
}

interface Match {
  readonly candidate: Candidate;
  readonly object: RunSource;
}

/** The objects that match; undefined for every candidate that does not. */
function* readMatches(parts: IndexedListParts): Generator<Match | undefined, void, undefined> {
  const { keys, undos, select } = parts;
  for (const candidate of undos.length === 0 ? toCandidates(keys) : mergeUndos(keys, undos)) {
    const object = readCandidate(parts, candidate);
    const isMatch = object && select.matches(object.labels, object.selectableFields, object.key);
    yield isMatch ? { candidate, object } : undefined;
  }
}

function* rereadMatches(
  parts: IndexedListParts,
  candidates: readonly Candidate[],
): Generator<RunSource | undefined, void, undefined> {
  for (const candidate of candidates) yield readCandidate(parts, candidate);
}

function readCandidate({ view, pastLog }: IndexedListParts, { key, undo }: Candidate): RunSource | undefined {
  return undo ? (pastLog.readPastStates([undo]).get(key) ?? undefined) : view.pin().get(key);
}

function* toCandidates(keys: Iterable<string>): Generator<Candidate, void, undefined> {
  for (const key of keys) yield { key };
}

/** The keys and the undos in key order; a key with an undo is returned once. */
function* mergeUndos(keys: Iterable<string>, undos: readonly Undo[]): Generator<Candidate, void, undefined> {
  let next = 0;
  for (const key of keys) {
    while (next < undos.length && compareKeys(undos[next]!.key, key) < 0) yield* toPast(undos[next++]!);
    if (undos[next]?.key === key) yield* toPast(undos[next++]!);
    else yield { key };
  }
  while (next < undos.length) yield* toPast(undos[next++]!);
}

function* toPast(undo: Undo): Generator<Candidate, void, undefined> {
  if (undo.existed) yield { key: undo.key, undo };
}

/** Whether any object, selected or not, follows a key in the range of the list. */
function hasObjectAfter({ view, keyPrefix, undos }: IndexedListParts, lastKey: string): boolean {
  const undosByKey = new Map(undos.map((undo) => [undo.key, undo]));
  if (undos.some(({ key, existed }) => existed && compareKeys(key, lastKey) > 0)) return true;
  const later: View = view.pin();
  for (const key of later.keys(keyPrefix, lastKey)) if (!undosByKey.has(key)) return true;
  return false;
}

class IndexedPage implements ListPage {
  readonly revision: Revision;
  readonly continueAfter?: string;
  readonly #view: LazyView;
  /** The objects that were read when the page was planned. */
  #planned: readonly RunSource[];
  /** The others; undefined where none matched. */
  readonly #rest: Generator<RunSource | undefined, void, undefined>;

  constructor(
    revision: Revision,
    view: LazyView,
    planned: readonly RunSource[],
    rest: Generator<RunSource | undefined, void, undefined>,
    continueAfter: string | undefined,
  ) {
    this.revision = revision;
    this.#view = view;
    this.#planned = planned;
    this.#rest = rest;
    if (continueAfter !== undefined) this.continueAfter = continueAfter;
  }

  *chunks(upgrade?: SchemaUpgrade): Generator<Chunk, void, undefined> {
    let isFirst = true;
    for (const batch of this.batches()) {
      if (batch.length === 0) {
        yield yieldPause;
        continue;
      }
      const parts: Buffer[] = [];
      for (const object of batch) {
        if (!isFirst) parts.push(comma);
        isFirst = false;
        const isCurrent = !upgrade || object.schemaFingerprint === upgrade.schemaFingerprint;
        parts.push(isCurrent ? object.item : upgrade.encode(object));
      }
      yield parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    }
  }

  *objects(): Generator<ListedObject, void, undefined> {
    for (const batch of this.batches()) yield* batch;
  }

  *batches(): Generator<readonly ListedObject[], void, undefined> {
    this.#view.assertNotReleased();
    try {
      let batch: ListedObject[] = [];
      let bytes = 0;
      let examined = 0;
      for (const object of this.#sources()) {
        // The reader of the page may have released it between two batches.
        this.#view.assertNotReleased();
        if (object) {
          batch.push(ListedObject.of(object));
          bytes += object.json.length;
        }
        if (bytes < BATCH_BYTES && ++examined % OBJECTS_PER_STEP !== 0) continue;
        yield batch;
        batch = [];
        bytes = 0;
      }
      if (batch.length > 0) yield batch;
    } finally {
      this.release();
    }
  }

  release(): void {
    this.#planned = [];
    this.#view.release();
  }

  *#sources(): Generator<RunSource | undefined, void, undefined> {
    yield* this.#planned;
    yield* this.#rest;
  }
}

const comma = Buffer.from(',');
