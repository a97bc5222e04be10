// Streams the body of a large response, such as a list, which is encoded while it is sent.
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, createGzip } from 'node:zlib';
import { type Chunk, Pause } from '../base/chunk.ts';
import type { Clock } from '../base/clock.ts';
import { type BufferPool, ChunkedBody } from './chunked-body.ts';
import { type Exchange, HttpExchange } from './exchange.ts';
import { JsonIndenter } from './json-text.ts';
import { ServerResponse } from './node-http.ts';
import {
  abortResponse,
  bodyOf,
  compressionLevel,
  isGzipUsed,
  minCompressedBytes,
  sendBytes,
  writeHead,
} from './response.ts';

export interface StreamOptions {
  readonly contentType: string;
  readonly pretty: boolean;
  readonly clock: Clock;
  readonly buffers: BufferPool;
  /** A client that reads nothing for this long is disconnected, in milliseconds. */
  readonly readTimeoutMs?: number;
}

/** Chunks are joined to writes of about this size; the encoder yields to the event loop after each. */
const writeBytes = 64 * 1024;

/**
 * Sends a body that is encoded while it is sent and never held in memory as a whole. A small body gets a Content-Length; a
 * large one is compressed if the client accepts gzip. Closes the connection early when the client is gone or reads too
 * slowly, or the request times out.
 */
export async function sendStream(
  exchange: Exchange,
  body: Iterable<Chunk>,
  options: StreamOptions,
): Promise<void> {
  const chunks = (options.pretty ? indented(body) : body)[Symbol.iterator]();
  try {
    // Buffers the start, to find out whether the body is small.
    const buffered: Buffer[] = [];
    let size = 0;
    let next = chunks.next();
    while (!next.done && size < minCompressedBytes) {
      if (next.value instanceof Pause) await next.value.wait();
      else {
        buffered.push(next.value);
        size += next.value.length;
      }
      next = chunks.next();
    }
    if (exchange.response.headersSent || exchange.response.destroyed) return;
    if (next.done && size < minCompressedBytes) {
      return sendBytes(exchange, 200, options.contentType, Buffer.concat(buffered, size));
    }
    await sendWhileEncoding(exchange, allChunks(buffered, next, chunks), options);
  } finally {
    chunks.return?.();
  }
}

/** The chunks that were buffered to measure the body, and those after them. */
function* allChunks(
  buffered: readonly Buffer[],
  next: IteratorResult<Chunk, void>,
  chunks: Iterator<Chunk, void>,
): Generator<Chunk, void> {
  yield* buffered;
  for (let result = next; !result.done; result = chunks.next()) yield result.value;
}

async function sendWhileEncoding(
  exchange: Exchange,
  chunks: Iterable<Chunk>,
  options: StreamOptions,
): Promise<void> {
  const { response } = exchange;
  const headers = ['Content-Type', options.contentType];
  if (isGzipUsed(exchange)) {
    writeHead(exchange, 200, [...headers, 'Content-Encoding', 'gzip', 'Vary', 'Accept-Encoding']);
    const gzip = createGzip({ level: compressionLevel, flush: constants.Z_NO_FLUSH });
    gzip.pipe(bodyOf(response));
    response.once('close', () => gzip.destroy());
    gzip.on('error', () => abortResponse(response));
    return sendBatches(exchange, batched(chunks), gzip, options);
  }
  // HTTP/2 and HTTP/1.0 have no chunked transfer coding.
  if (!(response instanceof ServerResponse) || exchange.request.httpVersionMinor === 0) {
    writeHead(exchange, 200, headers);
    return sendBatches(exchange, batched(chunks), response, options);
  }
  writeHead(exchange, 200, [...headers, 'Transfer-Encoding', 'chunked']);
  response.flushHeaders();
  // A request that is pipelined behind another has no socket yet.
  if (response.socket === null) return sendBatches(exchange, batched(chunks), response, options);
  await sendHttp1Chunks(exchange, chunks, response.socket, options);
  response.end();
}

/** The response, or the socket or gzip stream that takes its body. */
interface BodySink {
  /** Returns false under backpressure. */
  write(batch: Buffer): boolean;
  end(): void;
  on(event: 'drain', listener: () => void): unknown;
  off(event: 'drain', listener: () => void): unknown;
}

/** Writes the batches to the response or a gzip stream before it, and ends it. */
async function sendBatches(
  exchange: Exchange,
  batches: Iterable<Chunk>,
  sink: BodySink,
  options: StreamOptions,
): Promise<void> {
  for (const batch of batches) {
    if (batch instanceof Pause) await batch.wait();
    else {
      if (exchange instanceof HttpExchange) exchange.bytesSent += batch.length;
      if (sink.write(batch)) await nextTurn();
      else await waitUntilDrained(sink, exchange, options);
    }
    if (exchange.response.destroyed) return;
  }
  sink.end();
}

/** Writes HTTP/1.1 chunks straight to the socket; the caller ends the response. */
async function sendHttp1Chunks(
  exchange: Exchange,
  chunks: Iterable<Chunk>,
  socket: Socket,
  options: StreamOptions,
): Promise<void> {
  const body = new ChunkedBody(socket, options.buffers);
  try {
    for (const chunk of chunks) {
      if (chunk instanceof Pause) {
        await chunk.wait();
        continue;
      }
      for (let offset = 0; offset < chunk.length; ) {
        offset += body.put(chunk, offset);
        if (!body.isFull) continue;
        if (body.send()) await nextTurn();
        else await waitUntilDrained(socket, exchange, options);
        if (exchange.response.destroyed) return;
      }
      if (exchange instanceof HttpExchange) exchange.bytesSent += chunk.length;
    }
    body.send();
  } finally {
    body.close();
  }
}

/** Resolves when the client has read the written bytes or is gone; disconnects it after the timeout. */
function waitUntilDrained(
  sink: Pick<BodySink, 'on' | 'off'>,
  { response }: Exchange,
  { clock, readTimeoutMs = 30_000 }: StreamOptions,
): Promise<void> {
  return new Promise((resolve) => {
    const cancelTimeout = clock.after(readTimeoutMs, () => abortResponse(response));
    const done = () => {
      cancelTimeout();
      sink.off('drain', done);
      response.off('close', done);
      resolve();
    };
    sink.on('drain', done);
    response.on('close', done);
  });
}

/** Indents the chunks for `?pretty`. */
function* indented(chunks: Iterable<Chunk>): Generator<Chunk, void> {
  const indenter = new JsonIndenter();
  for (const chunk of chunks) yield chunk instanceof Pause ? chunk : indenter.push(chunk);
}

/** Joins neighbouring chunks to about `writeBytes`; a chunk of that size is passed on without a copy. */
function* batched(chunks: Iterable<Chunk>): Generator<Chunk, void> {
  let batch: Buffer[] = [];
  let size = 0;
  for (const chunk of chunks) {
    if (chunk instanceof Pause) {
      yield chunk;
      continue;
    }
    batch.push(chunk);
    size += chunk.length;
    if (size < writeBytes) continue;
    yield batch.length === 1 ? chunk : Buffer.concat(batch, size);
    batch = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(batch, size);
}
