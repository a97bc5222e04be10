// Conditional and range requests of a document, as Go's http.ServeContent answers them.

import type { Exchange } from './exchange.ts';
import { sendText, sendWithHeaders, writeHead } from './response.ts';

/** A document that changes rarely, with its validators. */
export interface Content {
  readonly bytes: Buffer;
  /** Without quotes. Absent: the document is always sent. */
  readonly etag?: string;
  /** Time of the last change, in milliseconds. */
  readonly modifiedAtMs: number;
  /** Further headers (alternating names and values), also sent with 304. */
  readonly headers: readonly string[];
  /** Headers that are only sent with content. */
  readonly contentHeaders: readonly string[];
  readonly cacheControl?: string;
}

/** Sends the document, 304 if the client has it, or the requested range. */
export function sendContent(exchange: Exchange, content: Content): void {
  const { bytes, modifiedAtMs, cacheControl } = content;
  const etag = content.etag === undefined ? undefined : `"${content.etag}"`;
  const commonHeaders = [...(etag === undefined ? [] : ['Etag', etag]), ...content.headers];
  if (isNotModified(exchange, etag, modifiedAtMs)) {
    if (exchange.response.headersSent || exchange.response.destroyed) return;
    writeHead(exchange, 304, commonHeaders, cacheControl);
    exchange.response.end();
    return;
  }
  const headers = [
    ...commonHeaders,
    ...content.contentHeaders,
    'Accept-Ranges',
    'bytes',
    'Last-Modified',
    new Date(modifiedAtMs).toUTCString(),
  ];
  const range = requestedRange(exchange, bytes.length);
  if (range === undefined) {
    sendWithHeaders(exchange, 200, headers, bytes, cacheControl);
  } else if (typeof range === 'string') {
    const contentRange = range === rangeNotSatisfiable ? ['Content-Range', `bytes */${bytes.length}`] : [];
    sendText(exchange, 416, `${range}\n`, [...content.headers, ...contentRange]);
  } else {
    headers.push('Content-Range', `bytes ${range.from}-${range.to}/${bytes.length}`);
    sendWithHeaders(exchange, 206, headers, bytes.subarray(range.from, range.to + 1), cacheControl);
  }
}

function isNotModified(exchange: Exchange, etag: string | undefined, modifiedAtMs: number): boolean {
  // Last-Modified has a resolution of one second, so it cannot prove that nothing changed.
  if (etag === undefined) return false;
  const ifNoneMatch = exchange.request.headers['if-none-match'];
  if (ifNoneMatch !== undefined) {
    return ifNoneMatch
      .split(',')
      .some((etagText) => etagText.trim() === '*' || etagText.trim().replace(/^W\//, '') === etag);
  }
  const ifModifiedSince = exchange.request.headers['if-modified-since'];
  if (ifModifiedSince === undefined || !['GET', 'HEAD'].includes(exchange.request.method ?? '')) return false;
  // If-Modified-Since has no fractions of a second.
  return Math.floor(modifiedAtMs / 1000) * 1000 <= Date.parse(ifModifiedSince);
}

const malformedRange = 'invalid range';
const rangeNotSatisfiable = 'invalid range: failed to overlap';

/**
 * The requested range, both ends included, or the error text of a malformed one. Undefined for the whole document, which a
 * request for several ranges or with If-Range gets too.
 */
function requestedRange(
  exchange: Exchange,
  length: number,
):
  | { readonly from: number; readonly to: number }
  | typeof malformedRange
  | typeof rangeNotSatisfiable
  | undefined {
  const rangeHeader = exchange.request.headers.range;
  if (
    rangeHeader === undefined ||
    rangeHeader.includes(',') ||
    exchange.request.headers['if-range'] !== undefined
  ) {
    return undefined;
  }
  const [, firstText, lastText] = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(rangeHeader) ?? [];
  if (firstText === undefined || lastText === undefined || firstText + lastText === '') return malformedRange;
  // `bytes=-N` requests the last N bytes.
  if (firstText === '') return { from: Math.max(length - Number(lastText), 0), to: length - 1 };
  const from = Number(firstText);
  if (from >= length) return rangeNotSatisfiable;
  const to = lastText === '' ? length - 1 : Math.min(Number(lastText), length - 1);
  return from > to ? malformedRange : { from, to };
}
