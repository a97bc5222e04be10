// Chunked transfer coding (HTTP/1.1) of watch events.

/** The same event goes to many watchers in a row, so its chunk is built once and kept until the next event. */
export class Framing {
  #event: Buffer | undefined;
  #chunk: Buffer = Buffer.alloc(0);

  /** The event as a chunk of HTTP/1.1's chunked transfer coding: its length in hexadecimal, and its bytes. */
  chunk(event: Buffer): Buffer {
    if (event !== this.#event) {
      this.#event = event;
      this.#chunk = Buffer.concat([Buffer.from(`${event.length.toString(16)}\r\n`), event, crlf]);
    }
    return this.#chunk;
  }
}

const crlf = Buffer.from('\r\n');
