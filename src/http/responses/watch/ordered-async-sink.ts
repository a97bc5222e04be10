// A watch sink that prepares events asynchronously and keeps their order.
import type { WatchEnd, WatchSink } from '../../../store/watch/hub.ts';

/** Events that are not ready count as unread by the client, so the hub's backpressure applies. */
export abstract class OrderedAsyncSink implements WatchSink {
  readonly #sink: WatchSink;
  /** Aborted when the watch ends. */
  readonly #signal: AbortSignal;
  #queue: Buffer[] = [];
  #waitingBytes = 0;
  #isWorking = false;
  #end: { readonly reason: WatchEnd; readonly error: unknown } | undefined;
  #hasFailed = false;

  constructor(sink: WatchSink, signal: AbortSignal) {
    this.#sink = sink;
    this.#signal = signal;
  }

  /** The bytes to send for a frame of the hub. */
  protected abstract prepare(frame: Buffer): AsyncIterable<Buffer>;

  write(frame: Buffer): boolean {
    if (this.#hasFailed) return true;
    this.#waitingBytes += frame.length;
    this.#queue.push(frame);
    if (!this.#isWorking) void this.#work();
    return false;
  }

  buffered(): number {
    return this.#waitingBytes + this.#sink.buffered();
  }

  /** Sends queued events before the end, unless the client reads too slowly, the watch has failed or is aborted. */
  close(reason: WatchEnd, error?: unknown): void {
    if (this.#hasFailed) return;
    this.#end = { reason, error };
    if (reason === 'slow' || reason === 'failed') this.#queue = [];
    if (!this.#isWorking) this.#sink.close(reason, error);
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    try {
      for (let frame = this.#queue.shift(); frame; frame = this.#queue.shift()) {
        if (this.#signal.aborted) return;
        for await (const bytes of this.prepare(frame)) {
          if (this.#signal.aborted) return;
          this.#sink.write(bytes);
        }
        this.#waitingBytes -= frame.length;
      }
    } catch (error) {
      this.#hasFailed = true;
      this.#queue = [];
      this.#sink.close('failed', error);
      return;
    } finally {
      this.#isWorking = false;
      if (this.#signal.aborted) this.#queue = [];
    }
    if (this.#end) this.#sink.close(this.#end.reason, this.#end.error);
  }
}
