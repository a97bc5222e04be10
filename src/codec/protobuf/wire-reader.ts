// Reader of the Protobuf wire format.

/** The bytes are not a Protobuf message, or not one of the expected type. */
export class ProtobufError extends Error {}

export const wireTypes = { varint: 0, fixed64: 1, bytes: 2, groupStart: 3, groupEnd: 4, fixed32: 5 } as const;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the fields of one message. Every length is checked against the available bytes. */
export class WireReader {
  readonly #bytes: Buffer;
  /** The name of the message in errors. */
  readonly #name: string;
  #offset = 0;

  constructor(bytes: Buffer, name = 'message') {
    this.#bytes = bytes;
    this.#name = name;
  }

  get atEnd(): boolean {
    return this.#offset >= this.#bytes.length;
  }

  /** The number and wire type of the next field. */
  tag(): { readonly number: number; readonly wireType: number } {
    const tag = this.#readOneByteVarint() ?? Number(this.varint());
    const number = Math.floor(tag / 8);
    const wireType = tag % 8;
    if (number <= 0 || number > 0x1fffffff) {
      throw new ProtobufError(`proto: ${this.#name}: illegal tag ${number} (wire type ${wireType})`);
    }
    return { number, wireType };
  }

  /** The fast path for a varint of one byte; returns undefined and consumes nothing if it is longer. */
  #readOneByteVarint(): number | undefined {
    const byte = this.#bytes[this.#offset];
    if (byte === undefined || byte >= 0x80) return undefined;
    this.#offset++;
    return byte;
  }

  /** An unsigned number of up to 64 bits. */
  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 64n; shift += 7n) {
      const byte = this.#bytes[this.#offset++];
      if (byte === undefined) throw unexpectedEof();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new ProtobufError('proto: integer overflow');
  }

  double(): number {
    return this.#takeBytes(8).readDoubleLE();
  }

  bytes(): Buffer {
    const shortLength = this.#readOneByteVarint();
    if (shortLength !== undefined) return this.#takeBytes(shortLength);
    const length = this.varint();
    if (length >= 2n ** 63n) throw new ProtobufError('proto: negative length found during unmarshaling');
    return this.#takeBytes(Number(length));
  }

  string(): string {
    const bytes = this.bytes();
    try {
      return utf8.decode(bytes);
    } catch {
      throw new ProtobufError('proto: a string is not UTF-8');
    }
  }

  /** Skips an unknown field. */
  skip(wireType: number): void {
    switch (wireType) {
      case wireTypes.varint:
        this.varint();
        return;
      case wireTypes.fixed64:
        this.#takeBytes(8);
        return;
      case wireTypes.bytes:
        this.bytes();
        return;
      case wireTypes.fixed32:
        this.#takeBytes(4);
        return;
      default:
        throw new ProtobufError(`proto: illegal wireType ${wireType}`);
    }
  }

  #takeBytes(length: number): Buffer {
    const end = this.#offset + length;
    if (end > this.#bytes.length) throw unexpectedEof();
    const taken = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return taken;
  }
}

const unexpectedEof = () => new ProtobufError('unexpected EOF');
