/** Bytes that are no Protobuf message, or not one of the expected type. */
export class ProtobufError extends Error {}

export const wireTypes = { varint: 0, fixed64: 1, bytes: 2, groupStart: 3, groupEnd: 4, fixed32: 5 } as const;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the parts of one Protobuf message. Every length is checked against what is really there. */
export class WireReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** The number and the wire type of the field that follows. */
  tag(): { readonly number: number; readonly wireType: number } {
    const tag = this.varint();
    const number = Number(tag >> 3n);
    const wireType = Number(tag & 7n);
    if (number <= 0 || number > 0x1fffffff) {
      throw new ProtobufError(`proto: illegal tag ${number} (wire type ${wireType})`);
    }
    return { number, wireType };
  }

  /** An unsigned number of up to 64 bits. */
  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 64n; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw cutOff();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new ProtobufError('proto: integer overflow');
  }

  double(): number {
    return this.#take(8).readDoubleLE();
  }

  bytes(): Buffer {
    return this.#take(Number(this.varint()));
  }

  string(): string {
    const bytes = this.bytes();
    try {
      return utf8.decode(bytes);
    } catch {
      throw new ProtobufError('proto: a string is not UTF-8');
    }
  }

  /** Passes over a field that nobody asks for. */
  skip(wireType: number): void {
    switch (wireType) {
      case wireTypes.varint:
        this.varint();
        return;
      case wireTypes.fixed64:
        this.#take(8);
        return;
      case wireTypes.bytes:
        this.bytes();
        return;
      case wireTypes.fixed32:
        this.#take(4);
        return;
      default:
        throw new ProtobufError(`proto: illegal wireType ${wireType}`);
    }
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw cutOff();
    const part = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }
}

const cutOff = () => new ProtobufError('unexpected EOF');
