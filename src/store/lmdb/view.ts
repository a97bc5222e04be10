// Views of the LMDB backend: reads of objects and key ranges from one pinned snapshot.

import type { IndexQuery, Revision, StoredObject, View } from '../store.ts';
import { MAX_KEY_BYTES } from '../stored-object.ts';
import type { ReadSnapshot } from './environment.ts';
import type { IndexReads } from './index-reads.ts';
import { StoredRecord } from './record.ts';
import { endOfPrefix } from './tables.ts';

/** Objects or keys per read: few at first, for callers that want only one. */
const FIRST_CHUNK_ITEMS = 16;
const MAX_CHUNK_ITEMS = 256;

/** A pinned snapshot. No cursor stays open between items, so a range may be abandoned at any point. */
export class LmdbView implements View {
  readonly revision: Revision;
  readonly #snapshot: ReadSnapshot;
  readonly #indexReads: IndexReads | undefined;
  #released = false;

  /** Without `indexReads` the view does not use indexes. */
  constructor(snapshot: ReadSnapshot, indexReads?: IndexReads) {
    this.#indexReads = indexReads;
    snapshot.hold();
    this.#snapshot = snapshot;
    this.revision = snapshot.state.revision;
  }

  get(key: string): StoredObject | undefined {
    return readObject(this.#heldSnapshot(), key);
  }

  *range(prefix: string, after?: string): Generator<StoredObject, void, undefined> {
    let limit = FIRST_CHUNK_ITEMS;
    let from = rangeStart(prefix, after);
    for (;;) {
      const { tables, options } = this.#heldSnapshot();
      const chunk: StoredRecord[] = [];
      for (const { key, value } of tables.objects.getRange({
        ...options,
        ...from,
        end: endOfPrefix(prefix)!,
        limit,
      })) {
        chunk.push(new StoredRecord(key, value));
      }
      yield* chunk;
      const last = chunk[chunk.length - 1];
      if (chunk.length < limit || !last) return;
      from = { start: last.key, exclusiveStart: true };
      limit = MAX_CHUNK_ITEMS;
    }
  }

  *keys(prefix: string, after?: string): Generator<string, void, undefined> {
    let limit = FIRST_CHUNK_ITEMS;
    let from = rangeStart(prefix, after);
    for (;;) {
      const { tables, options } = this.#heldSnapshot();
      const chunk: string[] = [];
      for (const key of tables.objects.getKeys({ ...options, ...from, end: endOfPrefix(prefix)!, limit })) {
        chunk.push(key);
      }
      yield* chunk;
      const last = chunk[chunk.length - 1];
      if (chunk.length < limit || last === undefined) return;
      from = { start: last, exclusiveStart: true };
      limit = MAX_CHUNK_ITEMS;
    }
  }

  candidates(query: IndexQuery): Iterable<string> | undefined {
    return this.#indexReads?.candidates(() => this.#heldSnapshot(), query);
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#snapshot.release();
  }

  #heldSnapshot(): ReadSnapshot {
    if (this.#released) throw new Error('the view has been released');
    return this.#snapshot;
  }
}

export function readObject(snapshot: ReadSnapshot, key: string): StoredRecord | undefined {
  // LMDB rejects empty and too long keys, and they cannot have been stored. A UTF-16 code unit has at most 3 bytes in
  // UTF-8, so most keys need no exact count.
  if (key === '' || (key.length * 3 > MAX_KEY_BYTES && Buffer.byteLength(key) > MAX_KEY_BYTES))
    return undefined;
  const record = snapshot.tables.objects.get(key, snapshot.options);
  return record && new StoredRecord(key, record);
}

/** Where a range starts: after `after` if that is inside the range, else at the prefix. */
function rangeStart(
  prefix: string,
  after = '',
): { readonly start: string; readonly exclusiveStart: boolean } {
  const isInside = Buffer.compare(Buffer.from(after), Buffer.from(prefix)) >= 0;
  return isInside ? { start: after, exclusiveStart: true } : { start: prefix, exclusiveStart: false };
}
