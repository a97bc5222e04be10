// Sends the response of an exchange (an HTTP request and its response): head, body, compression, Status objects and errors.
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { CooperativeYield, expensiveRequests } from '../base/cooperative-yield.ts';
import type { ApiError, WireStatus } from '../errors/status.ts';
import { Status as StatusSchema } from '../kind/meta/status.ts';
import { isPrettyRequested, negotiateAccept, type Representation } from '../serializers/negotiate.ts';
import type { SerializedKind } from '../serializers/serializer.ts';
import { type Exchange, HttpExchange } from './exchange.ts';
import { encodeJson, JsonIndenter } from './json-text.ts';
import { ServerResponse } from './node-http.ts';
import { warningHeaders } from './warnings.ts';

const compress = promisify(gzip);

/** Responses of get and list from this size on are compressed if the client accepts gzip. */
export const minCompressedBytes = 128 * 1024;
/** gzip level of responses: the fastest. */
export const compressionLevel = 1;

export const jsonType = 'application/json';
export const textType = 'text/plain; charset=utf-8';

/** Node joins head and body to one write if both are strings. Up to this size the copy is cheaper than a second write. */
const maxJoinedBytes = 16 * 1024;

/** Bytes of JSON that are indented before yielding to the event loop. */
const indentChunkBytes = 64 * 1024;

const defaultCacheControl = 'no-cache, private';

/** Writes status and headers. `headers` alternates names and values. */
export function writeHead(
  exchange: Exchange,
  code: number,
  headers: string[],
  cacheControl = defaultCacheControl,
): void {
  exchange.audit?.responseStarted(code);
  headers.push('Audit-Id', exchange.auditId, 'Cache-Control', cacheControl);
  for (const text of exchange.responseHeaders) headers.push(text);
  if (exchange.warnings.length > 0) {
    for (const value of warningHeaders(exchange.warnings)) headers.push('Warning', value);
  }
  exchange.response.writeHead(code, headers);
}

const responseAborted = new Error('the response was aborted');

/** Aborts a response, so that the client notices that it is incomplete. */
export function abortResponse(response: Exchange['response']): void {
  // Without an error, HTTP/2 would end the stream as if the response were complete.
  if (response instanceof ServerResponse) response.destroy();
  else response.stream.destroy(responseAborted);
}

/** Larger bodies wait for a turn of the event loop that has time for them: encrypting 1 MB takes about 1 ms. */
const maxImmediateBytes = 64 * 1024;

/** Sends a whole body. Does nothing if a response has been sent already (the request timed out). */
export function sendBytes(
  exchange: Exchange,
  code: number,
  contentType: string,
  body: Buffer | string,
): void {
  sendWithHeaders(exchange, code, ['Content-Type', contentType], body);
}

/** As sendBytes, with more headers (alternating names and values), and with a text at the end of a large body. */
export function sendWithHeaders(
  exchange: Exchange,
  code: number,
  headers: string[],
  body: Buffer | string,
  cacheControl = defaultCacheControl,
  ending = '',
): void {
  const { response } = exchange;
  if (response.headersSent || response.destroyed) return;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes.length <= maxJoinedBytes && response instanceof ServerResponse) {
    endInOneWrite(exchange, response, code, headers, bytes.toString('latin1') + ending, cacheControl);
    return;
  }
  const length = bytes.length + ending.length;
  if (exchange instanceof HttpExchange) exchange.bytesSent += length;
  headers.push('Content-Length', String(length));
  writeHead(exchange, code, headers, cacheControl);
  if (ending === '') response.end(bytes);
  else {
    // Appending it to the body would copy the body.
    response.write(bytes);
    response.end(ending);
  }
}

/** Sends a small body, given as latin1, in one write with the headers. */
function endInOneWrite(
  exchange: Exchange,
  response: ServerResponse,
  code: number,
  headers: string[],
  latin1: string,
  cacheControl: string,
): void {
  if (exchange instanceof HttpExchange) exchange.bytesSent += latin1.length;
  headers.push('Content-Length', String(latin1.length));
  writeHead(exchange, code, headers, cacheControl);
  response.end(latin1, 'latin1');
}

/** Sends the JSON of an object: indented, compressed or unchanged. Returns a promise only if it has to wait. */
export function sendJsonBytes(
  exchange: Exchange,
  code: number,
  json: Buffer,
  pretty: boolean,
): void | Promise<void> {
  const { response } = exchange;
  exchange.audit?.setResponseObject(json);
  if (!pretty && json.length < maxJoinedBytes && response instanceof ServerResponse) {
    if (response.headersSent || response.destroyed) return;
    endInOneWrite(
      exchange,
      response,
      code,
      ['Content-Type', jsonType],
      `${json.toString('latin1')}\n`,
      defaultCacheControl,
    );
    return;
  }
  // Upstream ends JSON that is not indented with a line feed.
  if (!pretty) return sendBody(exchange, code, jsonType, json, '\n');
  if (json.length > indentChunkBytes) {
    return indentInChunks(json).then((body) => sendBody(exchange, code, jsonType, body));
  }
  return sendBody(exchange, code, jsonType, new JsonIndenter().push(json));
}

async function indentInChunks(json: Buffer): Promise<Buffer> {
  const indenter = new JsonIndenter();
  const yielding = new CooperativeYield();
  const chunks: Buffer[] = [];
  for (let offset = 0; offset < json.length; offset += indentChunkBytes) {
    chunks.push(indenter.push(json.subarray(offset, offset + indentChunkBytes)));
    await yielding.next();
  }
  return Buffer.concat(chunks);
}

/** Sends the body of a get or list response, compressed if it is large and the client accepts gzip. */
export function sendBody(
  exchange: Exchange,
  code: number,
  contentType: string,
  body: Buffer,
  ending = '',
): void | Promise<void> {
  if (body.length >= minCompressedBytes && isGzipUsed(exchange)) {
    return sendCompressed(exchange, code, contentType, ending === '' ? body : withEnding(body, ending));
  }
  if (body.length <= maxImmediateBytes) {
    return sendBytes(exchange, code, contentType, ending === '' ? body : withEnding(body, ending));
  }
  const send = () =>
    sendWithHeaders(exchange, code, ['Content-Type', contentType], body, defaultCacheControl, ending);
  const waiting = expensiveRequests.next();
  return waiting ? waiting.then(send) : send();
}

async function sendCompressed(
  exchange: Exchange,
  code: number,
  contentType: string,
  body: Buffer,
): Promise<void> {
  const headers = ['Content-Type', contentType, 'Content-Encoding', 'gzip', 'Vary', 'Accept-Encoding'];
  sendWithHeaders(exchange, code, headers, await compress(body, { level: compressionLevel }));
}

const withEnding = (body: Buffer, ending: string) => Buffer.concat([body, Buffer.from(ending)]);

/** Whether a large response to get or list is compressed. */
export function isGzipUsed(exchange: Exchange): boolean {
  return exchange.serializers.isCompressed && acceptsGzip(exchange);
}

/** Whether the client accepts gzip. Upstream ignores weights, so a weighted gzip does not count. */
export function acceptsGzip(exchange: Exchange): boolean {
  const acceptEncoding = exchange.request.headers['accept-encoding'];
  return acceptEncoding?.split(',').some((encoding) => encoding.trim() === 'gzip') ?? false;
}

/** JSON as the API writes it: one line with a line feed, or indented without one. */
function toResponseText(value: unknown, pretty: boolean): string {
  const text = encodeJson(value);
  return pretty ? new JsonIndenter().push(Buffer.from(text)).toString() : `${text}\n`;
}

/** Sends a `Status` in the negotiated media type. */
export function sendStatusObject(
  exchange: Exchange,
  code: number,
  status: WireStatus,
  { mediaType, pretty }: Pick<Representation, 'mediaType' | 'pretty'>,
  moreHeaders: readonly string[] = [],
): void {
  exchange.audit?.setResponseStatus(status);
  writeStatus(exchange, code, status, { mediaType, pretty }, moreHeaders);
}

function writeStatus(
  exchange: Exchange,
  code: number,
  status: WireStatus,
  { mediaType, pretty }: Pick<Representation, 'mediaType' | 'pretty'>,
  moreHeaders: readonly string[],
): void {
  const json = toResponseText(status, pretty && mediaType === jsonType);
  const body =
    mediaType === jsonType
      ? json
      : exchange.serializers.forMediaType(mediaType).object(statusKind, Buffer.from(json));
  sendWithHeaders(exchange, code, ['Content-Type', mediaType, ...moreHeaders], body);
}

const statusKind: SerializedKind = { apiVersion: 'v1', kind: 'Status', schema: StatusSchema };

/** Sends an error as a `Status`. If `Accept` rules out every media type, it is indented JSON. */
export function sendError(exchange: Exchange, error: ApiError, moreHeaders: readonly string[] = []): void {
  const accept = exchange.request.headers.accept;
  const { isRouted, serializers } = exchange;
  const mediaTypes = isRouted ? serializers.mediaTypes : serializers.plainTypes;
  const { hasWatch } = serializers;
  const negotiated = accept
    ? negotiateAccept(accept, { mediaTypes, hasWatch })
    : { mediaType: jsonType, pretty: false };
  const pretty = negotiated === undefined || negotiated.pretty || isPrettyRequested(exchange);
  const retryAfter = error.details?.retryAfterSeconds;
  const headers = retryAfter ? [...moreHeaders, 'Retry-After', String(retryAfter)] : moreHeaders;
  const representation = { mediaType: negotiated?.mediaType ?? jsonType, pretty };
  // As upstream, an error in a media type that the client does not accept is not recorded in the audit event.
  const send = negotiated === undefined ? writeStatus : sendStatusObject;
  send(exchange, error.code, error.toStatus(), representation, headers);
}

export function sendText(
  exchange: Exchange,
  code: number,
  text: string,
  moreHeaders: readonly string[] = [],
): void {
  sendWithHeaders(
    exchange,
    code,
    ['Content-Type', textType, 'X-Content-Type-Options', 'nosniff', ...moreHeaders],
    text,
  );
}

export const sendPageNotFound = (exchange: Exchange) => sendText(exchange, 404, '404 page not found\n');

/** Sends the response head before the body is ready. Node does so by itself on HTTP/2. */
export function flushHead(response: Exchange['response']): void {
  if (response instanceof ServerResponse) response.flushHeaders();
}

/** The body of a response whose head is sent, to pipe a stream to it. */
export function bodyOf(response: Exchange['response']): Writable {
  return response instanceof ServerResponse ? response : response.body;
}
