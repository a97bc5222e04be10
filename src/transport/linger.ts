/**
 * Lingering close: a client that is still sending its request receives a response that is sent early. The kernel resets
 * a connection that is closed with unread bytes, and the client then loses the response. So the rest of the request is
 * read and dropped before the connection is closed or reused, up to a limit of bytes and time.
 */
import { constants, type ServerHttp2Stream } from 'node:http2';
import { Socket } from 'node:net';
import type { IncomingMessage } from './node-http.ts';

export interface LingerLimits {
  /** Maximum bytes that are dropped after the response. */
  readonly maxLingerBytes: number;
  /** The rest of the request must arrive within this time. */
  readonly lingerTimeoutMs: number;
  /** Without a byte for this time the connection is closed. */
  readonly lingerIdleTimeoutMs: number;
}

/** Connections whose response is sent while the request is still arriving. */
const lingering = new WeakSet<Socket>();

export const isLingering = (socket: Socket) => lingering.has(socket);

/** Drops the bytes of a connection after a parse error, until the client closes it. */
export function lingerUntilClosed(socket: Socket, limits: LingerLimits): void {
  if (lingering.has(socket)) return;
  lingering.add(socket);
  const stop = enforceLimits(
    limits,
    () => socket.bytesRead,
    () => socket.destroy(),
  );
  socket.once('end', () => socket.destroy());
  socket.once('close', stop);
}

/**
 * Reads and drops the rest of an HTTP/1.1 request whose response is finished. Call it in a listener of `finish` that runs
 * before Node's: that one closes the connection (`destroySoon`) after its last response, which is put off here until the
 * request has ended.
 */
export function lingerOnConnection(request: IncomingMessage, limits: LingerLimits): void {
  const { socket } = request;
  const close = () => Socket.prototype.destroySoon.call(socket);
  let isClosing = false;
  socket.destroySoon = () => {
    isClosing = true;
    if (request.complete || socket.destroyed) close();
  };
  lingering.add(socket);
  const stop = enforceLimits(
    limits,
    () => socket.bytesRead,
    () => socket.destroy(),
  );
  socket.once('close', stop);
  request.once('end', () => {
    stop();
    socket.off('close', stop);
    lingering.delete(socket);
    if (isClosing) close();
  });
  request.resume();
}

/**
 * Reads and drops the rest of an HTTP/2 request once its response is sent. Only the stream is closed, not the connection.
 * Node would reset a stream that has unread data.
 */
export function lingerOnStream(stream: ServerHttp2Stream, limits: LingerLimits): void {
  stream.once('prefinish', () => {
    if (stream.readableEnded || stream.destroyed) return;
    let dropped = 0;
    stream.on('data', (chunk: Buffer) => {
      dropped += chunk.length;
    });
    stream.resume();
    const stop = enforceLimits(
      limits,
      () => dropped,
      () => stream.close(constants.NGHTTP2_NO_ERROR),
    );
    stream.once('end', stop);
    stream.once('close', stop);
  });
}

/** Milliseconds between two checks of the limits. */
const checkIntervalMs = 50;

/** Calls `onExceeded` once a limit is exceeded. Returns a function that cancels the check. */
function enforceLimits(limits: LingerLimits, bytesRead: () => number, onExceeded: () => void): () => void {
  const { maxLingerBytes, lingerTimeoutMs, lingerIdleTimeoutMs } = limits;
  const bytesAtStart = bytesRead();
  const startedAt = performance.now();
  let bytesSeen = bytesAtStart;
  let lastReadAt = startedAt;
  const check = setInterval(() => {
    const now = performance.now();
    const bytesNow = bytesRead();
    if (bytesNow !== bytesSeen) lastReadAt = now;
    bytesSeen = bytesNow;
    const isExceeded =
      bytesNow - bytesAtStart > maxLingerBytes ||
      now - startedAt > lingerTimeoutMs ||
      now - lastReadAt > lingerIdleTimeoutMs;
    if (!isExceeded) return;
    clearInterval(check);
    onExceeded();
  }, checkIntervalMs).unref();
  return () => clearInterval(check);
}
