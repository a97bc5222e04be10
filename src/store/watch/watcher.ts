// One watch: its request, its position in the history and the sink of its events.
import type { ListPage } from '../lists/list-page.ts';
import type { Selection } from '../selection.ts';
import type { Revision } from '../store.ts';
import type { WatchFormat } from './event.ts';

/**
 * Why a watch ends. `slow`: the client reads too slowly; `expired`: the history that it still needs was compacted;
 * `reset`: the store was restored to another state.
 */
export type WatchEnd = 'timeout' | 'slow' | 'expired' | 'shutdown' | 'reset' | 'failed';

/** Receives the encoded events of a watch. */
export interface WatchSink {
  /**
   * Takes one or more whole events; the buffer is shared and must not be modified. Returns false under backpressure.
   */
  write(frame: Buffer): boolean;
  /** Bytes that the client has not read yet. */
  buffered(): number;
  /** The hub ended the watch; no write follows. */
  close(reason: WatchEnd, error?: unknown): void;
}

export interface WatchRequest {
  /** The resource prefix, as in `Write`: `configmaps`. */
  readonly prefix: string;
  /** Key prefix: the resource prefix and a slash, optionally followed by a namespace and a slash. */
  readonly keyPrefix: string;
  /** Set if a field selector names a single object. */
  readonly key?: string;
  readonly select?: Selection | undefined;
  /**
   * Start at the current revision, after a given revision, or with the objects of a page as ADDED followed by changes
   * after the page's revision. `announceEnd`: a bookmark follows the objects, with the annotation initial-events-end.
   */
  readonly start:
    | 'now'
    | { readonly after: Revision }
    | { readonly page: ListPage; readonly announceEnd: boolean };
  /** Whether the client requested bookmarks (allowWatchBookmarks). */
  readonly bookmarks: boolean;
  readonly timeoutMs?: number;
  readonly format: WatchFormat;
  /** Called once the initial events have been sent, or the watch waits for its client or for a future revision. */
  readonly onStarted?: () => void;
}

export interface Watch {
  /** Ends the watch without closing the sink. */
  stop(): void;
}

/** Totals for metrics. */
export interface WatchCounts {
  watchers: number;
  events: number;
  bytes: number;
}

export class Watcher implements Watch {
  readonly request: WatchRequest;
  readonly #sink: WatchSink;
  readonly #counts: WatchCounts;
  readonly #maxBufferedBytes: number;
  readonly #onEnd: (watcher: Watcher, reason: WatchEnd | undefined) => void;
  #ended = false;
  #hasStarted = false;
  /** During replay: all events up to this revision have been sent. */
  position: Revision = 0;
  /** Called when the watch ends. */
  readonly cleanUps: (() => void)[] = [];

  constructor(
    request: WatchRequest,
    sink: WatchSink,
    counts: WatchCounts,
    maxBufferedBytes: number,
    onEnd: (watcher: Watcher, reason: WatchEnd | undefined) => void,
  ) {
    this.request = request;
    this.#sink = sink;
    this.#counts = counts;
    this.#maxBufferedBytes = maxBufferedBytes;
    this.#onEnd = onEnd;
    counts.watchers++;
  }

  get isEnded(): boolean {
    return this.#ended;
  }

  /** Bytes that the client has not read yet. */
  get buffered(): number {
    return this.#sink.buffered();
  }

  send(frame: Buffer, events: number): void {
    if (this.#ended) return;
    this.#counts.events += events;
    this.#counts.bytes += frame.length;
    try {
      if (!this.#sink.write(frame) && this.#sink.buffered() > this.#maxBufferedBytes) this.end('slow');
    } catch (error) {
      this.end('failed', error);
    }
  }

  /** Calls `onStarted` of the request, once. */
  notifyStarted(): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    this.request.onStarted?.();
  }

  stop(): void {
    this.#finish(undefined);
  }

  end(reason: WatchEnd, error?: unknown): void {
    if (this.#finish(reason)) this.#sink.close(reason, error);
  }

  /** Returns false if the watch has already ended. */
  #finish(reason: WatchEnd | undefined): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    this.#counts.watchers--;
    for (const cleanUp of this.cleanUps) cleanUp();
    this.#onEnd(this, reason);
    return true;
  }
}
