import type { ListPage } from '../lists/runs-page.ts';
import type { Selection } from '../selection.ts';
import type { Revision } from '../store.ts';
import type { WatchFormat } from './event.ts';

/**
 * Why a watch ends. `slow`: its reader lags too far behind; `expired`: the history it still needs is forgotten;
 * `reset`: the store has become another one.
 */
export type WatchEnd = 'timeout' | 'slow' | 'expired' | 'shutdown' | 'reset' | 'failed';

/** Where the events of a watch go. */
export interface WatchSink {
  /** Takes one or more whole events; the bytes are shared and must not be changed. False: the reader lags. */
  write(frame: Buffer): boolean;
  /** Bytes that the reader has not taken yet. */
  buffered(): number;
  /** The hub ends the watch; nothing is written any more. */
  close(reason: WatchEnd, error?: unknown): void;
}

export interface WatchRequest {
  /** The resource, as writes name it: `configmaps`. */
  readonly prefix: string;
  /** What the keys begin with: the prefix and a slash, or also a namespace and a slash. */
  readonly under: string;
  /** The one object it can be about, where a selector names it. */
  readonly key?: string;
  readonly select?: Selection | undefined;
  /** What comes after now or after a revision; or the objects of a page as ADDED, then what comes after its state. */
  readonly start:
    | 'now'
    | { readonly after: Revision }
    | { readonly page: ListPage; readonly announceEnd: boolean };
  readonly bookmarks: boolean;
  readonly timeoutMs?: number;
  readonly format: WatchFormat;
  /** Called when all that it begins with has been sent, or it waits for its reader or the future. */
  readonly begun?: () => void;
}

/** A watch under way. */
export interface Watch {
  /** Ends it without a word to its sink. */
  stop(): void;
}

/** What has been sent, for metrics. */
export interface WatchCounts {
  watchers: number;
  events: number;
  bytes: number;
}

/** One watch: its place in the history and its sink. */
export class Watcher implements Watch {
  readonly request: WatchRequest;
  readonly #sink: WatchSink;
  readonly #counts: WatchCounts;
  readonly #maxBuffered: number;
  readonly #onEnd: (watcher: Watcher, reason: WatchEnd | undefined) => void;
  #ended = false;
  /** While it catches up: everything up to here has been sent. */
  position: Revision = 0;
  /** Called when it ends. */
  readonly cleanUps: (() => void)[] = [];

  constructor(
    request: WatchRequest,
    sink: WatchSink,
    counts: WatchCounts,
    maxBuffered: number,
    onEnd: (watcher: Watcher, reason: WatchEnd | undefined) => void,
  ) {
    this.request = request;
    this.#sink = sink;
    this.#counts = counts;
    this.#maxBuffered = maxBuffered;
    this.#onEnd = onEnd;
    counts.watchers++;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get buffered(): number {
    return this.#sink.buffered();
  }

  send(frame: Buffer, events: number): void {
    if (this.#ended) return;
    this.#counts.events += events;
    this.#counts.bytes += frame.length;
    try {
      if (!this.#sink.write(frame) && this.#sink.buffered() > this.#maxBuffered) this.end('slow');
    } catch (error) {
      this.end('failed', error);
    }
  }

  stop(): void {
    this.#finish(undefined);
  }

  end(reason: WatchEnd, error?: unknown): void {
    if (this.#finish(reason)) this.#sink.close(reason, error);
  }

  #finish(reason: WatchEnd | undefined): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    this.#counts.watchers--;
    for (const cleanUp of this.cleanUps) cleanUp();
    this.#onEnd(this, reason);
    return true;
  }
}
