/**
 * Tells watchers of the store's changes.
 *
 * Invariants:
 * - A watcher hears every event it asked for exactly once, in the order of revisions.
 * - A change is put into bytes once per format and goes to the watchers of a channel as the same buffer.
 * - A change concerns the channels of its resource, its namespace and its key; no others are asked.
 * - A watcher that lags is cut off before more than `maxBuffered` bytes wait for it; the others notice nothing.
 */
import type { Clock } from '../../clock.ts';
import { type Change, Compacted, type Revision, type Store } from '../store.ts';
import { CatchUp } from './catch-up.ts';
import { Channel } from './channel.ts';
import {
  type EventType,
  eventObject,
  eventType,
  type SelectableChange,
  selectable,
  type WatchFormat,
} from './event.ts';
import {
  type Watch,
  type WatchCounts,
  type WatchEnd,
  Watcher,
  type WatchRequest,
  type WatchSink,
} from './watcher.ts';

export { type EventObject, type EventType, jsonEvent, type WatchFormat } from './event.ts';
export type { Watch, WatchCounts, WatchEnd, WatchRequest, WatchSink } from './watcher.ts';

export interface WatchHubOptions {
  /** How many bytes may wait for a reader that lags. */
  readonly maxBuffered?: number;
  readonly bookmarkMs?: number;
  /** How long the state at the start of a watch may take to be read: it may keep a view pinned. */
  readonly initialMs?: number;
}

/** A bookmark comes this long before a watch times out, so that its client resumes close to the head. */
const LAST_BOOKMARK_MS = 2_000;
/** Events wait for each other no longer than this. */
const LONGEST_REST_MS = 10;
/** Events that become visible together are sent together, up to this size. */
const MAX_PENDING = 1024 * 1024;

export class WatchHub {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #maxBuffered: number;
  readonly #bookmarkMs: number;
  readonly #catchUp: CatchUp;
  readonly #unsubscribe: () => void;
  readonly #watchers = new Set<Watcher>();
  /** By what the keys begin with (or are), then by selection and format. */
  readonly #channels = new Map<string, Map<string, Channel>>();
  readonly #counts = new Map<string, WatchCounts>();
  /** How many watch what the keys begin with (or are). */
  readonly #byScope = new Map<string, number>();
  /** Channels with events that have not been sent. */
  readonly #unflushed = new Set<Channel>();
  /** The last change in the formats it has been asked for. */
  readonly #frames = new Map<string, Buffer>();
  #selectable: SelectableChange | undefined;
  /** When the next flush may come, on the process's own time: how busy it is has nothing to do with the server's clock. */
  #restUntil = 0;
  #seen: Revision;
  #cutOff = 0;
  #closed = false;

  constructor(store: Store, clock: Clock, options: WatchHubOptions = {}) {
    const { maxBuffered = 8 * 1024 * 1024, bookmarkMs = 60_000, initialMs = 120_000 } = options;
    this.#store = store;
    this.#clock = clock;
    this.#maxBuffered = maxBuffered;
    this.#bookmarkMs = bookmarkMs;
    this.#seen = store.revision;
    this.#unsubscribe = store.subscribe((changes) => this.#hear(changes));
    this.#catchUp = new CatchUp({
      store,
      clock,
      initialMs,
      head: () => this.#seen,
      arrived: (watcher) => this.#join(watcher),
    });
  }

  /**
   * Begins a watch; nothing is written to the sink before this returns. Throws Compacted when it would begin in a
   * forgotten past. A watch that begins in the future waits for it. The hub releases the page it is given.
   */
  watch(request: WatchRequest, sink: WatchSink): Watch {
    const { start, prefix, timeoutMs, bookmarks } = request;
    const isPast = typeof start === 'object' && startOf(start) < this.#store.compacted;
    if (isPast || this.#closed) {
      if (typeof start === 'object' && 'page' in start) start.page.release();
      throw isPast ? new Compacted(this.#store.compacted) : new Error('the watch hub is closed');
    }
    const watcher = new Watcher(request, sink, this.#countsOf(prefix), this.#maxBuffered, (ended, reason) =>
      this.#ended(ended, reason),
    );
    this.#watchers.add(watcher);
    this.#countScope(request, 1);
    if (timeoutMs !== undefined) {
      watcher.cleanUps.push(this.#clock.after(timeoutMs, () => watcher.end('timeout')));
      if (bookmarks && timeoutMs > LAST_BOOKMARK_MS) {
        const remind = () => this.#channelOf(request)?.bookmark(this.#seen, watcher);
        watcher.cleanUps.push(this.#clock.after(timeoutMs - LAST_BOOKMARK_MS, remind));
      }
    }
    this.#catchUp.start(watcher);
    return watcher;
  }

  /** What has been sent so far, by resource. */
  get counts(): ReadonlyMap<string, Readonly<WatchCounts>> {
    return this.#counts;
  }

  /** How many watches have been ended because their reader lagged. */
  get cutOff(): number {
    return this.#cutOff;
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  /** How many watches may hear of a change of this object, whatever they select; without a name, of any such. */
  watchersOf(prefix: string, namespace: string, name: string): number {
    const all = `${prefix}/`;
    const within = namespace === '' ? all : `${all}${namespace}/`;
    return (
      this.#watching(all) +
      (within === all ? 0 : this.#watching(within)) +
      (name === '' ? 0 : this.#watching(within + name))
    );
  }

  /** Ends the watches of a resource that is no longer there, once they have heard all there was. */
  endOf(prefix: string): void {
    this.#flush();
    for (const watcher of [...this.#watchers]) if (watcher.request.prefix === prefix) watcher.end('timeout');
  }

  /** Ends every watch: the store has become another one. */
  reset(): void {
    this.#endAll('reset');
    this.#seen = this.#store.revision;
  }

  close(): void {
    this.#closed = true;
    this.#unsubscribe();
    this.#flush();
    this.#endAll('shutdown');
    this.#catchUp.close();
  }

  #hear(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.revision <= this.#seen) continue;
      this.#seen = change.revision;
      if (this.#channels.size > 0) this.#route(change);
    }
    this.#catchUp.advance();
  }

  #route(change: Change): void {
    const { prefix, key } = change;
    this.#frames.clear();
    this.#selectable = undefined;
    this.#publish(change, `${prefix}/`);
    const namespaceEnd = key.lastIndexOf('/') + 1;
    if (namespaceEnd > prefix.length + 1) this.#publish(change, key.slice(0, namespaceEnd));
    this.#publish(change, key);
  }

  #publish(change: Change, scope: string): void {
    const channels = this.#channels.get(scope);
    if (!channels) return;
    for (const channel of channels.values()) {
      try {
        if (channel.select) this.#selectable ??= selectable(change);
        const type = eventType(this.#selectable ?? change, channel.select);
        if (!type) continue;
        channel.push(this.#frame(change, type, channel.format));
      } catch (error) {
        channel.fail(error);
        continue;
      }
      if (channel.pendingBytes > MAX_PENDING) channel.flush();
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

  #flushSoon(channel: Channel): void {
    if (this.#unflushed.size === 0) this.#scheduleFlush();
    this.#unflushed.add(channel);
  }

  /**
   * Right away, unless the last flush was long and is not long ago: then what comes meanwhile goes out together. A
   * write to a connection costs far more than the bytes in it, so this is how many watchers take many events.
   */
  #scheduleFlush(): void {
    const rest = this.#restUntil - performance.now();
    if (rest < 1) setImmediate(() => this.#flush());
    else setTimeout(() => this.#flush(), rest);
  }

  #flush(): void {
    const begun = performance.now();
    const channels = [...this.#unflushed];
    this.#unflushed.clear();
    for (const channel of channels) channel.flush();
    const ended = performance.now();
    this.#restUntil = ended + Math.min((ended - begun) / 2, LONGEST_REST_MS);
  }

  #join(watcher: Watcher): void {
    const { request } = watcher;
    // Its members have not been sent what is pending, but the newcomer has. This may leave it without any.
    this.#channelOf(request)?.flush();
    let channel = this.#channelOf(request);
    if (!channel) {
      const scope = scopeOf(request);
      channel = new Channel(scope, channelId(request), request.format, request.select);
      const channels = this.#channels.get(scope) ?? new Map<string, Channel>();
      channels.set(channel.id, channel);
      this.#channels.set(scope, channels);
      this.#bookmarkLater(channel);
    }
    channel.join(watcher);
  }

  #bookmarkLater(channel: Channel): void {
    channel.stopBookmarks = this.#clock.after(this.#bookmarkMs, () => {
      channel.bookmark(this.#seen);
      if (!channel.isEmpty) this.#bookmarkLater(channel);
    });
  }

  #channelOf(request: WatchRequest): Channel | undefined {
    return this.#channels.get(scopeOf(request))?.get(channelId(request));
  }

  #ended(watcher: Watcher, reason: WatchEnd | undefined): void {
    this.#watchers.delete(watcher);
    this.#countScope(watcher.request, -1);
    if (reason === 'slow') this.#cutOff++;
    const channel = this.#channelOf(watcher.request);
    if (!channel) return;
    channel.leave(watcher);
    if (!channel.isEmpty) return;
    channel.stopBookmarks();
    const channels = this.#channels.get(channel.scope);
    channels?.delete(channel.id);
    if (channels?.size === 0) this.#channels.delete(channel.scope);
  }

  #watching(scope: string): number {
    return this.#byScope.get(scope) ?? 0;
  }

  #countScope(request: WatchRequest, change: 1 | -1): void {
    const scope = scopeOf(request);
    const count = this.#watching(scope) + change;
    if (count === 0) this.#byScope.delete(scope);
    else this.#byScope.set(scope, count);
  }

  #endAll(reason: WatchEnd): void {
    for (const watcher of [...this.#watchers]) watcher.end(reason);
  }

  #countsOf(prefix: string): WatchCounts {
    let counts = this.#counts.get(prefix);
    if (!counts) {
      counts = { watchers: 0, events: 0, bytes: 0 };
      this.#counts.set(prefix, counts);
    }
    return counts;
  }
}

function startOf(start: Exclude<WatchRequest['start'], 'now'>): Revision {
  return 'page' in start ? start.page.revision : start.after;
}

function scopeOf({ under, key }: WatchRequest): string {
  return key ?? under;
}

function channelId({ select, format }: WatchRequest): string {
  return `${select?.id ?? ''}\0${format.id}`;
}
