import { jsonType, sendText, sendWith } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import type { OpenApiDocument, OpenApiDocuments } from './documents.ts';

const root = '/openapi/v3';
const year = 365 * 24 * 60 * 60 * 1_000;

/** Answers below `/openapi/v3`. `now` is the server's time. */
export function serveOpenApi(documents: OpenApiDocuments, exchange: Exchange, now: number): void {
  const name = exchange.info.path.slice(root.length + 1);
  const document = documents.find(name);
  if (document) sendDocument(exchange, name, document, now);
  else if (name === '') sendText(exchange, 200, documents.index);
  else sendWith(exchange, 404, [], '');
}

/** A document asked for by the hash of its content never changes, so it may be kept. */
function sendDocument(exchange: Exchange, name: string, { json, hash }: OpenApiDocument, now: number): void {
  const headers = ['Content-Type', jsonType, 'Etag', `"${hash}"`, 'Vary', 'Accept'];
  const asked = exchange.query.get('hash');
  if (!asked) {
    sendWith(exchange, 200, headers, json);
  } else if (asked !== hash) {
    sendWith(exchange, 301, [...headers, 'Location', `${root}/${name}?hash=${hash}`], '');
  } else {
    const expires = new Date(now + year).toUTCString().replace('GMT', 'UTC');
    sendWith(exchange, 200, [...headers, 'Expires', expires], json, 'public, immutable');
  }
}
