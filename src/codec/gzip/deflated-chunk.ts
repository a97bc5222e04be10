// Chunks of a response that are deflated once and then concatenated in any order to a gzip file (RFC 1952).
import { promisify } from 'node:util';
import { constants, deflateRaw } from 'node:zlib';
import type { CooperativeYield } from '../../base/cooperative-yield.ts';
import { combineCrc32, crc32 } from './crc32.ts';

const deflateRawAsync = promisify(deflateRaw);

/** Deflated bytes that can stand anywhere in a gzip file. */
export class DeflatedChunk {
  readonly uncompressedLength: number;
  readonly bytes: Buffer;
  readonly #crc: number;

  private constructor(uncompressedLength: number, bytes: Buffer, crc: number) {
    this.uncompressedLength = uncompressedLength;
    this.bytes = bytes;
    this.#crc = crc;
  }

  static async deflate(content: Buffer): Promise<DeflatedChunk> {
    // A full flush ends on a byte boundary, and later data does not refer to data before it.
    const bytes = await deflateRawAsync(content, { finishFlush: constants.Z_FULL_FLUSH });
    return new DeflatedChunk(content.length, bytes, crc32(content));
  }

  static async toGzip(chunks: readonly DeflatedChunk[], yielder: CooperativeYield): Promise<Buffer> {
    let uncompressedLength = 0;
    let crc = 0;
    for (const chunk of chunks) {
      await yielder.next();
      crc = combineCrc32(crc, chunk.#crc, chunk.uncompressedLength);
      uncompressedLength += chunk.uncompressedLength;
    }
    const trailer = Buffer.alloc(finalBlock.length + 8);
    finalBlock.copy(trailer);
    trailer.writeUInt32LE(crc, finalBlock.length);
    trailer.writeUInt32LE(uncompressedLength % 2 ** 32, finalBlock.length + 4);
    return Buffer.concat([gzipHeader, ...chunks.map(({ bytes }) => bytes), trailer]);
  }
}

/** The header: compression method deflate, no modification time, unknown operating system. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty final deflate block. */
const finalBlock = Buffer.from([3, 0]);
