// Reads a request body up to a size limit.
import { bodyTooLarge } from '../errors/catalogue.ts';
import type { Exchange } from './exchange.ts';

/** The maximum size of a request body in bytes. */
const largestBody = 3 * 1024 * 1024;

const nothing = Buffer.alloc(0);

/** Reads the request body. Throws 413 if it is too large, and the signal's reason if the request is aborted. */
export function readBody(exchange: Exchange, limit = largestBody): Promise<Buffer> {
  const { request } = exchange;
  const announced = Number(request.headers['content-length'] ?? Number.NaN);
  if (announced > limit) return Promise.reject(bodyTooLarge(limit));
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
      // An error event without a listener would end the process.
      request.on('error', () => {});
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
