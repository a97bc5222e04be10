// Finds the timestamps of writes in the bytes of watch events.
import { payload, tickMarker, tickWidth } from '../objects.ts';

const marker = Buffer.from(tickMarker);
const tickLength = marker.length + tickWidth;
const lineFeed = 10;

/** Does not parse the events, because the receiver shares the processors with the server. */
export class TickScanner {
  readonly #onTick: (microseconds: number, sequence: number) => void;
  /** The last bytes of the previous data, which may be the beginning of a tick. */
  #carry: Buffer | undefined;

  constructor(onTick: (microseconds: number, sequence: number) => void) {
    this.#onTick = onTick;
  }

  /** Takes the next bytes, which may end within an event, and does not keep them. */
  push(data: Buffer): void {
    const text = this.#carry ? Buffer.concat([this.#carry, data]) : data;
    let from = 0;
    for (;;) {
      const offset = text.indexOf(marker, from);
      if (offset === -1 || offset + tickLength > text.length) break;
      const digitsAt = offset + marker.length;
      this.#onTick(digits(text, digitsAt, digitsAt + 16), digits(text, digitsAt + 16, offset + tickLength));
      from = Math.min(text.length, offset + tickLength + payload.length);
    }
    // An event ends with a line feed and has no other: after it no tick is incomplete.
    const ended = text[text.length - 1] === lineFeed;
    this.#carry = ended
      ? undefined
      : Buffer.from(text.subarray(Math.max(from, text.length - tickLength + 1)));
  }
}

function digits(text: Buffer, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) value = value * 10 + text[i]! - 48;
  return value;
}
