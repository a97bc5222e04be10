/**
 * List cache: answers lists from encoded runs instead of object by object. A run is about 64 KiB of neighbouring objects
 * of one resource, as one buffer of list items.
 *
 * Invariants:
 * - Nothing is read before the first list of a resource. From then on its runs follow the store's change feed.
 * - A list is planned synchronously, after every change that the store has announced was applied. It is therefore a
 *   snapshot of one revision; anything read later comes from a view pinned at that moment.
 * - The cached bytes stay below `maxBytes`.
 *
 * Lists at a past revision (`at`) are read from the current runs; the changes since then are undone (past.ts).
 */

import { type Change, Compacted, type Revision, type Store } from '../store.ts';
import { runCooperatively } from './run-cooperatively.ts';
import { RunCache } from './runs-cache.ts';
import { Collection } from './runs-collection.ts';
import type { RunIndex, RunOptions } from './runs-index.ts';
import { findEnd, type ListPage, RunPage } from './runs-page.ts';
import { PieceReader } from './runs-piece.ts';
import { Pin } from './runs-pin.ts';
import { planPage } from './runs-plan.ts';
import { rangeOf, type StoreListRequest } from './runs-request.ts';
import { listOne } from './runs-single.ts';

export type { ListPage } from './runs-page.ts';
export type { StoreListRequest } from './runs-request.ts';

export interface ListsOptions {
  /** Upper bound of the cached bytes. */
  readonly maxBytes?: number;
  /** Approximate size of a run. */
  readonly runBytes?: number;
}

export class Lists {
  readonly #store: Store;
  readonly #options: RunOptions;
  readonly #collections = new Map<string, Collection>();
  #unsubscribe: (() => void) | undefined;
  /** The latest revision received from the change feed: the runs are at this revision. */
  #seen: Revision = 0;
  #waitingForChanges: (() => void)[] = [];

  constructor(store: Store, options: ListsOptions = {}) {
    const { maxBytes = 256 * 1024 * 1024, runBytes = 64 * 1024 } = options;
    this.#store = store;
    this.#options = { cache: new RunCache(maxBytes), runBytes };
  }

  /**
   * Returns synchronously if everything needed is in memory. Throws Compacted if the requested revision was
   * compacted.
   */
  list(request: StoreListRequest): ListPage | Promise<ListPage> {
    const { at } = request;
    if (at !== undefined && at < this.#store.compacted) throw new Compacted(this.#store.compacted);
    if (at !== undefined && at > this.#store.revision)
      throw new RangeError(`revision ${at} is higher than that of the store`);
    if (request.key !== undefined) return listOne(this.#store, request, request.key);
    const prepared = this.#prepare(request);
    if (prepared instanceof Promise) return prepared.then(() => this.list(request));
    return this.#list(request, prepared.index, prepared.collection);
  }

  /**
   * Approximate number of keys that start with `under`, counted no further than `enough`. Undefined until the
   * resource is first listed.
   */
  count(prefix: string, under: string, enough: number): number | undefined {
    return this.#collections.get(prefix)?.index?.count(rangeOf({ prefix, under }), enough);
  }

  /** Bytes of cached runs. */
  get bytes(): number {
    return this.#options.cache.bytes;
  }

  /** Clears the cache after the store was restored to another state. Pages handed out stay valid. */
  reset(): void {
    this.#seen = this.#store.revision;
    for (const collection of this.#collections.values()) collection.index?.clear();
    this.#collections.clear();
    this.#resolveWaiting();
  }

  close(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.reset();
  }

  /**
   * Returns what a list needs, or a promise to wait for: pending change notifications, the index being built, or
   * older history.
   */
  #prepare({ prefix, at }: StoreListRequest): { index: RunIndex; collection: Collection } | Promise<unknown> {
    if (!this.#unsubscribe) {
      this.#seen = this.#store.revision;
      this.#unsubscribe = this.#store.subscribe((changes) => this.#onChanges(changes));
    }
    if (this.#seen < this.#store.revision)
      return new Promise<void>((resolve) => this.#waitingForChanges.push(resolve));
    const collection = this.#collections.get(prefix) ?? this.#open(prefix);
    const { index } = collection;
    if (!index) return collection.building!;
    const readingHistory = at !== undefined && at < this.#seen && collection.past.reach(at, this.#seen);
    return readingHistory || { index, collection };
  }

  #open(prefix: string): Collection {
    const collection = new Collection(this.#store, prefix, this.#options);
    this.#collections.set(prefix, collection);
    // The next list tries again.
    collection.building?.catch(() => this.#collections.delete(prefix));
    return collection;
  }

  #list(request: StoreListRequest, index: RunIndex, { past }: Collection): ListPage | Promise<ListPage> {
    const { at = this.#seen, select } = request;
    const range = rangeOf(request);
    const limit = request.limit || Infinity;
    const pin = new Pin(this.#store, this.#seen);
    try {
      const undo = at === this.#seen ? [] : past.since(at, range.lower, range.upper);
      const { pieces, continueAfter, remaining } = planPage({
        index,
        range,
        // With a selector, the end of the page is known only after its runs have been read (findEnd).
        limit: select ? Infinity : limit,
        past,
        undo,
        pin,
      });
      // The client may come back for the next page of the same revision.
      if (limit !== Infinity) past.begin(this.#seen);
      const reader = new PieceReader(index, past, pin);
      const pageParts = { revision: at, pieces, reader, select, limit };
      if (!select) return new RunPage({ ...pageParts, continueAfter, remaining });
      if (limit === Infinity) return new RunPage(pageParts);
      const end = runCooperatively(findEnd(pieces, reader, select, limit));
      if (!(end instanceof Promise)) return new RunPage({ ...pageParts, continueAfter: end });
      return end.then(
        (key) => new RunPage({ ...pageParts, continueAfter: key }),
        (error: unknown) => {
          pin.release();
          throw error;
        },
      );
    } catch (error) {
      pin.release();
      throw error;
    }
  }

  #onChanges(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.revision <= this.#seen) continue;
      this.#seen = change.revision;
      this.#collections.get(change.prefix)?.take(change);
    }
    this.#resolveWaiting();
  }

  #resolveWaiting(): void {
    const waiting = this.#waitingForChanges;
    this.#waitingForChanges = [];
    for (const resolve of waiting) resolve();
  }
}
