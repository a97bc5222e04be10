import type { Socket } from 'node:net';

/** Room for a chunk's size in front of its bytes: up to six hexadecimal digits and a line end. */
const headRoom = 8;
const tailRoom = 2;
/** Large enough that encrypting and handing over to the kernel outweigh what a write costs by itself. */
const bufferSize = 256 * 1024;
const capacity = bufferSize - headRoom - tailRoom;
/** Buffers kept for the next list. */
const spares = 8;

/** Buffers that lists are put together in: used again, because making and collecting them costs more than filling. */
export class BodyBuffers {
  readonly #spare: Buffer[] = [];

  take(): Buffer {
    return this.#spare.pop() ?? Buffer.allocUnsafeSlow(bufferSize);
  }

  give(buffer: Buffer): void {
    if (this.#spare.length < spares) this.#spare.push(buffer);
  }
}

/**
 * The chunks of a long HTTP/1.1 answer, written straight to the connection. Node's response would frame each piece in
 * three parts, which TLS then copies together again; here pieces of any size become few large chunks, copied once.
 * The response object has sent the headers and will send the end.
 */
export class ChunkedBody {
  readonly #buffers: BodyBuffers;
  readonly #socket: Socket;
  #buffer: Buffer;
  #filled = 0;

  constructor(socket: Socket, buffers: BodyBuffers) {
    this.#buffers = buffers;
    this.#socket = socket;
    this.#buffer = buffers.take();
  }

  /** How much of the piece, from `start` on, found room; the rest is for after the next `send`. */
  put(piece: Buffer, start: number): number {
    const taken = piece.copy(this.#buffer, headRoom + this.#filled, start, start + capacity - this.#filled);
    this.#filled += taken;
    return taken;
  }

  get isFull(): boolean {
    return this.#filled === capacity;
  }

  /** Sends what has been put. False: the reader lags, wait for `drain`. */
  send(): boolean {
    if (this.#filled === 0) return true;
    const buffer = this.#buffer;
    const head = `${this.#filled.toString(16)}\r\n`;
    const start = headRoom - head.length;
    buffer.write(head, start, 'latin1');
    const end = headRoom + this.#filled;
    buffer.write('\r\n', end, 'latin1');
    this.#buffer = this.#buffers.take();
    this.#filled = 0;
    return this.#socket.write(buffer.subarray(start, end + tailRoom), () => this.#buffers.give(buffer));
  }

  /** Gives its buffer back. */
  close(): void {
    this.#buffers.give(this.#buffer);
  }
}
