import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, createGzip } from 'node:zlib';
import type { Clock } from '../clock.ts';
import { acceptsGzip, compressFrom, compressionLevel, sendBytes, writeHead } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { HttpExchange } from './http-exchange.ts';
import { JsonIndenter } from './json-text.ts';

export interface StreamOptions {
  readonly contentType: string;
  /** Indent the body, which is JSON. */
  readonly pretty: boolean;
  readonly clock: Clock;
  /** A reader that takes nothing for so long is cut off. */
  readonly slowestRead?: number;
}

/** Pieces are gathered to writes of about this size, and the event loop gets a turn after each. */
const writeSize = 64 * 1024;

/**
 * Sends a body that is made while it is sent and never held whole. A body that turns out small goes out with its
 * length; a large one is compressed for who can read that. Ends early, by cutting the connection, when the reader is
 * gone or too slow or the request's time is up.
 */
export async function sendStream(
  exchange: Exchange,
  pieces: Iterable<Buffer>,
  options: StreamOptions,
): Promise<void> {
  const batches = batched(options.pretty ? indented(pieces) : pieces)[Symbol.iterator]();
  try {
    const first: Buffer[] = [];
    let size = 0;
    let next = batches.next();
    while (!next.done && size < compressFrom) {
      if (next.value.length === 0) await nextTurn();
      else first.push(next.value);
      size += next.value.length;
      next = batches.next();
    }
    if (exchange.response.headersSent || exchange.response.destroyed) return;
    if (next.done && size < compressFrom) {
      return sendBytes(
        exchange,
        200,
        options.contentType,
        first.length === 1 ? first[0]! : Buffer.concat(first, size),
      );
    }
    await sendOnTheGo(exchange, rest(first, next, batches), options);
  } finally {
    batches.return?.();
  }
}

function* rest(
  first: readonly Buffer[],
  next: IteratorResult<Buffer, void>,
  batches: Iterator<Buffer, void>,
): Generator<Buffer, void> {
  yield* first;
  for (let result = next; !result.done; result = batches.next()) yield result.value;
}

async function sendOnTheGo(
  exchange: Exchange,
  batches: Iterable<Buffer>,
  options: StreamOptions,
): Promise<void> {
  const { response } = exchange;
  const headers = ['Content-Type', options.contentType];
  const gzip = acceptsGzip(exchange)
    ? createGzip({ level: compressionLevel, flush: constants.Z_NO_FLUSH })
    : undefined;
  if (gzip) headers.push('Content-Encoding', 'gzip', 'Vary', 'Accept-Encoding');
  writeHead(exchange, 200, headers);
  const sink: Writable = gzip ?? response;
  if (gzip) {
    gzip.pipe(response);
    response.once('close', () => gzip.destroy());
    gzip.on('error', () => response.destroy());
  }
  for (const batch of batches) {
    if (exchange instanceof HttpExchange) exchange.bytesSent += batch.length;
    if (batch.length === 0) await nextTurn();
    else if (!sink.write(batch)) await readerCatchesUp(sink, exchange, options);
    else await nextTurn();
    if (exchange.signal.aborted || response.destroyed) {
      response.destroy();
      return;
    }
  }
  sink.end();
}

/** Waits until the reader has taken what was written; cuts it off when that takes too long. */
async function readerCatchesUp(
  sink: Writable,
  exchange: Exchange,
  { clock, slowestRead = 30_000 }: StreamOptions,
): Promise<void> {
  const giveUp = clock.after(slowestRead, () => exchange.response.destroy());
  const waiting = new AbortController();
  const stop = () => waiting.abort();
  exchange.signal.addEventListener('abort', stop, { once: true });
  exchange.response.once('close', stop);
  try {
    if (exchange.signal.aborted) return;
    await once(sink, 'drain', { signal: waiting.signal });
  } catch {
    exchange.response.destroy();
  } finally {
    giveUp();
    exchange.signal.removeEventListener('abort', stop);
    exchange.response.off('close', stop);
  }
}

function* indented(pieces: Iterable<Buffer>): Generator<Buffer, void> {
  const indenter = new JsonIndenter();
  for (const piece of pieces) yield indenter.push(piece);
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
