/**
 * Wraps the bytes of an event for the wire. An event goes to many watchers one after the other, so each wrapping is
 * made once and kept until another event comes.
 */
export class Framing {
  #chunkOf: Buffer | undefined;
  #chunk: Buffer = Buffer.alloc(0);

  /** As one chunk of HTTP/1.1's chunked transfer coding. */
  chunk(frame: Buffer): Buffer {
    if (frame !== this.#chunkOf) {
      this.#chunkOf = frame;
      this.#chunk = Buffer.concat([Buffer.from(`${frame.length.toString(16)}\r\n`), frame, crlf]);
    }
    return this.#chunk;
  }
}

const crlf = Buffer.from('\r\n');
