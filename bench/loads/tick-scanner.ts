import { tickWidth } from '../objects.ts';

const marker = Buffer.from('"tick":"');
const whole = marker.length + tickWidth;

/**
 * Finds the ticks in a stream of watch events without parsing it, because the receiver shares the
 * processors with the server it measures. Returns what to hand to the next call as `carry`: the end of
 * these bytes, when a tick may have been cut in two there.
 */
export function scanTicks(
  bytes: Buffer,
  carry: Buffer | undefined,
  found: (microseconds: number, sequence: number) => void,
): Buffer | undefined {
  const text = carry ? Buffer.concat([carry, bytes]) : bytes;
  let from = 0;
  for (;;) {
    const at = text.indexOf(marker, from);
    if (at === -1 || at + whole > text.length) break;
    found(
      digits(text, at + marker.length, at + marker.length + 16),
      digits(text, at + marker.length + 16, at + whole),
    );
    from = at + whole;
  }
  // An event ends with a line feed, alone or before the end of its chunk: then nothing is cut in two.
  const last = text.length - 1;
  if (text[last] === 10 && from > 0) return undefined;
  // The bytes may lie in a buffer that is used again.
  return Buffer.from(text.subarray(Math.max(from, text.length - whole + 1)));
}

function digits(text: Buffer, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i++) value = value * 10 + text[i]! - 48;
  return value;
}
