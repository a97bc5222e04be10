import { sendWith, writeHead } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { headerOf } from './headers.ts';

/** A document that changes now and then, as it is sent. */
export interface Content {
  readonly bytes: Buffer;
  /** Without quotes. */
  readonly etag?: string;
  /** When it last changed, in milliseconds. */
  readonly modified: number;
  /** Further headers, names and values in turn. They are also sent when nothing changed. */
  readonly headers: readonly string[];
  /** Those that only go with the content itself. */
  readonly contentHeaders: readonly string[];
  readonly caching?: string;
}

/** Sends a document: nothing to who has it already, or the part that is asked for. */
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
  } else if (range === 'beyond') {
    headers.push('Content-Range', `bytes */${bytes.length}`);
    sendWith(exchange, 416, headers, '', caching);
  } else {
    headers.push('Content-Range', `bytes ${range.from}-${range.to}/${bytes.length}`);
    sendWith(exchange, 206, headers, bytes.subarray(range.from, range.to + 1), caching);
  }
}

function isKnown(exchange: Exchange, etag: string | undefined, modified: number): boolean {
  const known = headerOf(exchange, 'if-none-match');
  if (known !== undefined) {
    if (etag === undefined) return false;
    return known.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === etag);
  }
  const since = headerOf(exchange, 'if-modified-since');
  if (since === undefined || !['GET', 'HEAD'].includes(exchange.request.method ?? '')) return false;
  // The header has no parts of a second.
  return Math.floor(modified / 1000) * 1000 <= Date.parse(since);
}

/** The one range that is asked for. Who asks for several, or in another way, gets everything. */
function askedRange(
  exchange: Exchange,
  length: number,
): { readonly from: number; readonly to: number } | 'beyond' | undefined {
  const asked = headerOf(exchange, 'range');
  if (asked === undefined || headerOf(exchange, 'if-range') !== undefined) return undefined;
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(asked) ?? [];
  if (first === undefined || last === undefined || first + last === '') return undefined;
  const from = first === '' ? Math.max(length - Number(last), 0) : Number(first);
  const to = first === '' || last === '' ? length - 1 : Math.min(Number(last), length - 1);
  if (from >= length) return 'beyond';
  return from > to ? undefined : { from, to };
}
