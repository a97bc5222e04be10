// Reverse proxy: forwards a request to a backend and its response to the client.
import type { ClientRequest, IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../base/clock.ts';
import { type Exchange, HttpExchange } from '../exchange.ts';
import { flushHead, writeHead } from '../response.ts';
import { authorityOf, type Backend, type BackendRequest, requestTo, whyUnreachable } from './backend.ts';
import { answeredHeaders } from './forwarded-headers.ts';
import { type LinkBase, PageLinks, rewriteLink } from './links.ts';
import { tunnel, type UpgradeResponse } from './tunnel.ts';

export interface Forwarding {
  readonly exchange: Exchange;
  readonly backend: Backend;
  readonly request: BackendRequest;
  readonly clock: Clock;
  /** The error that the client gets if the backend cannot be reached. */
  unreachable(why: string): Error;
  /** The error that replaces a response which must not reach the client. */
  refuse?(answer: IncomingMessage): Error | undefined;
  /** The backend is an aggregated API server: headers that both servers set are sent once. */
  readonly isOfApi?: true;
  /** The path prefix for links in the backend's HTML pages and redirects; undefined leaves them unchanged. */
  readonly linksBelow?: string;
}

/** Forwards a request and its response. An upgrade becomes a tunnel until one side closes. */
export async function forward(forwarding: Forwarding): Promise<void> {
  const { exchange, request, backend, clock } = forwarding;
  const upgrade = exchange instanceof HttpExchange ? exchange.upgrade : undefined;
  const headers = upgrade
    ? { ...request.headers, connection: 'Upgrade', upgrade: exchange.request.headers.upgrade }
    : request.headers;
  const sent = requestTo(backend, { ...request, headers }, clock);
  const giveUp = () => sent.destroy();
  exchange.signal.addEventListener('abort', giveUp, { once: true });
  try {
    const answer = answerTo(sent);
    if (upgrade) sent.end();
    else exchange.request.pipe(sent);
    const answered = await answer.catch((error: Error) => {
      if (exchange.signal.aborted) throw error;
      throw forwarding.unreachable(whyUnreachable(error, backend));
    });
    if ('socket' in answered && exchange instanceof HttpExchange) {
      await tunnel(exchange, answered);
      return;
    }
    const refused = forwarding.refuse?.(answered.response);
    if (refused) throw refused;
    await passBack(forwarding, answered.response);
  } finally {
    exchange.signal.removeEventListener('abort', giveUp);
    sent.destroy();
  }
}

function answerTo(sent: ClientRequest): Promise<UpgradeResponse | { readonly response: IncomingMessage }> {
  return new Promise((resolve, reject) => {
    sent.on('error', reject);
    sent.once('response', (response) => resolve({ response }));
    sent.once('upgrade', (response, socket, head) => resolve({ response, socket, head }));
  });
}

async function passBack(forwarding: Forwarding, answer: IncomingMessage): Promise<void> {
  const { exchange, backend, linksBelow } = forwarding;
  const base: LinkBase | undefined =
    linksBelow === undefined ? undefined : { below: linksBelow, authority: authorityOf(backend) };
  const headers = answeredHeaders(answer.rawHeaders, (name, value) =>
    base && name === 'location' ? rewriteLink(value, base) : value,
  );
  const isPage = base !== undefined && isPlainHtml(answer);
  const left = isPage ? ['content-length'] : forwarding.isOfApi ? saidByUs(exchange) : [];
  const caching = forwarding.isOfApi && answer.headers['cache-control'];
  writeHead(exchange, answer.statusCode ?? 502, without(headers, left), caching || undefined);
  flushHead(exchange.response);
  if (isPage) await pipeline(answer, new PageLinks(base), exchange.response);
  else await pipeline(answer, exchange.response);
}

function without(headers: readonly string[], left: readonly string[]): string[] {
  return headers.filter((_, i) => !left.includes(headers[i - (i % 2)]!.toLowerCase()));
}

/** Names of the headers that this server sets. */
function saidByUs({ responseHeaders }: Exchange): string[] {
  const standing = responseHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  return ['audit-id', 'cache-control', ...standing];
}

/** Compressed pages are not rewritten. */
function isPlainHtml({ headers }: IncomingMessage): boolean {
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim();
  return type === 'text/html' && headers['content-encoding'] === undefined;
}
