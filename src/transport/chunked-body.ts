// Writes HTTP/1.1 chunked bodies straight to the socket, from pooled buffers.
import type { Socket } from 'node:net';
import { type Clock, every } from '../base/clock.ts';

/** Space for the chunk size before its bytes: up to six hexadecimal digits and CRLF. */
const headBytes = 8;
const tailBytes = 2;
/** Large enough that the cost of a write is small against encryption and the copy to the kernel. */
const bufferBytes = 256 * 1024;
const capacityBytes = bufferBytes - headBytes - tailBytes;
/** Maximum number of pooled buffers. */
const maxPooledBuffers = 64;
/** Buffers that stay unused for this long are freed. */
const idleCheckMs = 5_000;

/** Pool of buffers for list responses: allocating and collecting them costs more than filling them. */
export class BufferPool {
  readonly #clock: Clock;
  readonly #free: Buffer[] = [];
  /** The minimum of free buffers since the last check: this many were not needed. */
  #unusedCount = 0;
  #stopChecking: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get freeCount(): number {
    return this.#free.length;
  }

  acquire(): Buffer {
    const free = this.#free.pop();
    this.#unusedCount = Math.min(this.#unusedCount, this.#free.length);
    return free ?? Buffer.allocUnsafeSlow(bufferBytes);
  }

  release(buffer: Buffer): void {
    if (this.#free.length >= maxPooledBuffers) return;
    this.#free.push(buffer);
    this.#stopChecking ??= every(this.#clock, idleCheckMs, () => this.#freeUnused());
  }

  #freeUnused(): void {
    this.#free.length -= this.#unusedCount;
    this.#unusedCount = this.#free.length;
    if (this.#unusedCount > 0) return;
    this.#stopChecking?.();
    this.#stopChecking = undefined;
  }
}

/**
 * The chunks of a long HTTP/1.1 response, written straight to the socket. Node's response would write each chunk in
 * three parts, which TLS then copies together; here small chunks are joined to few large ones, copied once. The response
 * object has sent the head and will send the end.
 */
export class ChunkedBody {
  readonly #pool: BufferPool;
  readonly #socket: Socket;
  #buffer: Buffer;
  #filledBytes = 0;

  constructor(socket: Socket, pool: BufferPool) {
    this.#pool = pool;
    this.#socket = socket;
    this.#buffer = pool.acquire();
  }

  /** Copies as much from `start` on as fits, and returns the number of bytes. The rest must follow after `send`. */
  put(chunk: Buffer, start: number): number {
    const copied = chunk.copy(
      this.#buffer,
      headBytes + this.#filledBytes,
      start,
      start + capacityBytes - this.#filledBytes,
    );
    this.#filledBytes += copied;
    return copied;
  }

  get isFull(): boolean {
    return this.#filledBytes === capacityBytes;
  }

  /** Sends the buffered bytes. False: backpressure, wait for `drain`. */
  send(): boolean {
    if (this.#filledBytes === 0) return true;
    const buffer = this.#buffer;
    const head = `${this.#filledBytes.toString(16)}\r\n`;
    const start = headBytes - head.length;
    buffer.write(head, start, 'latin1');
    const end = headBytes + this.#filledBytes;
    buffer.write('\r\n', end, 'latin1');
    this.#buffer = this.#pool.acquire();
    this.#filledBytes = 0;
    return this.#socket.write(buffer.subarray(start, end + tailBytes), () => this.#pool.release(buffer));
  }

  /** Returns the buffer to the pool. Unsent bytes are dropped. */
  close(): void {
    this.#pool.release(this.#buffer);
  }
}
