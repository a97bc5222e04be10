/** gRPC framing: one byte (compressed or not), four bytes of length, then the message. */
const PREFIX = 5;

/** Far above any message of etcd's. */
const MAX_MESSAGE = 512 * 1024 * 1024;

export function frame(message: Buffer): Buffer {
  const framed = Buffer.allocUnsafe(PREFIX + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  message.copy(framed, PREFIX);
  return framed;
}

/** Reassembles messages from the chunks in which they arrive. */
export class Deframer {
  #chunks: Buffer[] = [];
  #length = 0;
  /** Bytes needed before the next message, or its length, is complete. */
  #neededBytes = PREFIX;

  /** The messages that this chunk completes. */
  take(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const messages: Buffer[] = [];
    while (this.#length >= this.#neededBytes) {
      const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#length);
      const length = bytes.readUInt32BE(1);
      if (bytes[0] !== 0) throw new Error('etcd sent a compressed message');
      if (length > MAX_MESSAGE) throw new Error(`etcd sent a message that is too large: ${length} bytes`);
      const end = PREFIX + length;
      const isWhole = bytes.length >= end;
      const rest = isWhole ? bytes.subarray(end) : bytes;
      if (isWhole) messages.push(bytes.subarray(PREFIX, end));
      this.#chunks = [rest];
      this.#length = rest.length;
      this.#neededBytes = isWhole ? PREFIX : end;
    }
    return messages;
  }
}
