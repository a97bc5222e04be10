// Parses the HTTP response of a watch as far as needed to find the timestamps in its events.
import { TickScanner } from './tick-scanner.ts';

const lineFeed = 10;

export interface WatchHandler {
  opened(head: string): void;
  tick(microseconds: number, sequence: number): void;
  /** The server ended the watch; the connection may stay open. */
  ended(): void;
}

/**
 * Reads the response head and the HTTP chunks of one watch, and finds the ticks without parsing the events, because the
 * receiver shares the processors with the server. A chunk or a read may end within an event.
 */
export class WatchStream {
  readonly #handler: WatchHandler;
  #state: 'head' | 'size' | 'data' | 'end' = 'head';
  #head = '';
  /** In state `size` the chunk size read so far, in state `data` the remaining bytes of the chunk. */
  #remaining = 0;
  readonly #scanner: TickScanner;

  constructor(handler: WatchHandler) {
    this.#handler = handler;
    this.#scanner = new TickScanner((microseconds, sequence) => handler.tick(microseconds, sequence));
  }

  /** Does not keep the buffer: the caller may reuse it. */
  push(bytes: Buffer): void {
    let offset = this.#state === 'head' ? this.#readHead(bytes) : 0;
    while (offset < bytes.length) {
      if (this.#state === 'data') {
        const end = Math.min(bytes.length, offset + this.#remaining);
        this.#scanner.push(bytes.subarray(offset, end));
        this.#remaining -= end - offset;
        offset = end;
        if (this.#remaining === 0) this.#state = 'end';
      } else {
        const byte = bytes[offset++]!;
        const digit = hexValue[byte];
        if (byte === lineFeed) this.#onLineFeed();
        else if (this.#state === 'size' && digit !== undefined)
          this.#remaining = this.#remaining * 16 + digit;
      }
    }
  }

  /** Returns the offset of the body, or the length of the bytes if the head is incomplete. */
  #readHead(bytes: Buffer): number {
    const previousLength = this.#head.length;
    this.#head += bytes.toString('latin1');
    const end = this.#head.indexOf('\r\n\r\n');
    if (end === -1) return bytes.length;
    this.#state = 'size';
    this.#handler.opened(this.#head.slice(0, end));
    return end + 4 - previousLength;
  }

  #onLineFeed(): void {
    if (this.#state === 'end') {
      this.#state = 'size';
    } else {
      this.#state = 'data';
      if (this.#remaining === 0) this.#handler.ended();
    }
  }
}

const hexValue: readonly (number | undefined)[] = Array.from({ length: 256 }, (_, byte) => {
  const value = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(value) ? undefined : value;
});
