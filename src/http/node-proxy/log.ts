// pods/log: streams container logs from the kubelet.
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../base/clock.ts';
import { badRequest, internalError } from '../../errors/catalogue.ts';
import { ApiError, type StatusReason } from '../../errors/status.ts';
import type { Exchange } from '../../transport/exchange.ts';
import {
  authorityOf,
  type Backend,
  connectionErrorText,
  requestBackend,
} from '../../transport/proxy/backend.ts';
import { bodyOf, flushHead, writeHead } from '../../transport/response.ts';

export interface LogRequest {
  readonly backend: Backend;
  readonly path: string;
  readonly pod: string;
  readonly clock: Clock;
}

/** Streams a container log from the kubelet. The headers are sent at once: a followed log may have no line for long. */
export async function sendLog(exchange: Exchange, request: LogRequest): Promise<void> {
  const { backend, path, pod, clock } = request;
  const headers = { host: authorityOf(backend) };
  const kubeletRequest = requestBackend(backend, { method: 'GET', path, headers }, clock);
  const abort = () => kubeletRequest.destroy();
  exchange.signal.addEventListener('abort', abort, { once: true });
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      kubeletRequest.once('response', resolve);
      kubeletRequest.on('error', reject);
      kubeletRequest.end();
    }).catch((error: Error) => {
      const url = `https://${authorityOf(backend)}${path}`;
      throw new ApiError(500, '', `Get ${JSON.stringify(url)}: ${connectionErrorText(error, backend)}`);
    });
    await throwIfFailed(response, pod);
    writeHead(exchange, 200, ['Content-Type', 'text/plain']);
    flushHead(exchange.response);
    await pipeline(response, bodyOf(exchange.response));
  } finally {
    exchange.signal.removeEventListener('abort', abort);
    kubeletRequest.destroy();
  }
}

/** The maximum size of a kubelet's error message. */
const maxErrorBytes = 50_000;

/** The reason and message of the API error for an error response of the kubelet. Without a message: the kubelet's text. */
const kubeletErrors: Readonly<Record<number, readonly [StatusReason, string?]>> = {
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  403: ['Forbidden'],
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  406: ['NotAcceptable'],
  409: ['Conflict', 'the server reported a conflict'],
  415: ['UnsupportedMediaType'],
  422: ['Invalid', 'the server rejected our request due to an error in our request'],
  429: ['TooManyRequests', 'the server has received too many requests and has asked us to try again later'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
  504: [
    'Timeout',
    'the server was unable to return a response in the time allotted, but may still be processing the request',
  ],
};

async function throwIfFailed(response: IncomingMessage, pod: string): Promise<void> {
  const { statusCode: code = 500, headers } = response;
  if (code < 300) return;
  if (code < 400 && headers.location !== undefined) {
    throw new ApiError(500, '', `Get ${JSON.stringify(headers.location)}: redirects forbidden`);
  }
  const errorText = await readErrorText(response);
  if (code === 500) throw internalError(errorText);
  if (code === 400) throw badRequest(errorText);
  const [reason, message = errorText] = kubeletErrors[code] ?? otherKubeletError(code, errorText);
  // Upstream's text is `<message> (<verb> <resource> <name>)`, here with an empty verb.
  throw new ApiError(code, reason, `${message} ( pods/log ${pod})`, { name: pod, kind: 'pods/log' });
}

function otherKubeletError(code: number, errorText: string): readonly [StatusReason, string] {
  if (code < 500) {
    return ['', `the server responded with the status code ${code} but did not return more information`];
  }
  const quoted = JSON.stringify(errorText);
  return ['InternalError', `an error on the server (${quoted}) has prevented the request from succeeding`];
}

async function readErrorText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxErrorBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxErrorBytes).toString();
}
