/**
 * The watch cache's dispatcher: fans out the store's changes to watchers.
 *
 * Invariants:
 * - A watcher receives every event that it selects exactly once, in revision order.
 * - A change is encoded once per format, and all watchers of a channel receive the same buffer.
 * - A change is only matched against the channels of its resource, its namespace and its key, and of those only against the
 *   ones whose indexed requirement it fulfils (`ScopeChannels`).
 * - A slow watcher is terminated before more than `maxBufferedBytes` are buffered for it; other watchers are not
 *   affected.
 * - A large event (`WatchFormat.large`) is encoded on another thread, and no event overtakes it: the watchers that select
 *   it leave their channel before it, and replay sends them the history from there on. A bookmark is sent to members of
 *   channels only, so none overtakes it either.
 * - If an event cannot be encoded, the watches that select it end, and their clients list again.
 */
import type { Clock } from '../../base/clock.ts';
import { type Change, Compacted, type Revision, type Store } from '../store.ts';
import { Channel } from './channel.ts';
import { type EventType, eventObject, eventType, isLargeEvent, type WatchFormat } from './event.ts';
import { RoutedChange } from './routed-change.ts';
import { ScopeChannels } from './scope-channels.ts';
import { WatchReplay } from './watch-replay.ts';
import {
  type Watch,
  type WatchCounts,
  type WatchEnd,
  Watcher,
  type WatchRequest,
  type WatchSink,
} from './watcher.ts';

export {
  type EventObject,
  type EventType,
  jsonEvent,
  type LargeEventEncoder,
  type WatchFormat,
} from './event.ts';
export type { Watch, WatchCounts, WatchEnd, WatchRequest, WatchSink } from './watcher.ts';

export interface WatchHubOptions {
  /** Bytes that may be buffered for a slow client. */
  readonly maxBufferedBytes?: number;
  readonly bookmarkIntervalMs?: number;
  /** Deadline for sending the initial state of a watch, since it may pin a view. */
  readonly initialEventsTimeoutMs?: number;
}

/** A bookmark is sent this long before a watch times out, so that its client resumes close to the head. */
const LAST_BOOKMARK_MS = 2_000;
/** Upper bound of the delay that batches events. */
const MAX_BATCHING_DELAY_MS = 10;
/** Events that become visible together are sent together, up to this many bytes. */
const MAX_PENDING_BYTES = 1024 * 1024;

export class WatchHub {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #maxBufferedBytes: number;
  readonly #bookmarkIntervalMs: number;
  readonly #replay: WatchReplay;
  #unsubscribe: (() => void) | undefined;
  readonly #watchers = new Set<Watcher>();
  /** The number of watches. A field and not a getter, since every write reads it. */
  watcherCount = 0;
  /** By scope (key prefix or key), then by selection and format. */
  readonly #channels = new Map<string, ScopeChannels>();
  readonly #counts = new Map<string, WatchCounts>();
  /** Number of watchers by scope (key prefix or key). */
  readonly #watchersByScope = new Map<string, number>();
  /** Channels with pending events. */
  readonly #unflushed = new Set<Channel>();
  /** Encodings of the current change, by event type and format. */
  readonly #frames = new Map<string, Buffer>();
  /**
   * Earliest time of the next flush, of `performance.now()`: it measures the load of the process, also while the
   * server's clock is a test's.
   */
  #nextFlushAt = 0;
  /** The revision of the last change that was sent to the channels. */
  #dispatchedRevision: Revision;
  #slowTerminations = 0;
  #closed = false;

  constructor(store: Store, clock: Clock, options: WatchHubOptions = {}) {
    const {
      maxBufferedBytes = 8 * 1024 * 1024,
      bookmarkIntervalMs = 60_000,
      initialEventsTimeoutMs = 120_000,
    } = options;
    this.#store = store;
    this.#clock = clock;
    this.#maxBufferedBytes = maxBufferedBytes;
    this.#bookmarkIntervalMs = bookmarkIntervalMs;
    this.#dispatchedRevision = store.revision;
    this.#replay = new WatchReplay({
      store,
      clock,
      initialEventsTimeoutMs,
      head: () => this.#dispatchedRevision,
      onCaughtUp: (watcher) => this.#join(watcher),
    });
  }

  /**
   * Starts a watch; nothing is written to the sink before this returns. Throws Compacted if the start revision has
   * been compacted. A watch from a future revision waits for it. The hub releases the page in `request.start`.
   */
  watch(request: WatchRequest, sink: WatchSink): Watch {
    const { start, prefix, timeoutMs, bookmarks } = request;
    const isCompacted = start !== 'now' && startRevisionOf(start) < this.#store.compacted;
    if (isCompacted || this.#closed) {
      if (start !== 'now' && 'page' in start) start.page.release();
      throw isCompacted ? new Compacted(this.#store.compacted) : new Error('the watch hub is closed');
    }
    const watcher = new Watcher(
      request,
      sink,
      this.#getOrCreateCounts(prefix),
      this.#maxBufferedBytes,
      (ended, reason) => this.#onEnd(ended, reason),
    );
    this.#subscribe();
    this.#watchers.add(watcher);
    this.watcherCount++;
    this.#addToScopeCount(request, 1);
    if (timeoutMs !== undefined) {
      watcher.cleanUps.push(this.#clock.after(timeoutMs, () => watcher.end('timeout')));
      if (bookmarks && timeoutMs > LAST_BOOKMARK_MS) {
        const sendLastBookmark = () =>
          this.#findChannel(request)?.bookmark(this.#dispatchedRevision, watcher);
        watcher.cleanUps.push(this.#clock.after(timeoutMs - LAST_BOOKMARK_MS, sendLastBookmark));
      }
    }
    this.#replay.start(watcher);
    return watcher;
  }

  /** Totals sent so far, by resource. */
  get counts(): ReadonlyMap<string, Readonly<WatchCounts>> {
    return this.#counts;
  }

  /** Number of watches terminated because their client was too slow. */
  get slowTerminations(): number {
    return this.#slowTerminations;
  }

  /**
   * Upper bound of the watches that a change of this object reaches, selectors aside. Without a name: of any object
   * in the namespace.
   */
  countWatchers(prefix: string, namespace: string, name: string): number {
    const all = `${prefix}/`;
    const within = namespace === '' ? all : `${all}${namespace}/`;
    return (
      this.#scopeWatcherCount(all) +
      (within === all ? 0 : this.#scopeWatcherCount(within)) +
      (name === '' ? 0 : this.#scopeWatcherCount(within + name))
    );
  }

  /** Ends the watches of a resource that is no longer served, after flushing its events. */
  endResource(prefix: string): void {
    this.#flush();
    for (const watcher of [...this.#watchers]) if (watcher.request.prefix === prefix) watcher.end('timeout');
  }

  /** Ends every watch: the store was restored to another state. */
  reset(): void {
    this.#endAll('reset');
    this.#dispatchedRevision = this.#store.revision;
  }

  close(): void {
    this.#closed = true;
    this.#flush();
    this.#endAll('shutdown');
    this.#replay.close();
  }

  /** The hub follows the store only while there are watches; replay covers everything before. */
  #subscribe(): void {
    if (this.#unsubscribe) return;
    this.#dispatchedRevision = this.#store.revision;
    this.#unsubscribe = this.#store.subscribe((changes) => this.#dispatch(changes));
  }

  #dispatch(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.revision <= this.#dispatchedRevision) continue;
      this.#dispatchedRevision = change.revision;
      if (this.#channels.size > 0) this.#route(change);
    }
    this.#replay.advance();
  }

  #route(change: Change): void {
    const { prefix, key } = change;
    this.#frames.clear();
    const routed = new RoutedChange(change);
    this.#publish(routed, `${prefix}/`);
    const namespaceEnd = key.lastIndexOf('/') + 1;
    if (namespaceEnd > prefix.length + 1) this.#publish(routed, key.slice(0, namespaceEnd));
    this.#publish(routed, key);
  }

  #publish(routed: RoutedChange, scope: string): void {
    const channels = this.#channels.get(scope);
    if (!channels) return;
    const { change } = routed;
    for (const channel of channels.candidates(routed)) {
      // Removed since: sending to another channel ended its watches.
      if (channel.isEmpty) continue;
      try {
        const type = eventType(channel.select ? routed.selectable : change, channel.select);
        if (!type) continue;
        if (isLargeEvent(change, type, channel.format)) {
          this.#returnToReplay(channel, change);
          continue;
        }
        channel.push(this.#frame(change, type, channel.format));
      } catch (error) {
        channel.fail(error);
        continue;
      }
      if (channel.pendingBytes > MAX_PENDING_BYTES) channel.flush();
      else this.#flushSoon(channel);
    }
  }

  #frame(change: Change, type: EventType, format: WatchFormat): Buffer {
    const id = `${type} ${format.id}`;
    let frame = this.#frames.get(id);
    if (!frame) {
      frame = format.event(type, eventObject(change, type), change.previous);
      this.#frames.set(id, frame);
    }
    return frame;
  }

  /** Replay sends this change, and all later ones, to the members of the channel. */
  #returnToReplay(channel: Channel, { revision }: Change): void {
    const members = channel.dismiss();
    this.#remove(channel);
    for (const member of members) this.#replay.resume(member, revision - 1);
  }

  #flushSoon(channel: Channel): void {
    if (this.#unflushed.size === 0) this.#scheduleFlush();
    this.#unflushed.add(channel);
  }

  /**
   * Flushes immediately, unless the last flush took long and ended recently: then events are batched. A write to a
   * socket costs far more than the bytes in it, so batching is what lets many watchers take many events.
   */
  #scheduleFlush(): void {
    const delay = this.#nextFlushAt - performance.now();
    if (delay < 1) setImmediate(() => this.#flush());
    else setTimeout(() => this.#flush(), delay);
  }

  #flush(): void {
    const startedAt = performance.now();
    const channels = [...this.#unflushed];
    this.#unflushed.clear();
    for (const channel of channels) channel.flush();
    const endedAt = performance.now();
    this.#nextFlushAt = endedAt + Math.min((endedAt - startedAt) / 2, MAX_BATCHING_DELAY_MS);
  }

  /** Adds a watcher that has received all events up to the head to its channel. */
  #join(watcher: Watcher): void {
    const { request } = watcher;
    // The new watcher has already been sent the pending events, the members have not. The flush may end all members
    // and thus remove the channel.
    this.#findChannel(request)?.flush();
    let channel = this.#findChannel(request);
    if (!channel) {
      const scope = scopeOf(request);
      channel = new Channel(scope, channelId(request), request.format, request.select);
      const channels = this.#channels.get(scope) ?? new ScopeChannels();
      channels.add(channel);
      this.#channels.set(scope, channels);
      this.#scheduleBookmark(channel);
    }
    channel.join(watcher);
  }

  #scheduleBookmark(channel: Channel): void {
    channel.stopBookmarks = this.#clock.after(this.#bookmarkIntervalMs, () => {
      channel.bookmark(this.#dispatchedRevision);
      if (!channel.isEmpty) this.#scheduleBookmark(channel);
    });
  }

  #findChannel(request: WatchRequest): Channel | undefined {
    return this.#channels.get(scopeOf(request))?.get(channelId(request));
  }

  #onEnd(watcher: Watcher, reason: WatchEnd | undefined): void {
    this.#watchers.delete(watcher);
    this.watcherCount--;
    if (this.watcherCount === 0) {
      this.#unsubscribe?.();
      this.#unsubscribe = undefined;
    }
    this.#addToScopeCount(watcher.request, -1);
    if (reason === 'slow') this.#slowTerminations++;
    const channel = this.#findChannel(watcher.request);
    if (!channel) return;
    channel.leave(watcher);
    if (channel.isEmpty) this.#remove(channel);
  }

  #remove(channel: Channel): void {
    channel.stopBookmarks();
    const channels = this.#channels.get(channel.scope);
    channels?.delete(channel);
    if (channels?.size === 0) this.#channels.delete(channel.scope);
  }

  #scopeWatcherCount(scope: string): number {
    return this.#watchersByScope.get(scope) ?? 0;
  }

  #addToScopeCount(request: WatchRequest, change: 1 | -1): void {
    const scope = scopeOf(request);
    const count = this.#scopeWatcherCount(scope) + change;
    if (count === 0) this.#watchersByScope.delete(scope);
    else this.#watchersByScope.set(scope, count);
  }

  #endAll(reason: WatchEnd): void {
    for (const watcher of [...this.#watchers]) watcher.end(reason);
  }

  #getOrCreateCounts(prefix: string): WatchCounts {
    let counts = this.#counts.get(prefix);
    if (!counts) {
      counts = { watchers: 0, events: 0, bytes: 0 };
      this.#counts.set(prefix, counts);
    }
    return counts;
  }
}

function startRevisionOf(start: Exclude<WatchRequest['start'], 'now'>): Revision {
  return 'page' in start ? start.page.revision : start.after;
}

function scopeOf({ keyPrefix, key }: WatchRequest): string {
  return key ?? keyPrefix;
}

function channelId({ select, format }: WatchRequest): string {
  return `${select?.id ?? ''}\0${format.id}`;
}
