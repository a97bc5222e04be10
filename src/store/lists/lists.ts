/**
 * Lists of a store's objects, answered from encoded runs of neighbours instead of object by object.
 *
 * Invariants:
 * - Nothing is read before the first list of a resource. From then on its runs follow the store's changes.
 * - A list is planned in one go, at a moment when everything announced by the store has been taken in; so it is the
 *   state of one revision, and what is read later comes from a view pinned at that moment.
 * - The bytes kept ready stay below `maxBytes`.
 */

import { type Change, Compacted, type Revision, type Store } from '../store.ts';
import { RunCache } from './runs-cache.ts';
import { Collection } from './runs-collection.ts';
import type { RunIndex, RunOptions } from './runs-index.ts';
import { findEnd, type ListPage, RunPage } from './runs-page.ts';
import { PieceReader } from './runs-piece.ts';
import { Pin } from './runs-pin.ts';
import { plan } from './runs-plan.ts';
import { type ListRequest, rangeOf } from './runs-request.ts';
import { listOne } from './runs-single.ts';
import { overTurns } from './runs-turns.ts';

export type { Freshness, ListPage } from './runs-page.ts';
export type { ListRequest } from './runs-request.ts';

export interface ListsOptions {
  /** Bound of the bytes kept ready. */
  readonly maxBytes?: number;
  /** About how large a run is. */
  readonly runBytes?: number;
}

export class Lists {
  readonly #store: Store;
  readonly #options: RunOptions;
  readonly #collections = new Map<string, Collection>();
  #unsubscribe: (() => void) | undefined;
  /** The last revision heard of. */
  #seen: Revision = 0;
  #whenHeard: (() => void)[] = [];

  constructor(store: Store, options: ListsOptions = {}) {
    const { maxBytes = 256 * 1024 * 1024, runBytes = 64 * 1024 } = options;
    this.#store = store;
    this.#options = { cache: new RunCache(maxBytes), runBytes };
  }

  /** Answers at once where everything needed is at hand. Throws Compacted for a past that is forgotten. */
  list(request: ListRequest): ListPage | Promise<ListPage> {
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
   * About how many objects there are whose keys begin with `under`, counted no further than `enough`. Undefined while
   * the resource has not been listed.
   */
  count(prefix: string, under: string, enough: number): number | undefined {
    return this.#collections.get(prefix)?.index?.count(rangeOf({ prefix, under }), enough);
  }

  /** Bytes of runs kept ready. */
  get bytes(): number {
    return this.#options.cache.bytes;
  }

  /** Forgets everything: the store has become another one. Pages handed out stay what they are. */
  reset(): void {
    this.#seen = this.#store.revision;
    for (const collection of this.#collections.values()) collection.index?.clear();
    this.#collections.clear();
    this.#tellHeard();
  }

  close(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.reset();
  }

  /** What a list needs, or what it has to wait for: announcements of the store, runs being laid out, the past. */
  #prepare({ prefix, at }: ListRequest): { index: RunIndex; collection: Collection } | Promise<unknown> {
    if (!this.#unsubscribe) {
      this.#seen = this.#store.revision;
      this.#unsubscribe = this.#store.subscribe((changes) => this.#hear(changes));
    }
    if (this.#seen < this.#store.revision)
      return new Promise<void>((resolve) => this.#whenHeard.push(resolve));
    const collection = this.#collections.get(prefix) ?? this.#open(prefix);
    const { index } = collection;
    if (!index) return collection.building!;
    return (
      (at !== undefined && at < this.#seen && collection.past.reach(at, this.#seen)) || { index, collection }
    );
  }

  #open(prefix: string): Collection {
    const collection = new Collection(this.#store, prefix, this.#options);
    this.#collections.set(prefix, collection);
    // The next list tries again.
    collection.building?.catch(() => this.#collections.delete(prefix));
    return collection;
  }

  #list(request: ListRequest, index: RunIndex, { past }: Collection): ListPage | Promise<ListPage> {
    const { at = this.#seen, select } = request;
    const range = rangeOf(request);
    const limit = request.limit || Infinity;
    const pin = new Pin(this.#store, this.#seen);
    try {
      const undo = at === this.#seen ? [] : past.since(at, range.lower, range.upper);
      const { pieces, continueAfter, remaining } = plan({
        index,
        range,
        limit: select ? Infinity : limit,
        past,
        undo,
        pin,
      });
      // Whoever gets a page may come back for the next one of the same state.
      if (limit !== Infinity) past.begin(this.#seen);
      const reader = new PieceReader(index, past, pin);
      const parts = { revision: at, pieces, reader, select, limit };
      if (!select) return new RunPage({ ...parts, continueAfter, remaining });
      if (limit === Infinity) return new RunPage(parts);
      const end = overTurns(findEnd(pieces, reader, select, limit));
      if (!(end instanceof Promise)) return new RunPage({ ...parts, continueAfter: end });
      return end.then(
        (key) => new RunPage({ ...parts, continueAfter: key }),
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

  #hear(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.revision <= this.#seen) continue;
      this.#seen = change.revision;
      this.#collections.get(change.prefix)?.take(change);
    }
    this.#tellHeard();
  }

  #tellHeard(): void {
    const waiting = this.#whenHeard;
    this.#whenHeard = [];
    for (const resolve of waiting) resolve();
  }
}
