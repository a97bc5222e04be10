// CBOR data item heads and errors.

/** The bytes are not well-formed CBOR, or contain an item that the API does not accept. */
export class CborError extends Error {
  /** Whether the error occurred before the object's kind was known. */
  readonly isAboutWhole: boolean;

  constructor(message: string, isAboutWhole = false) {
    super(message);
    this.isAboutWhole = isAboutWhole;
  }
}

export const majorNames = [
  'positive integer',
  'negative integer',
  'byte string',
  'UTF-8 text string',
  'array',
  'map',
  'tag',
  'primitives',
] as const;

/** The head of a data item. */
export interface Head {
  readonly major: number;
  readonly info: number;
  /** A value, a length, a count or a tag number; inexact beyond the safe integers. */
  readonly argument: number;
  readonly big: bigint;
  readonly isIndefinite: boolean;
  /** Offset after the head. */
  readonly next: number;
}

export function readHead(bytes: Buffer, at: number): Head {
  const first = bytes[at];
  if (first === undefined) throw cutOff();
  const major = first >> 5;
  const info = first & 0x1f;
  if (info < 24 || info === 31) {
    return { major, info, argument: info, big: BigInt(info), isIndefinite: info === 31, next: at + 1 };
  }
  if (info > 27) {
    throw new CborError(`cbor: invalid additional information ${info} for type ${majorNames[major]}`, true);
  }
  const size = 1 << (info - 24);
  if (at + 1 + size > bytes.length) throw cutOff();
  const big = size === 8 ? bytes.readBigUInt64BE(at + 1) : BigInt(bytes.readUIntBE(at + 1, size));
  return { major, info, argument: Number(big), big, isIndefinite: false, next: at + 1 + size };
}

export const cutOff = () => new CborError('unexpected EOF', true);

/** Offset after the item that starts at `start`. The item must have definite lengths, as our encoder writes. */
export function endOfItem(bytes: Buffer, start: number): number {
  let at = start;
  for (let pending = 1; pending > 0; pending--) {
    const { major, argument, next } = readHead(bytes, at);
    at = next;
    if (major === 2 || major === 3) at += argument;
    else if (major === 4 || major === 5) pending += major === 4 ? argument : 2 * argument;
    else if (major === 6) pending++;
  }
  if (at > bytes.length) throw cutOff();
  return at;
}
