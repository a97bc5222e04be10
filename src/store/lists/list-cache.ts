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
 * (past-log.ts). Lists by selector are read from an index of the store instead of runs, if it has one that fits
 * (indexed-list.ts).
 */

import type { Selection } from '../selection.ts';
import { type Change, Compacted, type Revision, type Store } from '../store.ts';
import { CachedResource } from './cached-resource.ts';
import { maxCandidates, planIndexedPage } from './indexed-list.ts';
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

/** The runs that a list by selector with a limit reads before it plans the whole range. */
const FIRST_RUNS = 32;

export interface ListCacheOptions {
  /** Upper bound of the cached bytes. */
  readonly maxBytes?: number;
  /** Approximate size of a run. */
  readonly runBytes?: number;
  /** Lists of resources with fewer objects than this are read from runs. */
  readonly minIndexedObjects?: number;
}

export class ListCache {
  readonly #store: Store;
  readonly #options: RunOptions;
  readonly #minIndexedObjects: number;
  /** The resources that have been listed, by prefix. */
  readonly #resources = new Map<string, CachedResource>();
  #unsubscribe: (() => void) | undefined;
  /** The latest revision received from the change feed: the runs are at this revision. */
  #appliedRevision: Revision = 0;
  #waitingForChanges: (() => void)[] = [];

  constructor(store: Store, options: ListCacheOptions = {}) {
    const { maxBytes = 256 * 1024 * 1024, runBytes = 64 * 1024, minIndexedObjects = 1_000 } = options;
    this.#store = store;
    this.#minIndexedObjects = minIndexedObjects;
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
    const resource = this.#follow(request.prefix);
    if (resource instanceof Promise) return resource.then(() => this.list(request));
    const indexed = this.#listIndexed(request, resource);
    if (indexed) return indexed;
    const index = this.#prepare(request, resource);
    if (index instanceof Promise) return index.then(() => this.list(request));
    return this.#list(request, index, resource);
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

  /** The resource, or a promise to wait for before the next attempt: pending change notifications. */
  #follow(prefix: string): CachedResource | Promise<void> {
    if (!this.#unsubscribe) {
      this.#appliedRevision = this.#store.revision;
      this.#unsubscribe = this.#store.subscribe((changes) => this.#onChanges(changes));
    }
    if (this.#appliedRevision < this.#store.revision)
      return new Promise<void>((resolve) => this.#waitingForChanges.push(resolve));
    return this.#resources.get(prefix) ?? this.#open(prefix);
  }

  #open(prefix: string): CachedResource {
    const resource = new CachedResource(this.#store, prefix, this.#options);
    this.#resources.set(prefix, resource);
    return resource;
  }

  /** The runs, or a promise to wait for before the next attempt: the runs being built, or older history. */
  #prepare(request: StoreListRequest, resource: CachedResource): RunIndex | Promise<unknown> {
    const index = resource.build();
    return index instanceof Promise ? index : (this.#readHistory(request, resource) ?? index);
  }

  /** Reads the history that a list at a past revision needs. Undefined if that is done. */
  #readHistory({ exactRevision }: StoreListRequest, { pastLog }: CachedResource): Promise<void> | undefined {
    if (exactRevision === undefined || exactRevision >= this.#appliedRevision) return undefined;
    return pastLog.extendBackTo(exactRevision, this.#appliedRevision);
  }

  /** Undefined if no index of the store can answer the list. */
  #listIndexed(
    request: StoreListRequest,
    resource: CachedResource,
  ): ListPage | Promise<ListPage> | undefined {
    const { select, prefix, keyPrefix, exactRevision: revision = this.#appliedRevision } = request;
    const total = resource.index?.total;
    const isSmall = total !== undefined && total < this.#minIndexedObjects;
    if (!select || select.contentEqualities.length === 0 || isSmall) return undefined;
    const view = new LazyView(this.#store, this.#appliedRevision);
    try {
      const keys = view.pin().candidates?.({
        prefix,
        keyPrefix,
        after: request.after ?? '',
        requirements: select.contentEqualities,
        maxCandidates: maxCandidates(total),
      });
      const readingHistory = keys && this.#readHistory(request, resource);
      if (!keys || readingHistory) {
        view.release();
        return readingHistory?.then(() => this.list(request));
      }
      const { pastLog } = resource;
      const { lower, upper } = keyRangeOf(request);
      const undos = revision === this.#appliedRevision ? [] : pastLog.undosSince(revision, lower, upper);
      const limit = request.limit || Infinity;
      if (limit !== Infinity) pastLog.startRecording(this.#appliedRevision);
      const onRead = this.#scanReporter(prefix, select);
      const parts = { revision, select, limit, keyPrefix, keys, view, pastLog, undos, onRead };
      const page = runCooperatively(planIndexedPage(parts));
      return page instanceof Promise ? releaseOnError(page, view) : page;
    } catch (error) {
      view.release();
      throw error;
    }
  }

  #scanReporter(prefix: string, select: Selection): (examined: number, returned: number) => void {
    return (examined, returned) => {
      if (examined < this.#minIndexedObjects || select.contentEqualities.length === 0) return;
      this.#store.reportScan?.({ prefix, requirements: select.contentEqualities, examined, returned });
    };
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
      const planRequest = { index, range, pastLog, undos, view };
      // The client may come back for the next page of the same revision.
      if (limit !== Infinity) pastLog.startRecording(this.#appliedRevision);
      const reader = new SegmentReader(index, pastLog, view);
      const onRead = select && this.#scanReporter(request.prefix, select);
      const pageParts = { revision, reader, select, limit, onRead };
      if (!select) return new RunPage({ ...pageParts, ...planPage({ ...planRequest, limit }) });
      if (limit !== Infinity) {
        // The end of the page is known only after its runs have been read. Most pages end in the first ones.
        const firstObjects = index.countAfter(range.lower, FIRST_RUNS);
        const { segments, remaining } = planPage({ ...planRequest, limit: firstObjects });
        const continueAfter = finish(findContinueKey(segments, reader, select, limit));
        const isWholeRange = remaining === 0;
        if (continueAfter !== undefined || isWholeRange)
          return new RunPage({ ...pageParts, segments, continueAfter });
      }
      const { segments } = planPage({ ...planRequest, limit: Infinity });
      if (limit === Infinity) return new RunPage({ ...pageParts, segments });
      const toPage = (continueAfter: string | undefined) =>
        new RunPage({ ...pageParts, segments, continueAfter });
      const continueAfter = runCooperatively(findContinueKey(segments, reader, select, limit));
      return continueAfter instanceof Promise
        ? releaseOnError(continueAfter.then(toPage), view)
        : toPage(continueAfter);
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

/** Runs a generator to its end at once. */
function finish<T>(steps: Generator<void, T, undefined>): T {
  for (;;) {
    const { value, done } = steps.next();
    if (done) return value;
  }
}

function releaseOnError(page: Promise<ListPage>, view: LazyView): Promise<ListPage> {
  return page.catch((error: unknown) => {
    view.release();
    throw error;
  });
}
