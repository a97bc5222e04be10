/** gRPC framing: a prefix of one byte (compressed or not) and four bytes of length, then the message. */
const PREFIX_BYTES = 5;

/** Far above the size of any message that etcd sends. */
const MAX_MESSAGE_BYTES = 512 * 1024 * 1024;

export function frame(message: Buffer): Buffer {
  const framed = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  framed[0] = 0;
  framed.writeUInt32BE(message.length, 1);
  message.copy(framed, PREFIX_BYTES);
  return framed;
}

/** Reassembles messages from the chunks in which they arrive. */
export class Deframer {
  #chunks: Buffer[] = [];
  #length = 0;
  /** Bytes needed until the prefix of the next message is complete, and then until the message is. */
  #neededBytes = PREFIX_BYTES;

  /** The messages that this chunk completes. */
  take(chunk: Buffer): Buffer[] {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    const messages: Buffer[] = [];
    while (this.#length >= this.#neededBytes) {
      const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#length);
      const length = bytes.readUInt32BE(1);
      if (bytes[0] !== 0) throw new Error('etcd sent a compressed message');
      if (length > MAX_MESSAGE_BYTES)
        throw new Error(`etcd sent a message that is too large: ${length} bytes`);
      const end = PREFIX_BYTES + length;
      const isComplete = bytes.length >= end;
      const remaining = isComplete ? bytes.subarray(end) : bytes;
      if (isComplete) messages.push(bytes.subarray(PREFIX_BYTES, end));
      this.#chunks = [remaining];
      this.#length = remaining.length;
      this.#neededBytes = isComplete ? PREFIX_BYTES : end;
    }
    return messages;
  }
}
