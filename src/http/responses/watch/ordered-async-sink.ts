// A watch sink that prepares events asynchronously (conversion webhook, worker thread) and sends them in order.
import type { WatchEnd, WatchSink } from '../../../store/watch/hub.ts';

/** Events that are not sent yet count as unread by the client, so the hub's backpressure applies. */
export abstract class OrderedAsyncSink implements WatchSink {
  readonly #sink: WatchSink;
  /** Aborted when the watch ends. */
  readonly #signal: AbortSignal;
  /** Frames of the hub that wait to be prepared. */
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #isSending = false;
  /** Set once the hub has ended the watch; the end is sent after the queued events. */
  #end: { readonly reason: WatchEnd; readonly error: unknown } | undefined;
  #hasFailed = false;

  constructor(sink: WatchSink, signal: AbortSignal) {
    this.#sink = sink;
    this.#signal = signal;
  }

  /** The bytes to send for a frame of the hub. */
  protected abstract prepare(frame: Buffer): AsyncIterable<Buffer>;

  write(frame: Buffer): boolean {
    // The watch is closed: further events are dropped.
    if (this.#hasFailed) return true;
    this.#queuedBytes += frame.length;
    this.#queue.push(frame);
    if (!this.#isSending) void this.#sendQueued();
    return false;
  }

  buffered(): number {
    return this.#queuedBytes + this.#sink.buffered();
  }

  /** Sends queued events before the end, unless the client reads too slowly, the watch has failed or is aborted. */
  close(reason: WatchEnd, error?: unknown): void {
    if (this.#hasFailed) return;
    this.#end = { reason, error };
    if (reason === 'slow' || reason === 'failed') this.#queue = [];
    if (!this.#isSending) this.#sink.close(reason, error);
  }

  async #sendQueued(): Promise<void> {
    this.#isSending = true;
    try {
      for (let frame = this.#queue.shift(); frame; frame = this.#queue.shift()) {
        if (this.#signal.aborted) return;
        for await (const bytes of this.prepare(frame)) {
          if (this.#signal.aborted) return;
          this.#sink.write(bytes);
        }
        this.#queuedBytes -= frame.length;
      }
    } catch (error) {
      this.#hasFailed = true;
      this.#queue = [];
      this.#sink.close('failed', error);
      return;
    } finally {
      this.#isSending = false;
      // Frees the events that nobody will read.
      if (this.#signal.aborted) this.#queue = [];
    }
    if (this.#end) this.#sink.close(this.#end.reason, this.#end.error);
  }
}
