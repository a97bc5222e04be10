/**
 * Chunked transfer coding of watch events. An event goes to many watchers in a row, so its frame is built once and kept until
 * the next event.
 */
export class Framing {
  #frame: Buffer | undefined;
  #chunk: Buffer = Buffer.alloc(0);

  /** The event as a chunk of HTTP/1.1's chunked transfer coding. */
  chunk(frame: Buffer): Buffer {
    if (frame !== this.#frame) {
      this.#frame = frame;
      this.#chunk = Buffer.concat([Buffer.from(`${frame.length.toString(16)}\r\n`), frame, crlf]);
    }
    return this.#chunk;
  }
}

const crlf = Buffer.from('\r\n');
