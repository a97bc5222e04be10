// Writes HTTP/1.1 chunked bodies straight to the socket, from pooled buffers.
import type { Socket } from 'node:net';
import { type Clock, every } from '../base/clock.ts';

/** Room for a chunk's size in front of its bytes: up to six hexadecimal digits and a line end. */
const headRoom = 8;
const tailRoom = 2;
/** Large enough that encrypting and handing over to the kernel outweigh what a write costs by itself. */
const bufferSize = 256 * 1024;
const capacity = bufferSize - headRoom - tailRoom;
/** Buffers kept for the next lists, at most. */
const mostSpares = 64;
/** Those that were not needed for so long are given up. */
const restMs = 5_000;

/** Buffers that lists are put together in: used again, because making and collecting them costs more than filling. */
export class BodyBuffers {
  readonly #clock: Clock;
  readonly #spare: Buffer[] = [];
  /** So many were left over all the time since the last look. */
  #unneeded = 0;
  #stopLooking: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get spares(): number {
    return this.#spare.length;
  }

  take(): Buffer {
    const spare = this.#spare.pop();
    this.#unneeded = Math.min(this.#unneeded, this.#spare.length);
    return spare ?? Buffer.allocUnsafeSlow(bufferSize);
  }

  give(buffer: Buffer): void {
    if (this.#spare.length >= mostSpares) return;
    this.#spare.push(buffer);
    this.#stopLooking ??= every(this.#clock, restMs, () => this.#giveUpUnneeded());
  }

  #giveUpUnneeded(): void {
    this.#spare.length -= this.#unneeded;
    this.#unneeded = this.#spare.length;
    if (this.#unneeded > 0) return;
    this.#stopLooking?.();
    this.#stopLooking = undefined;
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
