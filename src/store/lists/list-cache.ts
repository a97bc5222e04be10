/**
 * List cache: serves lists from encoded runs instead of object by object. A run is about 64 KiB of neighbouring objects
 * of one resource, as one buffer of list items.
 *
 * Invariants:
 * - Nothing is read before the first list of a resource. From then on its runs follow the store's change feed.
 * - A list is planned synchronously, once every change that the store has announced is applied. It is therefore a
 *   snapshot of one revision; anything read later comes from a view pinned at that moment.
 * - The cached bytes stay below `maxBytes`.
 * - If a change cannot be applied, the runs of its resource are dropped, and built again by the next list.
 *
 * Lists at a past revision (`exactRevision`) are read from the current runs; the changes since then are undone
 * (past-log.ts).
 */

import { type Change, Compacted, type Revision, type Store } from '../store.ts';
import { CachedResource } from './cached-resource.ts';
import { LazyView } from './lazy-view.ts';
import { findContinueKey, type ListPage, RunPage } from './list-page.ts';
import { keyRangeOf, type StoreListRequest } from './list-request.ts';
import { SegmentReader } from './page-segments.ts';
import { planPage } from './plan-page.ts';
import { RunCache } from './run-cache.ts';
import { runCooperatively } from './run-cooperatively.ts';
import type { RunIndex, RunOptions } from './run-index.ts';
import { listSingleObject } from './single-object-page.ts';

export type { ListPage } from './list-page.ts';
export type { StoreListRequest } from './list-request.ts';

export interface ListCacheOptions {
  /** Upper bound of the cached bytes. */
  readonly maxBytes?: number;
  /** Approximate size of a run. */
  readonly runBytes?: number;
}

export class ListCache {
  readonly #store: Store;
  readonly #options: RunOptions;
  /** The resources that have been listed, by prefix. */
  readonly #resources = new Map<string, CachedResource>();
  #unsubscribe: (() => void) | undefined;
  /** The latest revision received from the change feed: the runs are at this revision. */
  #appliedRevision: Revision = 0;
  #waitingForChanges: (() => void)[] = [];

  constructor(store: Store, options: ListCacheOptions = {}) {
    const { maxBytes = 256 * 1024 * 1024, runBytes = 64 * 1024 } = options;
    this.#store = store;
    this.#options = { cache: new RunCache(maxBytes), runBytes };
  }

  /**
   * Returns synchronously if everything needed is in memory. Throws Compacted if the requested revision was
   * compacted.
   */
  list(request: StoreListRequest): ListPage | Promise<ListPage> {
    const { exactRevision } = request;
    if (exactRevision !== undefined && exactRevision < this.#store.compacted)
      throw new Compacted(this.#store.compacted);
    if (exactRevision !== undefined && exactRevision > this.#store.revision)
      throw new RangeError(`revision ${exactRevision} is higher than that of the store`);
    if (request.key !== undefined) return listSingleObject(this.#store, request, request.key);
    const prepared = this.#prepare(request);
    if (prepared instanceof Promise) return prepared.then(() => this.list(request));
    return this.#list(request, prepared.index, prepared.resource);
  }

  /**
   * Approximate number of keys that start with `keyPrefix`, counted no further than `maxCount`. Undefined until the
   * resource is first listed.
   */
  count(prefix: string, keyPrefix: string, maxCount: number): number | undefined {
    return this.#resources.get(prefix)?.index?.count(keyRangeOf({ prefix, keyPrefix }), maxCount);
  }

  /** Bytes of cached runs. */
  get bytes(): number {
    return this.#options.cache.bytes;
  }

  /** Clears the cache after the store was restored to another state. Pages handed out stay valid. */
  reset(): void {
    this.#appliedRevision = this.#store.revision;
    for (const resource of this.#resources.values()) resource.index?.clear();
    this.#resources.clear();
    this.#resolveWaiting();
  }

  close(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.reset();
  }

  /**
   * Returns what a list needs, or a promise to wait for before the next attempt: pending change notifications, the
   * index being built, or older history.
   */
  #prepare({
    prefix,
    exactRevision,
  }: StoreListRequest): { index: RunIndex; resource: CachedResource } | Promise<unknown> {
    if (!this.#unsubscribe) {
      this.#appliedRevision = this.#store.revision;
      this.#unsubscribe = this.#store.subscribe((changes) => this.#onChanges(changes));
    }
    if (this.#appliedRevision < this.#store.revision)
      return new Promise<void>((resolve) => this.#waitingForChanges.push(resolve));
    const resource = this.#resources.get(prefix) ?? this.#open(prefix);
    const { index } = resource;
    if (!index) return resource.building!;
    const isPast = exactRevision !== undefined && exactRevision < this.#appliedRevision;
    const readingHistory = isPast
      ? resource.pastLog.extendBackTo(exactRevision, this.#appliedRevision)
      : undefined;
    return readingHistory ?? { index, resource };
  }

  #open(prefix: string): CachedResource {
    const resource = new CachedResource(this.#store, prefix, this.#options);
    this.#resources.set(prefix, resource);
    // The next list tries again.
    resource.building?.catch(() => this.#resources.delete(prefix));
    return resource;
  }

  #list(
    request: StoreListRequest,
    index: RunIndex,
    { pastLog }: CachedResource,
  ): ListPage | Promise<ListPage> {
    const { exactRevision: revision = this.#appliedRevision, select } = request;
    const range = keyRangeOf(request);
    const limit = request.limit || Infinity;
    const view = new LazyView(this.#store, this.#appliedRevision);
    try {
      const undos =
        revision === this.#appliedRevision ? [] : pastLog.undosSince(revision, range.lower, range.upper);
      const { segments, continueAfter, remaining } = planPage({
        index,
        range,
        // With a selector, the end of the page is known only after its runs have been read (findContinueKey).
        limit: select ? Infinity : limit,
        pastLog,
        undos,
        view,
      });
      // The client may come back for the next page of the same revision.
      if (limit !== Infinity) pastLog.startRecording(this.#appliedRevision);
      const reader = new SegmentReader(index, pastLog, view);
      const pageParts = { revision, segments, reader, select, limit };
      if (!select) return new RunPage({ ...pageParts, continueAfter, remaining });
      if (limit === Infinity) return new RunPage(pageParts);
      const toPage = (continueKey: string | undefined) =>
        new RunPage({ ...pageParts, continueAfter: continueKey });
      const continueKey = runCooperatively(findContinueKey(segments, reader, select, limit));
      if (!(continueKey instanceof Promise)) return toPage(continueKey);
      return continueKey.then(toPage, (error: unknown) => {
        view.release();
        throw error;
      });
    } catch (error) {
      view.release();
      throw error;
    }
  }

  #onChanges(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.revision <= this.#appliedRevision) continue;
      this.#appliedRevision = change.revision;
      this.#apply(change);
    }
    this.#resolveWaiting();
  }

  #apply(change: Change): void {
    const resource = this.#resources.get(change.prefix);
    try {
      resource?.apply(change);
    } catch (error) {
      resource?.index?.clear();
      this.#resources.delete(change.prefix);
      this.#store.listenerFailures.report(error, change.key);
    }
  }

  #resolveWaiting(): void {
    const waiting = this.#waitingForChanges;
    this.#waitingForChanges = [];
    for (const resolve of waiting) resolve();
  }
}
