/**
 * A strict DER reader: single-byte tags, definite lengths in their shortest form. Each read names the problem that is
 * thrown where the bytes are otherwise. It neither copies nor recurses.
 */
import { DerProblem } from '../der.ts';

/** The first byte of a value: its class, whether it is constructed, and its number. */
export const tag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** `[number]` of a specification. */
export const contextTag = (number: number, isConstructed = false) =>
  0x80 | (isConstructed ? 0x20 : 0) | number;

export interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
  readonly whole: Buffer;
}

export interface BitString {
  /** The bits of the last byte that do not count. */
  readonly padding: number;
  readonly bytes: Buffer;
}

export class DerCursor {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  get rest(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  isNext(wanted: number): boolean {
    return this.#bytes[this.#at] === wanted;
  }

  /** The next value, which must have this tag. */
  read(wanted: number, problem: string): DerValue {
    const value = this.readAny(problem);
    if (value.tag !== wanted) throw new DerProblem(problem);
    return value;
  }

  readIf(wanted: number, problem: string): DerValue | undefined {
    return this.isNext(wanted) ? this.read(wanted, problem) : undefined;
  }

  /** A cursor over the content of the next value. */
  enter(wanted: number, problem: string): DerCursor {
    return new DerCursor(this.read(wanted, problem).content);
  }

  readAny(problem: string): DerValue {
    const bytes = this.#bytes;
    const from = this.#at;
    const first = bytes[from];
    let length = bytes[from + 1];
    let start = from + 2;
    if (first === undefined || length === undefined || (first & 0x1f) === 0x1f) throw new DerProblem(problem);
    if (length >= 0x80) {
      const size = length & 0x7f;
      if (size === 0 || size > 4 || start + size > bytes.length) throw new DerProblem(problem);
      length = bytes.readUIntBE(start, size);
      start += size;
      if (length < 0x80 || length < 256 ** (size - 1)) throw new DerProblem(problem);
    }
    const end = start + length;
    if (end > bytes.length) throw new DerProblem(problem);
    this.#at = end;
    return { tag: first, content: bytes.subarray(start, end), whole: bytes.subarray(from, end) };
  }

  readBoolean(problem: string): boolean {
    const { content } = this.read(tag.boolean, problem);
    if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)) throw new DerProblem(problem);
    return content[0] === 0xff;
  }

  /** An INTEGER of any size: its two's complement, in the shortest form. */
  readInteger(problem: string): Buffer {
    const { content } = this.read(tag.integer, problem);
    const [first, second] = content;
    const isPadded =
      second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80));
    if (first === undefined || isPadded) throw new DerProblem(problem);
    return content;
  }

  /** An INTEGER that fits 64 bits with a sign. */
  readInt64(problem: string): bigint {
    const content = this.readInteger(problem);
    if (content.length > 8) throw new DerProblem(problem);
    return BigInt.asIntN(content.length * 8, BigInt(`0x${content.toString('hex')}`));
  }

  /** An OBJECT IDENTIFIER, as the hexadecimal digits of its bytes. */
  readObjectId(problem: string, isBounded = true): string {
    const { content } = this.read(tag.objectId, problem);
    if (!isObjectId(content, isBounded)) throw new DerProblem(problem);
    return content.toString('hex');
  }

  readBits(problem: string): BitString {
    const { content } = this.read(tag.bitString, problem);
    const padding = content[0];
    const last = content[content.length - 1]!;
    if (padding === undefined || padding > 7 || (content.length === 1 && padding > 0)) {
      throw new DerProblem(problem);
    }
    if (content.length > 1 && (last & ((1 << padding) - 1)) !== 0) throw new DerProblem(problem);
    return { padding, bytes: content.subarray(1) };
  }
}

/** Components are base 128 without leading zeros; bounded ones fit 31 bits. */
function isObjectId(content: Buffer, isBounded: boolean): boolean {
  if (content.length === 0) return false;
  let value = 0;
  let isStart = true;
  for (const byte of content) {
    if (isStart && byte === 0x80) return false;
    if (isBounded && value >= 2 ** 24) return false;
    value = isBounded ? value * 128 + (byte & 0x7f) : 0;
    isStart = byte < 0x80;
    if (isStart) value = 0;
  }
  return isStart;
}

/** A dotted object identifier, of bytes that `readObjectId` has accepted. */
export function dottedObjectId(hex: string): string {
  const components: bigint[] = [];
  let value = 0n;
  for (const byte of Buffer.from(hex, 'hex')) {
    value = value * 128n + BigInt(byte & 0x7f);
    if (byte >= 0x80) continue;
    if (components.length > 0) components.push(value);
    else if (value < 80n) components.push(value / 40n, value % 40n);
    else components.push(2n, value - 80n);
    value = 0n;
  }
  return components.join('.');
}
