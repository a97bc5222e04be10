// Conditional and range requests of a document, as Go's http.ServeContent answers them.

import type { Exchange } from './exchange.ts';
import { sendText, sendWith, writeHead } from './response.ts';

/** A document that changes rarely, with its validators. */
export interface Content {
  readonly bytes: Buffer;
  /** Without quotes. */
  readonly etag?: string;
  /** Time of the last change, in milliseconds. */
  readonly modified: number;
  /** Further headers (alternating names and values), also sent with 304. */
  readonly headers: readonly string[];
  /** Headers that are only sent with content. */
  readonly contentHeaders: readonly string[];
  readonly caching?: string;
}

/** Sends the document, 304 if the client has it, or the requested range. */
export function sendContent(exchange: Exchange, content: Content): void {
  const { bytes, modified, caching } = content;
  const etag = content.etag === undefined ? undefined : `"${content.etag}"`;
  const common = [...(etag === undefined ? [] : ['Etag', etag]), ...content.headers];
  if (isKnown(exchange, etag, modified)) {
    if (exchange.response.headersSent || exchange.response.destroyed) return;
    writeHead(exchange, 304, common, caching);
    exchange.response.end();
    return;
  }
  const headers = [
    ...common,
    ...content.contentHeaders,
    'Accept-Ranges',
    'bytes',
    'Last-Modified',
    new Date(modified).toUTCString(),
  ];
  const range = askedRange(exchange, bytes.length);
  if (range === undefined) {
    sendWith(exchange, 200, headers, bytes, caching);
  } else if (typeof range === 'string') {
    const beyond = range === tooFar ? ['Content-Range', `bytes */${bytes.length}`] : [];
    sendText(exchange, 416, `${range}\n`, [...content.headers, ...beyond]);
  } else {
    headers.push('Content-Range', `bytes ${range.from}-${range.to}/${bytes.length}`);
    sendWith(exchange, 206, headers, bytes.subarray(range.from, range.to + 1), caching);
  }
}

function isKnown(exchange: Exchange, etag: string | undefined, modified: number): boolean {
  // Last-Modified has a resolution of one second, so it cannot prove that nothing changed.
  if (etag === undefined) return false;
  const known = exchange.request.headers['if-none-match'];
  if (known !== undefined) {
    return known.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
  }
  const since = exchange.request.headers['if-modified-since'];
  if (since === undefined || !['GET', 'HEAD'].includes(exchange.request.method ?? '')) return false;
  // If-Modified-Since has no fractions of a second.
  return Math.floor(modified / 1000) * 1000 <= Date.parse(since);
}

const malformed = 'invalid range';
const tooFar = 'invalid range: failed to overlap';

/** The requested range, or the error text of a malformed one. A request for several ranges gets the whole document. */
function askedRange(
  exchange: Exchange,
  length: number,
): { readonly from: number; readonly to: number } | typeof malformed | typeof tooFar | undefined {
  const asked = exchange.request.headers.range;
  if (asked === undefined || asked.includes(',') || exchange.request.headers['if-range'] !== undefined) {
    return undefined;
  }
  const [, first, last] = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(asked) ?? [];
  if (first === undefined || last === undefined || first + last === '') return malformed;
  if (first === '') return { from: Math.max(length - Number(last), 0), to: length - 1 };
  const from = Number(first);
  if (from >= length) return tooFar;
  const to = last === '' ? length - 1 : Math.min(Number(last), length - 1);
  return from > to ? malformed : { from, to };
}
