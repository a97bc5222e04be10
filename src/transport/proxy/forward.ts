// Reverse proxy: forwards a request to a backend and its response to the client.
import type { ClientRequest, IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../../base/clock.ts';
import { flushHead, writeHead } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import { HttpExchange } from '../http-exchange.ts';
import { authorityOf, type Backend, type BackendRequest, requestTo, whyUnreachable } from './backend.ts';
import { answeredHeaders } from './forwarded-headers.ts';
import { type LinkBase, PageLinks, rewriteLink } from './links.ts';
import { tunnel, type UpgradeResponse } from './tunnel.ts';

export interface Forwarding {
  readonly exchange: Exchange;
  readonly backend: Backend;
  readonly request: BackendRequest;
  readonly clock: Clock;
  /** What a failure to reach the backend is to the client. */
  unreachable(why: string): Error;
  /** What an answer that must not be passed on is to the client, undefined for one that may. */
  refuse?(answer: IncomingMessage): Error | undefined;
  /** The backend speaks this very API: what both it and this server say of an answer is said once. */
  readonly isOfApi?: true;
  /** Below which path the backend's own paths appear to the client, where its answers are to be rewritten so. */
  readonly linksBelow?: string;
}

/** Passes a request on, body and all, and its answer back. An upgrade becomes a tunnel that lasts until a side ends. */
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

/** The names of headers that answers have from this server. */
function saidByUs({ responseHeaders }: Exchange): string[] {
  const standing = responseHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  return ['audit-id', 'cache-control', ...standing];
}

/** Compressed pages are passed on as they are. */
function isPlainHtml({ headers }: IncomingMessage): boolean {
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim();
  return type === 'text/html' && headers['content-encoding'] === undefined;
}
