// Writer of the Protobuf wire format.
/** Up to this length, a loop over the characters is faster than a native call. */
const maxShortTextChars = 40;

/**
 * Writes from the end to the start: a length prefix is known once the message after it has been written. So
 * everything is written once, and nothing is measured beforehand.
 */
export class WireWriter {
  #bytes: Buffer;
  #at: number;

  constructor(capacity = 1024) {
    this.#bytes = Buffer.allocUnsafe(capacity);
    this.#at = capacity;
  }

  /** Bytes written so far; the difference between two values is the length of what was written in between. */
  get length(): number {
    return this.#bytes.length - this.#at;
  }

  /** Everything written so far, without a copy: the writer must not be used afterwards. */
  finish(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  tag(number: number, wireType: number): void {
    this.varint(number * 8 + wireType);
  }

  /** Prepends the field number and the length of the bytes written since `length` was `before`. */
  delimit(number: number, before: number): void {
    this.varint(this.length - before);
    this.tag(number, 2);
  }

  /** A safe integer >= 0. */
  varint(value: number): void {
    this.#reserve(10);
    if (value < 128) {
      this.#bytes[--this.#at] = value;
      return;
    }
    let size = 1;
    for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size++;
    this.#at -= size;
    let at = this.#at;
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes[at++] = (rest % 128) | 128;
    this.#bytes[at] = rest;
  }

  /** Any 64-bit integer; negative ones take ten bytes. */
  bigVarint(value: bigint): void {
    const groups: number[] = [];
    let rest = BigInt.asUintN(64, value);
    for (; rest >= 128n; rest >>= 7n) groups.push(Number(rest & 127n) | 128);
    groups.push(Number(rest));
    this.bytes(Buffer.from(groups));
  }

  double(value: number): void {
    this.#reserve(8);
    this.#at -= 8;
    this.#bytes.writeDoubleLE(value, this.#at);
  }

  text(value: string): void {
    if (value.length <= maxShortTextChars && this.#shortText(value)) return;
    // Most text is ASCII, whose length is known.
    const size = Buffer.byteLength(value);
    this.#reserve(size);
    this.#at -= size;
    this.#bytes.write(value, this.#at, size, size === value.length ? 'latin1' : 'utf8');
  }

  /**
   * Writes character by character, which is faster than a native call for short text. Returns false, with nothing
   * written, if not all characters are ASCII.
   */
  #shortText(value: string): boolean {
    const { length } = value;
    this.#reserve(length);
    const start = this.#at - length;
    const bytes = this.#bytes;
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i);
      if (code > 127) return false;
      bytes[start + i] = code;
    }
    this.#at = start;
    return true;
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#at -= value.length;
    this.#bytes.set(value, this.#at);
  }

  #reserve(size: number): void {
    if (size <= this.#at) return;
    const { length } = this;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, length + size));
    this.#bytes.copy(larger, larger.length - length, this.#at);
    this.#at = larger.length - length;
    this.#bytes = larger;
  }
}
