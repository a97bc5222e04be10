// Concatenable gzip: each part of a response is deflated once, and a response is joined from the compressed parts.
import { promisify } from 'node:util';
import { constants, deflateRaw } from 'node:zlib';
import type { CooperativeYield } from '../../base/cooperative-yield.ts';
import { combineCrc32, crc32 } from './crc32.ts';

const deflate = promisify(deflateRaw);

/** A compressed part that can be placed anywhere in a gzip stream. */
export class GzipPiece {
  readonly length: number;
  readonly bytes: Buffer;
  readonly #crc: number;

  private constructor(length: number, bytes: Buffer, crc: number) {
    this.length = length;
    this.bytes = bytes;
    this.#crc = crc;
  }

  static async of(text: Buffer): Promise<GzipPiece> {
    // A full flush ends on a byte boundary, and later data does not refer to data before it.
    const bytes = await deflate(text, { finishFlush: constants.Z_FULL_FLUSH });
    return new GzipPiece(text.length, bytes, crc32(text));
  }

  /** Concatenates the parts as one gzip file. */
  static async joined(pieces: readonly GzipPiece[], yielder: CooperativeYield): Promise<Buffer> {
    let length = 0;
    let crc = 0;
    for (const piece of pieces) {
      await yielder.next();
      crc = combineCrc32(crc, piece.#crc, piece.length);
      length += piece.length;
    }
    const end = Buffer.alloc(finalBlock.length + 8);
    finalBlock.copy(end);
    end.writeUInt32LE(crc, finalBlock.length);
    end.writeUInt32LE(length % 2 ** 32, finalBlock.length + 4);
    return Buffer.concat([gzipHeader, ...pieces.map(({ bytes }) => bytes), end]);
  }
}

/** Gzip header: deflate, no modification time, unknown operating system. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty final deflate block. */
const finalBlock = Buffer.from([3, 0]);
