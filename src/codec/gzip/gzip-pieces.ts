import { promisify } from 'node:util';
import { constants, deflateRaw } from 'node:zlib';
import type { Turns } from '../../turns.ts';
import { crc32, joinedCrc32 } from './crc32.ts';

const deflate = promisify(deflateRaw);

/** A piece of a text, compressed so that it can stand anywhere in a gzip file: files are put together by copying. */
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
    // What is flushed in full ends with a whole byte, and nothing behind it refers to what is before.
    const bytes = await deflate(text, { finishFlush: constants.Z_FULL_FLUSH });
    return new GzipPiece(text.length, bytes, crc32(text));
  }

  /** The pieces one behind the other, as one gzip file. */
  static async joined(pieces: readonly GzipPiece[], turns: Turns): Promise<Buffer> {
    let length = 0;
    let crc = 0;
    for (const piece of pieces) {
      await turns.next();
      crc = joinedCrc32(crc, piece.#crc, piece.length);
      length += piece.length;
    }
    const end = Buffer.alloc(lastBlock.length + 8);
    lastBlock.copy(end);
    end.writeUInt32LE(crc, lastBlock.length);
    end.writeUInt32LE(length % 2 ** 32, lastBlock.length + 4);
    return Buffer.concat([fileStart, ...pieces.map(({ bytes }) => bytes), end]);
  }
}

/** Says that deflate follows, and neither when nor where the file was made. */
const fileStart = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** A block with nothing in it that says to be the last. */
const lastBlock = Buffer.from([3, 0]);
