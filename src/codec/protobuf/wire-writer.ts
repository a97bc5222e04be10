const shortText = 40;

/**
 * Writes Protobuf from its end to its start: a message's length stands in front of it, and is known once the message
 * has been written. So everything is written once and nothing has to be measured before.
 */
export class WireWriter {
  #bytes: Buffer;
  #at: number;

  constructor(room = 1024) {
    this.#bytes = Buffer.allocUnsafe(room);
    this.#at = room;
  }

  /** How much has been written; the difference to a later value is the length of what came in between. */
  get length(): number {
    return this.#bytes.length - this.#at;
  }

  /** Everything written so far. It is not copied: the writer must not be used after this. */
  finish(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  tag(number: number, wireType: number): void {
    this.varint(number * 8 + wireType);
  }

  /** Puts number and length in front of what was written since `length` was `before`. */
  delimit(number: number, before: number): void {
    this.varint(this.length - before);
    this.tag(number, 2);
  }

  /** A whole number, at least 0 and safe. */
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

  /** Any whole number of 64 bits; negative ones take ten bytes. */
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
    if (value.length <= shortText && this.#shortText(value)) return;
    // Most text is plain ASCII, and then its length is known.
    const size = Buffer.byteLength(value);
    this.#reserve(size);
    this.#at -= size;
    this.#bytes.write(value, this.#at, size, size === value.length ? 'latin1' : 'utf8');
  }

  /** Character by character, which is quicker than a call for so few. False, with nothing written, if not all are ASCII. */
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
