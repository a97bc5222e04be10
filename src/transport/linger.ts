/**
 * Lingering close: an answer that is sent before its request has arrived reaches a client that is still sending.
 *
 * A connection that is closed with unread bytes is reset, and a reset takes from the client the answer it has not read yet.
 * So the rest of the request is read and dropped before the connection is closed or used again. It is bounded in bytes and
 * in time: a client that never stops sending is cut off.
 */
import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { Socket } from 'node:net';
import { type IncomingMessage, ServerResponse } from './node-http.ts';

export interface LingerLimits {
  /** Bytes of an answered request that are dropped. */
  readonly lingerBytes: number;
  /** Milliseconds in which the rest of it has to come. */
  readonly lingerTimeout: number;
  /** Milliseconds without a byte of it after which no more is awaited. */
  readonly lingerIdleTimeout: number;
}

/** Connections whose client has its answer and is still sending. */
const lingering = new WeakSet<Socket>();

/** Whether the connection's last request has been answered and only its rest is awaited. */
export const isLingering = (socket: Socket) => lingering.has(socket);

/** Reads and drops the rest of a request body that is answered before it has arrived. */
export function lingerWhenAnswered(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
  limits: LingerLimits,
): void {
  if ('stream' in request) lingerOnStream(request, limits);
  else if (response instanceof ServerResponse) lingerOnConnection(request, response, limits);
}

/** Drops what comes by a connection on which nothing more is understood, until the client closes it. */
export function lingerUntilClosed(socket: Socket, limits: LingerLimits): void {
  if (lingering.has(socket)) return;
  lingering.add(socket);
  const stop = within(
    limits,
    () => socket.bytesRead,
    () => socket.destroy(),
  );
  socket.once('end', () => socket.destroy());
  socket.once('close', stop);
}

function lingerOnConnection(request: IncomingMessage, response: ServerResponse, limits: LingerLimits): void {
  const { socket } = request;
  const close = () => Socket.prototype.destroySoon.call(socket);
  let isClosing = false;
  // Node calls it as soon as the last answer of a connection is sent.
  socket.destroySoon = () => {
    isClosing = true;
    if (request.complete || socket.destroyed) close();
  };
  response.once('finish', () => {
    if (request.complete || socket.destroyed) return;
    lingering.add(socket);
    const stop = within(
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
  });
}

/** On HTTP/2 only the stream is closed. Node would reset it at once where nobody has read of it. */
function lingerOnStream(request: Http2ServerRequest, limits: LingerLimits): void {
  const { stream } = request;
  stream.once('prefinish', () => {
    if (stream.readableEnded || stream.destroyed) return;
    let dropped = 0;
    stream.on('data', (chunk: Buffer) => {
      dropped += chunk.length;
    });
    request.resume();
    const stop = within(
      limits,
      () => dropped,
      () => stream.close(constants.NGHTTP2_NO_ERROR),
    );
    stream.once('end', stop);
    stream.once('close', stop);
  });
}

/** How often it is looked whether more has come than may. */
const checkInterval = 50;

/** Calls `giveUp` once more bytes have come than are dropped, or the time for them is up. Returns how to call that off. */
function within(limits: LingerLimits, bytesRead: () => number, giveUp: () => void): () => void {
  const { lingerBytes, lingerTimeout, lingerIdleTimeout } = limits;
  const before = bytesRead();
  const began = performance.now();
  let seen = before;
  let seenAt = began;
  const check = setInterval(() => {
    const now = performance.now();
    const read = bytesRead();
    if (read !== seen) seenAt = now;
    seen = read;
    const isOver =
      read - before > lingerBytes || now - began > lingerTimeout || now - seenAt > lingerIdleTimeout;
    if (!isOver) return;
    clearInterval(check);
    giveUp();
  }, checkInterval).unref();
  return () => clearInterval(check);
}
