import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, createGzip } from 'node:zlib';
import type { Clock } from '../base/clock.ts';
import { passing } from '../serializers/serializer.ts';
import { breakOff, compressFrom, compressionLevel, isCompressedFor, sendBytes, writeHead } from './answer.ts';
import { type BodyBuffers, ChunkedBody } from './chunked-body.ts';
import type { Exchange } from './exchange.ts';
import { HttpExchange } from './http-exchange.ts';
import { JsonIndenter } from './json-text.ts';
import { ServerResponse } from './node-http.ts';

export interface StreamOptions {
  readonly contentType: string;
  /** Indent the body, which is JSON. */
  readonly pretty: boolean;
  readonly clock: Clock;
  readonly buffers: BodyBuffers;
  /** A reader that takes nothing for so long is cut off. */
  readonly slowestRead?: number;
}

/** Pieces are gathered to writes of about this size, and the event loop gets a turn after each. */
const writeSize = 64 * 1024;

/**
 * Sends a body that is made while it is sent and never held whole. A body that turns out small goes out with its
 * length; a large one is compressed for who can read that. Ends early, by cutting the connection, when the reader is
 * gone or too slow or the request's time is up. An empty piece asks for a turn of the event loop.
 */
export async function sendStream(
  exchange: Exchange,
  body: Iterable<Buffer>,
  options: StreamOptions,
): Promise<void> {
  const pieces = (options.pretty ? indented(body) : body)[Symbol.iterator]();
  try {
    const first: Buffer[] = [];
    let size = 0;
    let next = pieces.next();
    while (!next.done && size < compressFrom) {
      if (next.value.length === 0) await passing(next.value);
      else first.push(next.value);
      size += next.value.length;
      next = pieces.next();
    }
    if (exchange.response.headersSent || exchange.response.destroyed) return;
    if (next.done && size < compressFrom) {
      return sendBytes(exchange, 200, options.contentType, Buffer.concat(first, size));
    }
    await sendOnTheGo(exchange, rest(first, next, pieces), options);
  } finally {
    pieces.return?.();
  }
}

function* rest(
  first: readonly Buffer[],
  next: IteratorResult<Buffer, void>,
  pieces: Iterator<Buffer, void>,
): Generator<Buffer, void> {
  yield* first;
  for (let result = next; !result.done; result = pieces.next()) yield result.value;
}

async function sendOnTheGo(
  exchange: Exchange,
  pieces: Iterable<Buffer>,
  options: StreamOptions,
): Promise<void> {
  const { response } = exchange;
  const headers = ['Content-Type', options.contentType];
  if (isCompressedFor(exchange)) {
    writeHead(exchange, 200, [...headers, 'Content-Encoding', 'gzip', 'Vary', 'Accept-Encoding']);
    const gzip = createGzip({ level: compressionLevel, flush: constants.Z_NO_FLUSH });
    gzip.pipe(response);
    response.once('close', () => gzip.destroy());
    gzip.on('error', () => breakOff(response));
    return sendBatches(exchange, batched(pieces), gzip, options);
  }
  if (!(response instanceof ServerResponse) || exchange.request.httpVersionMinor === 0) {
    writeHead(exchange, 200, headers);
    return sendBatches(exchange, batched(pieces), response, options);
  }
  writeHead(exchange, 200, [...headers, 'Transfer-Encoding', 'chunked']);
  response.flushHeaders();
  // A request that was pipelined behind another has no connection of its own yet.
  if (response.socket === null) return sendBatches(exchange, batched(pieces), response, options);
  await sendChunks(exchange, pieces, response.socket, options);
  response.end();
}

async function sendBatches(
  exchange: Exchange,
  batches: Iterable<Buffer>,
  sink: Writable,
  options: StreamOptions,
): Promise<void> {
  for (const batch of batches) {
    if (exchange instanceof HttpExchange) exchange.bytesSent += batch.length;
    if (batch.length === 0) await passing(batch);
    else if (sink.write(batch)) await nextTurn();
    else await drained(sink, exchange, options);
    if (exchange.response.destroyed) return;
  }
  sink.end();
}

async function sendChunks(
  exchange: Exchange,
  pieces: Iterable<Buffer>,
  socket: Socket,
  options: StreamOptions,
): Promise<void> {
  const chunks = new ChunkedBody(socket, options.buffers);
  try {
    for (const piece of pieces) {
      if (piece.length === 0) await passing(piece);
      for (let at = 0; at < piece.length; ) {
        at += chunks.put(piece, at);
        if (!chunks.isFull) continue;
        if (chunks.send()) await nextTurn();
        else await drained(socket, exchange, options);
        if (exchange.response.destroyed) return;
      }
      if (exchange instanceof HttpExchange) exchange.bytesSent += piece.length;
    }
    chunks.send();
  } finally {
    chunks.close();
  }
}

/** Resolves when the reader has taken what was written, or is gone; cuts it off when that takes too long. */
function drained(
  sink: NodeJS.EventEmitter,
  { response }: Exchange,
  { clock, slowestRead = 30_000 }: StreamOptions,
): Promise<void> {
  return new Promise((resolve) => {
    const giveUp = clock.after(slowestRead, () => breakOff(response));
    const done = () => {
      giveUp();
      sink.off('drain', done);
      response.off('close', done);
      resolve();
    };
    sink.on('drain', done);
    response.on('close', done);
  });
}

function* indented(pieces: Iterable<Buffer>): Generator<Buffer, void> {
  const indenter = new JsonIndenter();
  for (const piece of pieces) yield piece.length === 0 ? piece : indenter.push(piece);
}

/** Neighbouring pieces joined to about `writeSize`; a piece that is large by itself is passed on as it is. */
function* batched(pieces: Iterable<Buffer>): Generator<Buffer, void> {
  let batch: Buffer[] = [];
  let size = 0;
  for (const piece of pieces) {
    if (piece.length === 0) {
      // Its maker asks for a turn of the event loop.
      yield piece;
      continue;
    }
    batch.push(piece);
    size += piece.length;
    if (size < writeSize) continue;
    yield batch.length === 1 ? piece : Buffer.concat(batch, size);
    batch = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(batch, size);
}
