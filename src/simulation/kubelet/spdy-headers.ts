// Compression of SPDY/3 headers: one zlib stream for all header blocks of a direction.
import { constants, createDeflate, createInflate, type Deflate, type Inflate } from 'node:zlib';
import { spdyDictionary } from './spdy-dictionary.ts';

/** A header block may not grow beyond this. */
const maxHeaderBytes = 64 * 1024;

export class HeaderReader {
  readonly #inflate: Inflate = createInflate({ dictionary: spdyDictionary });

  /** Names are in lower case. Rejects if the block cannot be read. */
  async read(block: Buffer): Promise<ReadonlyMap<string, string>> {
    return parseHeaders(await transform(this.#inflate, block));
  }

  close(): void {
    this.#inflate.destroy();
  }
}

export class HeaderWriter {
  readonly #deflate: Deflate = createDeflate({ dictionary: spdyDictionary });

  /** The block without headers. */
  writeNone(): Promise<Buffer> {
    return transform(this.#deflate, Buffer.alloc(4));
  }

  close(): void {
    this.#deflate.destroy();
  }
}

/** The output of a zlib stream for a part of its input. */
function transform(stream: Inflate | Deflate, input: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxHeaderBytes) stream.destroy(new Error('the headers of a stream are too large'));
    };
    stream.on('data', onData).once('error', reject);
    stream.write(input);
    stream.flush(constants.Z_SYNC_FLUSH, () => {
      // Output of the flush may come in the same turn of the event loop.
      setImmediate(() => {
        stream.off('data', onData).off('error', reject);
        resolve(Buffer.concat(chunks));
      });
    });
  });
}

/** A number of pairs; each name and value follows its length. */
function parseHeaders(block: Buffer): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  let offset = 4;
  const text = () => {
    const end = offset + 4 + block.readUInt32BE(offset);
    const value = block.toString('latin1', offset + 4, end);
    offset = end;
    return value;
  };
  for (let pairs = block.readUInt32BE(0); pairs > 0; pairs--) headers.set(text(), text());
  return headers;
}
