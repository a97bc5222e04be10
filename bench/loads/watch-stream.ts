import { payload, tickMarker, tickWidth } from '../objects.ts';

const marker = Buffer.from(tickMarker);
const whole = marker.length + tickWidth;
const lineFeed = 10;

export interface WatchHandler {
  opened(head: string): void;
  tick(microseconds: number, sequence: number): void;
  /** The server has ended the watch; the connection itself may stay open. */
  ended(): void;
}

/**
 * The bytes of one watch connection: the head of the answer, then chunks. Finds the ticks in the events
 * without parsing them, because the receiver shares the processors with the server it measures. Servers
 * cut chunks where it suits them, also in the middle of an event, and reads end anywhere.
 */
export class WatchStream {
  readonly #handler: WatchHandler;
  #part: 'head' | 'size' | 'data' | 'end' = 'head';
  #head = '';
  /** The size of the chunk as far as it is read, then how much of its data is still to come. */
  #left = 0;
  /** The end of the data so far, where it may hold the beginning of a tick. */
  #carry: Buffer | undefined;

  constructor(handler: WatchHandler) {
    this.#handler = handler;
  }

  /** The bytes may lie in a buffer that is used again afterwards. */
  push(bytes: Buffer): void {
    let at = this.#part === 'head' ? this.#readHead(bytes) : 0;
    while (at < bytes.length) {
      if (this.#part === 'data') {
        const end = Math.min(bytes.length, at + this.#left);
        this.#scan(bytes.subarray(at, end));
        this.#left -= end - at;
        at = end;
        if (this.#left === 0) this.#part = 'end';
      } else {
        const byte = bytes[at++]!;
        const digit = hexValue[byte];
        if (byte === lineFeed) this.#lineEnded();
        else if (this.#part === 'size' && digit !== undefined) this.#left = this.#left * 16 + digit;
      }
    }
  }

  /** Returns where the body begins, or the end of the bytes when the head goes on. */
  #readHead(bytes: Buffer): number {
    const before = this.#head.length;
    this.#head += bytes.toString('latin1');
    const end = this.#head.indexOf('\r\n\r\n');
    if (end === -1) return bytes.length;
    this.#part = 'size';
    this.#handler.opened(this.#head.slice(0, end));
    return end + 4 - before;
  }

  #lineEnded(): void {
    if (this.#part === 'end') {
      this.#part = 'size';
    } else {
      this.#part = 'data';
      if (this.#left === 0) this.#handler.ended();
    }
  }

  #scan(data: Buffer): void {
    const text = this.#carry ? Buffer.concat([this.#carry, data]) : data;
    let from = 0;
    for (;;) {
      const at = text.indexOf(marker, from);
      if (at === -1 || at + whole > text.length) break;
      const digitsAt = at + marker.length;
      this.#handler.tick(digits(text, digitsAt, digitsAt + 16), digits(text, digitsAt + 16, at + whole));
      from = Math.min(text.length, at + whole + payload.length);
    }
    // An event ends with a line feed and has none inside: after one, nothing is cut in two.
    const ended = text[text.length - 1] === lineFeed;
    this.#carry = ended ? undefined : Buffer.from(text.subarray(Math.max(from, text.length - whole + 1)));
  }
}

const hexValue: readonly (number | undefined)[] = Array.from({ length: 256 }, (_, byte) => {
  const value = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(value) ? undefined : value;
});

function digits(text: Buffer, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) value = value * 10 + text[i]! - 48;
  return value;
}
