// An HTTP/2 connection of the load generator over TLS. It builds frames itself and parses only what the loads need, because
// generator and server share the processors.
import type { OnReadOpts } from 'node:net';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { encodeHead, readStatus } from './hpack.ts';

const frameType = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
} as const;
const flag = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;
const headBytes = 9;
const maxWindow = 2 ** 31 - 1;
const defaultWindow = 65_535;
/** The connection window is opened again after this many bytes. */
const windowStep = 2 ** 29;
const setting = { headerTableSize: 1, enablePush: 2, initialWindowSize: 4 } as const;

export interface Http2Request {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** Default: application/json. */
  readonly contentType?: string;
}

export interface ResponseHandler {
  head?(status: number): void;
  /** The bytes are only valid during the call. */
  data?(bytes: Buffer): void;
  /** Status 0: the server reset the stream, or the connection is lost. */
  end(status: number): void;
}

interface OpenStream {
  readonly handler: ResponseHandler;
  status: number;
}

export class Http2Connection {
  readonly #socket: TLSSocket;
  readonly #authority: string;
  readonly #token: string;
  readonly #streams = new Map<number, OpenStream>();
  #nextStream = 1;
  /** Bytes of request bodies that the server still takes. */
  #sendWindow = defaultWindow;
  readonly #waiting: (() => void)[] = [];
  #unacknowledgedBytes = 0;
  #isCorked = false;
  /** The beginning of a frame whose rest has not been received. */
  #partial: Buffer | undefined;
  /** The DATA frame that is being received. */
  #dataStream = 0;
  #dataBytes = 0;
  #dataEndsStream = false;

  static open(port: number, token: string): Promise<Http2Connection> {
    return new Promise((resolve, reject) => {
      const shared = Buffer.allocUnsafe(1 << 16);
      const callback = (length: number): boolean => {
        connection.#push(shared.subarray(0, length));
        return true;
      };
      const options: ConnectionOptions & { onread: OnReadOpts } = {
        ...{ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['h2'] },
        onread: { buffer: shared, callback },
      };
      const socket = connect(options);
      const connection = new Http2Connection(socket, `127.0.0.1:${port}`, token);
      socket.once('secureConnect', () => resolve(connection));
      socket.once('error', reject);
    });
  }

  private constructor(socket: TLSSocket, authority: string, token: string) {
    this.#socket = socket;
    this.#authority = authority;
    this.#token = token;
    socket.once('close', () => this.#failAll());
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    const settings = [
      [setting.headerTableSize, 0],
      [setting.enablePush, 0],
      [setting.initialWindowSize, maxWindow],
    ] as const;
    const payload = Buffer.alloc(settings.length * 6);
    for (const [i, [id, value]] of settings.entries()) {
      payload.writeUInt16BE(id, i * 6);
      payload.writeUInt32BE(value, i * 6 + 2);
    }
    this.#write(frame(frameType.settings, 0, 0, payload));
    this.#openWindow(maxWindow - defaultWindow);
  }

  request(
    { method, path, body, contentType = 'application/json' }: Http2Request,
    handler: ResponseHandler,
  ): void {
    if (this.#socket.destroyed) {
      handler.end(0);
      return;
    }
    const content = body === undefined ? undefined : Buffer.from(body);
    if (content && content.length > this.#sendWindow) {
      this.#waiting.push(() =>
        this.request({ method, path, contentType, ...(body !== undefined && { body }) }, handler),
      );
      return;
    }
    const id = this.#nextStream;
    this.#nextStream += 2;
    this.#streams.set(id, { handler, status: 0 });
    const head = encodeHead({
      ...{ method, path, authority: this.#authority, token: this.#token },
      ...(content && { content: { type: contentType, length: content.length } }),
    });
    const endsStream = content ? 0 : flag.endStream;
    this.#write(frame(frameType.headers, flag.endHeaders | endsStream, id, head));
    if (!content) return;
    this.#sendWindow -= content.length;
    this.#write(frame(frameType.data, flag.endStream, id, content));
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Frames of one turn of the event loop are sent together. */
  #write(bytes: Buffer): void {
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#socket.cork();
      process.nextTick(() => {
        this.#isCorked = false;
        this.#socket.uncork();
      });
    }
    this.#socket.write(bytes);
  }

  #openWindow(bytes: number): void {
    const payload = Buffer.alloc(4);
    payload.writeUInt32BE(bytes);
    this.#write(frame(frameType.windowUpdate, 0, 0, payload));
  }

  #push(received: Buffer): void {
    const bytes = this.#partial ? Buffer.concat([this.#partial, received]) : received;
    this.#partial = undefined;
    let offset = 0;
    while (offset < bytes.length) {
      if (this.#dataBytes > 0) {
        const end = Math.min(bytes.length, offset + this.#dataBytes);
        this.#onData(bytes.subarray(offset, end));
        offset = end;
        continue;
      }
      const payloadAt = offset + headBytes;
      const length = bytes.length < payloadAt ? 0 : bytes.readUIntBE(offset, 3);
      const isData = bytes[offset + 3] === frameType.data;
      if (bytes.length < payloadAt || (!isData && bytes.length < payloadAt + length)) {
        this.#partial = Buffer.from(bytes.subarray(offset));
        return;
      }
      const flags = bytes[offset + 4]!;
      const stream = bytes.readUInt32BE(offset + 5) & maxWindow;
      if (isData) {
        this.#dataStream = stream;
        this.#dataBytes = length;
        this.#dataEndsStream = (flags & flag.endStream) !== 0;
        if (length === 0 && this.#dataEndsStream) this.#end(stream);
        offset = payloadAt;
      } else {
        this.#onFrame(bytes[offset + 3]!, flags, stream, bytes.subarray(payloadAt, payloadAt + length));
        offset = payloadAt + length;
      }
    }
  }

  #onData(bytes: Buffer): void {
    this.#dataBytes -= bytes.length;
    this.#unacknowledgedBytes += bytes.length;
    if (this.#unacknowledgedBytes > windowStep) {
      this.#openWindow(this.#unacknowledgedBytes);
      this.#unacknowledgedBytes = 0;
    }
    this.#streams.get(this.#dataStream)?.handler.data?.(bytes);
    if (this.#dataBytes === 0 && this.#dataEndsStream) this.#end(this.#dataStream);
  }

  #onFrame(type: number, flags: number, id: number, payload: Buffer): void {
    if (type === frameType.headers) this.#onHeaders(flags, id, payload);
    else if (type === frameType.reset) this.#end(id, 0);
    else if (type === frameType.goAway) this.#socket.destroy();
    else if (type === frameType.windowUpdate && id === 0) {
      this.#sendWindow += payload.readUInt32BE();
      for (const retry of this.#waiting.splice(0)) retry();
    } else if ((type === frameType.settings || type === frameType.ping) && (flags & flag.ack) === 0) {
      this.#write(frame(type, flag.ack, 0, type === frameType.ping ? payload : noBytes));
    }
  }

  #onHeaders(flags: number, id: number, payload: Buffer): void {
    const stream = this.#streams.get(id);
    if (!stream) return;
    // Trailers have no status.
    if (stream.status === 0) {
      const start = (flags & flag.padded ? 1 : 0) + (flags & flag.priority ? 5 : 0);
      stream.status = readStatus(payload.subarray(start));
      stream.handler.head?.(stream.status);
    }
    if (flags & flag.endStream) this.#end(id);
  }

  #end(id: number, status?: number): void {
    const stream = this.#streams.get(id);
    if (!stream) return;
    this.#streams.delete(id);
    stream.handler.end(status ?? stream.status);
  }

  #failAll(): void {
    for (const retry of this.#waiting.splice(0)) retry();
    for (const id of [...this.#streams.keys()]) this.#end(id, 0);
  }
}

const noBytes = Buffer.alloc(0);

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(headBytes + payload.length);
  bytes.writeUIntBE(payload.length, 0, 3);
  bytes.writeUInt8(type, 3);
  bytes.writeUInt8(flags, 4);
  bytes.writeUInt32BE(stream, 5);
  payload.copy(bytes, headBytes);
  return bytes;
}
