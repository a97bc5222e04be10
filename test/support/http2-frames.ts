import type { Socket } from 'node:net';

export const frameType = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
};
export const endStream = 0x1;
export const endHeaders = 0x4;

const nothing = Buffer.alloc(0);

/** An HTTP/2 frame. */
export function frame(type: number, flags: number, stream: number, payload: Buffer = nothing): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** The connection preface of a client. */
export const preface = (settings: Buffer = nothing) =>
  Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(frameType.settings, 0, 0, settings)]);

/** Headers of a GET in HPACK literals, without Huffman codes. Strings are shorter than 127 bytes. */
export function headerBlock(path: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  const literal = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
  // :method GET, :scheme https; :path and :authority by their static table index.
  return Buffer.concat([
    Buffer.from([0x82, 0x87, 0x04]),
    literal(path),
    Buffer.from([0x01]),
    literal('localhost'),
    ...Object.entries(headers).flatMap(([name, value]) => [
      Buffer.from([0x00]),
      literal(name),
      literal(value),
    ]),
  ]);
}

/** Any headers, in HPACK literals that enter no table. */
export function literalBlock(fields: readonly (readonly [name: string, value: string])[]): Buffer {
  const literal = (text: string) => {
    const bytes = Buffer.from(text, 'latin1');
    return Buffer.concat([Buffer.from(prefixed(bytes.length, 7)), bytes]);
  };
  return Buffer.concat(
    fields.flatMap(([name, value]) => [Buffer.from([0x00]), literal(name), literal(value)]),
  );
}

/** An HPACK integer with a prefix of some bits. */
function prefixed(value: number, bits: number): number[] {
  const most = 2 ** bits - 1;
  if (value < most) return [value];
  const bytes = [most];
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push(128 + (rest % 128));
  return [...bytes, rest];
}

/** Writes the same bytes repeatedly, as fast as they are accepted, until the connection is closed. */
export async function flood(socket: Socket, bytes: Buffer, times: number): Promise<number> {
  let written = 0;
  const closed = new Promise((resolve) => socket.once('close', resolve));
  while (written < times && !socket.destroyed && socket.writable) {
    written++;
    if (!socket.write(bytes)) {
      await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))]);
    } else if (written % 16 === 0) await new Promise(setImmediate);
  }
  return written;
}
