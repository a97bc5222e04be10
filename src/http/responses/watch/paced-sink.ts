// A watch sink that spreads large events over turns of the event loop, because there may be many watchers, and passes a client
// no more than it reads: events that wait here are shared by all watchers, those in a connection are encrypted copies.
import { setTimeout as sleep } from 'node:timers/promises';
import { expensiveRequests } from '../../../base/cooperative-yield.ts';
import type { WatchEnd, WatchSink } from '../../../store/watch/hub.ts';

/** Smaller frames are sent at once, unless others wait. */
const maxImmediateBytes = 64 * 1024;
/** Bytes in the connection above which events wait, and how long. */
const maxSinkBytes = 512 * 1024;
const pauseMs = 5;
/** The same for a large event: Node sends what is in the connections of all clients without yielding. */
const maxSinkBytesBeforeLarge = 32 * 1024;

/** Events that are not sent yet count as unread by the client, so the hub's backpressure applies. */
export class PacedSink implements WatchSink {
  readonly #sink: WatchSink;
  /** Aborted when the watch ends. */
  readonly #signal: AbortSignal;
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  /** Whether the connection had backpressure at the last write. */
  #hasBackpressure = false;

  constructor(sink: WatchSink, signal: AbortSignal) {
    this.#sink = sink;
    this.#signal = signal;
  }

  write(frame: Buffer): boolean {
    const isWaiting = this.#queue.length > 0;
    const pause = isWaiting ? undefined : this.#pauseBefore(frame);
    if (!isWaiting && !pause) return this.#write(frame);
    this.#queue.push(frame);
    this.#queuedBytes += frame.length;
    if (pause) void this.#sendQueued(pause);
    return false;
  }

  buffered(): number {
    return this.#queuedBytes + this.#sink.buffered();
  }

  /** Sends queued events before the end, unless the client reads too slowly or the watch has failed. */
  close(reason: WatchEnd, error?: unknown): void {
    const frames = reason === 'slow' || reason === 'failed' ? [] : this.#queue;
    this.#dropQueued();
    for (const frame of frames) this.#sink.write(frame);
    this.#sink.close(reason, error);
  }

  #dropQueued(): void {
    this.#queue = [];
    this.#queuedBytes = 0;
  }

  #write(frame: Buffer): boolean {
    const isAccepted = this.#sink.write(frame);
    this.#hasBackpressure = !isAccepted;
    return isAccepted;
  }

  /** Undefined if the frame can be sent now. */
  #pauseBefore(frame: Buffer): Promise<unknown> | undefined {
    const isLarge = frame.length > maxImmediateBytes;
    const maxBytes = isLarge ? maxSinkBytesBeforeLarge : maxSinkBytes;
    if (this.#hasBackpressure && this.#sink.buffered() > maxBytes) {
      return sleep(pauseMs, undefined, { ref: false });
    }
    return isLarge ? expensiveRequests.next() : undefined;
  }

  async #sendQueued(firstPause: Promise<unknown>): Promise<void> {
    for (let pause: Promise<unknown> | undefined = firstPause; ; ) {
      await pause;
      if (this.#signal.aborted) this.#dropQueued();
      const [frame] = this.#queue;
      if (!frame) return;
      pause = this.#hasBackpressure ? this.#pauseBefore(frame) : undefined;
      if (pause) continue;
      this.#queue.shift();
      this.#queuedBytes -= frame.length;
      this.#write(frame);
      const next = this.#queue[0];
      if (!next) return;
      pause = this.#pauseBefore(next);
    }
  }
}
