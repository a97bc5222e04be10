// A strict DER reader: single-byte tags, and definite lengths in their shortest form. Each read takes the message of
// the DerError that it throws for other bytes. It neither copies nor recurses.
import { DerError } from '../der.ts';

/** Identifier octets: class, constructed bit and tag number. */
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

/** A context-specific tag, `[number]` in ASN.1, of a primitive value. */
export const contextTag = (number: number) => 0x80 | number;
/** A context-specific tag of a constructed value, which contains other values. */
export const constructedContextTag = (number: number) => 0xa0 | number;

/** `content` excludes the tag and length, `whole` includes them. */
export interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
  readonly whole: Buffer;
}

export interface BitString {
  /** The number of unused bits in the last byte. */
  readonly padding: number;
  readonly bytes: Buffer;
}

export class DerCursor {
  readonly #bytes: Buffer;
  #offset = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#offset === this.#bytes.length;
  }

  get rest(): Buffer {
    return this.#bytes.subarray(this.#offset);
  }

  isNextTag(expectedTag: number): boolean {
    return this.#bytes[this.#offset] === expectedTag;
  }

  /** Reads the next value, which must have this tag. */
  read(expectedTag: number, problem: string): DerValue {
    const value = this.readAny(problem);
    if (value.tag !== expectedTag) throw new DerError(problem);
    return value;
  }

  /** Reads the next value if it has this tag (an OPTIONAL field). */
  readIf(expectedTag: number, problem: string): DerValue | undefined {
    return this.isNextTag(expectedTag) ? this.read(expectedTag, problem) : undefined;
  }

  /** A cursor over the content of the next value. */
  enter(expectedTag: number, problem: string): DerCursor {
    return new DerCursor(this.read(expectedTag, problem).content);
  }

  /** Reads the next value, whatever its tag. */
  readAny(problem: string): DerValue {
    const bytes = this.#bytes;
    const start = this.#offset;
    const first = bytes[start];
    let length = bytes[start + 1];
    let contentStart = start + 2;
    if (first === undefined || length === undefined || (first & 0x1f) === 0x1f) throw new DerError(problem);
    if (length >= 0x80) {
      const lengthBytes = length & 0x7f;
      if (lengthBytes === 0 || lengthBytes > 4 || contentStart + lengthBytes > bytes.length)
        throw new DerError(problem);
      length = bytes.readUIntBE(contentStart, lengthBytes);
      contentStart += lengthBytes;
      if (length < 0x80 || length < 256 ** (lengthBytes - 1)) throw new DerError(problem);
    }
    const end = contentStart + length;
    if (end > bytes.length) throw new DerError(problem);
    this.#offset = end;
    return { tag: first, content: bytes.subarray(contentStart, end), whole: bytes.subarray(start, end) };
  }

  readBoolean(problem: string): boolean {
    const { content } = this.read(tag.boolean, problem);
    if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)) throw new DerError(problem);
    return content[0] === 0xff;
  }

  /** Reads an INTEGER of any size as two's complement; the encoding must be minimal. */
  readInteger(problem: string): Buffer {
    const { content } = this.read(tag.integer, problem);
    const [first, second] = content;
    const isPadded =
      second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80));
    if (first === undefined || isPadded) throw new DerError(problem);
    return content;
  }

  /** Reads an INTEGER that fits a signed 64-bit integer. */
  readInt64(problem: string): bigint {
    const content = this.readInteger(problem);
    if (content.length > 8) throw new DerError(problem);
    return BigInt.asIntN(content.length * 8, BigInt(`0x${content.toString('hex')}`));
  }

  /**
   * Reads an OBJECT IDENTIFIER as the hexadecimal digits of its content. If `isBounded` (the default), its components
   * must fit 31 bits.
   */
  readObjectIdentifier(
    problem: string,
    { isBounded }: { readonly isBounded: boolean } = boundedComponents,
  ): string {
    const { content } = this.read(tag.objectId, problem);
    if (!isObjectIdentifier(content, isBounded)) throw new DerError(problem);
    return content.toString('hex');
  }

  readBitString(problem: string): BitString {
    const { content } = this.read(tag.bitString, problem);
    const padding = content[0];
    const last = content[content.length - 1]!;
    if (padding === undefined || padding > 7 || (content.length === 1 && padding > 0)) {
      throw new DerError(problem);
    }
    if (content.length > 1 && (last & ((1 << padding) - 1)) !== 0) throw new DerError(problem);
    return { padding, bytes: content.subarray(1) };
  }
}

const boundedComponents = { isBounded: true };

/** Components are base 128 without leading zeros; if bounded, they fit 31 bits. */
function isObjectIdentifier(content: Buffer, isBounded: boolean): boolean {
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

/** The dotted notation of an object identifier that `readObjectIdentifier` has returned. */
export function formatObjectIdentifier(hex: string): string {
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
