// Writer of the Protobuf wire format.
import { wireTypes } from './wire-reader.ts';

/** Up to this length a loop over the characters is faster than Buffer.write. */
const maxShortTextChars = 40;

/**
 * Writes from the end to the start: the length of a message is known when its length prefix is written, so that nothing
 * is measured beforehand.
 */
export class WireWriter {
  #bytes: Buffer;
  #start: number;

  constructor(capacity = 1024) {
    this.#bytes = Buffer.allocUnsafe(capacity);
    this.#start = capacity;
  }

  /** The number of bytes written so far. */
  get length(): number {
    return this.#bytes.length - this.#start;
  }

  /** The written bytes, without a copy: the writer must not be used afterwards. */
  finish(): Buffer {
    return this.#bytes.subarray(this.#start);
  }

  tag(number: number, wireType: number): void {
    this.varint(number * 8 + wireType);
  }

  /** Prepends tag and length of a length-delimited field to the bytes written since `length` was `lengthBefore`. */
  delimit(number: number, lengthBefore: number): void {
    this.varint(this.length - lengthBefore);
    this.tag(number, wireTypes.bytes);
  }

  /** Prepends a safe integer that is not negative. */
  varint(value: number): void {
    this.#reserve(10);
    if (value < 128) {
      this.#bytes[--this.#start] = value;
      return;
    }
    let size = 1;
    for (let remaining = value; remaining >= 128; remaining = Math.floor(remaining / 128)) size++;
    this.#start -= size;
    let index = this.#start;
    let remaining = value;
    for (; remaining >= 128; remaining = Math.floor(remaining / 128))
      this.#bytes[index++] = (remaining % 128) | 128;
    this.#bytes[index] = remaining;
  }

  /** Prepends any 64-bit integer; a negative one takes ten bytes. */
  bigVarint(value: bigint): void {
    const groups: number[] = [];
    let remaining = BigInt.asUintN(64, value);
    for (; remaining >= 128n; remaining >>= 7n) groups.push(Number(remaining & 127n) | 128);
    groups.push(Number(remaining));
    this.bytes(Buffer.from(groups));
  }

  double(value: number): void {
    this.#reserve(8);
    this.#start -= 8;
    this.#bytes.writeDoubleLE(value, this.#start);
  }

  text(value: string): void {
    if (value.length <= maxShortTextChars && this.#shortText(value)) return;
    const size = Buffer.byteLength(value);
    this.#reserve(size);
    this.#start -= size;
    this.#bytes.write(value, this.#start, size, size === value.length ? 'latin1' : 'utf8');
  }

  /**
   * Writes character by character. Returns false, with nothing written, if a character is not ASCII.
   */
  #shortText(value: string): boolean {
    const { length } = value;
    this.#reserve(length);
    const start = this.#start - length;
    const bytes = this.#bytes;
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i);
      if (code > 127) return false;
      bytes[start + i] = code;
    }
    this.#start = start;
    return true;
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#start -= value.length;
    this.#bytes.set(value, this.#start);
  }

  #reserve(size: number): void {
    if (size <= this.#start) return;
    const { length } = this;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, length + size));
    this.#bytes.copy(grown, grown.length - length, this.#start);
    this.#start = grown.length - length;
    this.#bytes = grown;
  }
}
