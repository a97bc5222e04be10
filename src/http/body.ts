import { bodyTooLarge } from '../errors/catalogue.ts';
import type { Exchange } from './exchange.ts';
import { ServerResponse } from './node-http.ts';

/** The largest request body that is read. */
export const largestBody = 3 * 1024 * 1024;

/** So much of a refused body is read and thrown away, so that its sender gets to hear the refusal. */
const mostDiscarded = 32 * 1024 * 1024;

const nothing = Buffer.alloc(0);

/** Reads the request's body; 413 when it is too large, the signal's reason when the request is given up. */
export function readBody(exchange: Exchange, limit = largestBody): Promise<Buffer> {
  const { request } = exchange;
  const announced = Number(request.headers['content-length'] ?? Number.NaN);
  if (announced > limit) {
    discard(exchange, announced);
    return Promise.reject(bodyTooLarge(limit));
  }
  if (announced === 0 || request.readableEnded) return Promise.resolve(nothing);
  const { signal } = exchange;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = () => {
      request.off('data', onData).off('end', onEnd).off('error', fail).off('close', onClose);
      signal.removeEventListener('abort', onAbort);
    };
    const fail = (error: unknown) => {
      stop();
      discard(exchange, size);
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) fail(bodyTooLarge(limit));
      else chunks.push(chunk);
    };
    const onEnd = () => {
      stop();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
    };
    const onClose = () =>
      fail(new Error('the client closed the connection before its whole request was sent'));
    const onAbort = () => fail(signal.reason);
    if (signal.aborted) return fail(signal.reason);
    request.on('data', onData).once('end', onEnd).once('error', fail).once('close', onClose);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Reads on without keeping anything, up to a bound. */
function discard({ request, response }: Exchange, already: number): void {
  let discarded = already;
  if (discarded > mostDiscarded) {
    if (response instanceof ServerResponse) response.shouldKeepAlive = false;
    return;
  }
  request.on('error', () => {});
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > mostDiscarded) request.destroy();
  });
}
