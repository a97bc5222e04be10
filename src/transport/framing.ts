// Chunked transfer coding (HTTP/1.1) of watch events.

/** Events of more bytes are sent to their watchers in many turns of the event loop, among other events. */
const minLargeBytes = 64 * 1024;

/**
 * The same event goes to many watchers, in a row unless it is large, so its chunk is built once: that of the last event is
 * kept until the next event, and those of large events as long as the events.
 */
export class Framing {
  #event: Buffer | undefined;
  #chunk: Buffer = Buffer.alloc(0);
  readonly #largeChunks = new WeakMap<Buffer, Buffer>();

  /** The event as a chunk of HTTP/1.1's chunked transfer coding: its length in hexadecimal, and its bytes. */
  chunk(event: Buffer): Buffer {
    if (event !== this.#event) {
      this.#event = event;
      this.#chunk = this.#largeChunks.get(event) ?? toChunk(event);
      if (event.length >= minLargeBytes) this.#largeChunks.set(event, this.#chunk);
    }
    return this.#chunk;
  }
}

const toChunk = (event: Buffer) =>
  Buffer.concat([Buffer.from(`${event.length.toString(16)}\r\n`), event, crlf]);

const crlf = Buffer.from('\r\n');
