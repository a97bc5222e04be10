/** gRPC's frames: one byte that says whether a message is compressed, four with its length, then the message. */
const PREFIX = 5;

/** No message of ours or of etcd's comes near this. */
const MAX_MESSAGE = 512 * 1024 * 1024;

export function frame(message: Buffer): Buffer {
  const framed = Buffer.allocUnsafe(PREFIX + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  message.copy(framed, PREFIX);
  return framed;
}

/** Puts messages together from the pieces in which they arrive. */
export class Deframer {
  #pieces: Buffer[] = [];
  #length = 0;
  /** How much must be there before there is something to hand out. */
  #wanted = PREFIX;

  /** The messages that this piece completes. */
  take(piece: Buffer): Buffer[] {
    this.#pieces.push(piece);
    this.#length += piece.length;
    const messages: Buffer[] = [];
    while (this.#length >= this.#wanted) {
      const bytes = this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces, this.#length);
      const length = bytes.readUInt32BE(1);
      if (bytes[0] !== 0) throw new Error('etcd sent a compressed message');
      if (length > MAX_MESSAGE) throw new Error(`etcd sent a message that is too large: ${length} bytes`);
      const end = PREFIX + length;
      const isWhole = bytes.length >= end;
      const rest = isWhole ? bytes.subarray(end) : bytes;
      if (isWhole) messages.push(bytes.subarray(PREFIX, end));
      this.#pieces = [rest];
      this.#length = rest.length;
      this.#wanted = isWhole ? PREFIX : end;
    }
    return messages;
  }
}
