// Reverse proxy: forwards a request to a backend and its response to the client.
import type { ClientRequest, IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { TLSSocket } from 'node:tls';
import type { Clock } from '../../base/clock.ts';
import { quoteBytes } from '../../errors/quote.ts';
import { type Exchange, HttpExchange } from '../exchange.ts';
import { requestBody } from '../http2-request.ts';
import { bodyOf, flushHead, writeHead } from '../response.ts';
import {
  authorityOf,
  type Backend,
  type BackendRequest,
  connectionErrorText,
  requestBackend,
} from './backend.ts';
import { backendResponseHeaders } from './forwarded-headers.ts';
import { type LinkBase, LinkRewriter, rewriteLink } from './links.ts';
import { tunnel, type UpgradeResponse } from './tunnel.ts';

export interface Forwarding {
  readonly exchange: Exchange;
  readonly backend: Backend;
  readonly request: BackendRequest;
  readonly clock: Clock;
  /** The error that the client gets if the backend cannot be reached. */
  unreachable(message: string): Error;
  /** The error that the client gets if the backend switches protocols and the client did not ask for it. */
  rejectUpgrade(message: string): Error;
  /** The error that replaces a response which must not reach the client. */
  rejectResponse?(backendResponse: IncomingMessage): Error | undefined;
  /** The backend is an aggregated API server: headers that both servers set are sent once. */
  readonly isAggregated?: true;
  /** The path prefix for links in the backend's HTML pages and redirects; undefined leaves them unchanged. */
  readonly linkPrefix?: string;
}

/** Forwards a request and its response. An upgrade becomes a tunnel until one side closes. */
export async function forward(forwarding: Forwarding): Promise<void> {
  const { exchange, request, backend, clock } = forwarding;
  const upgrade = exchange instanceof HttpExchange ? exchange.upgrade : undefined;
  const headers = upgrade
    ? { ...request.headers, connection: 'Upgrade', upgrade: exchange.request.headers.upgrade }
    : request.headers;
  const backendRequest = requestBackend(backend, { ...request, headers }, clock);
  const abort = () => backendRequest.destroy();
  exchange.signal.addEventListener('abort', abort, { once: true });
  try {
    const response = responseTo(backendRequest, { isUpgrade: upgrade !== undefined });
    if (upgrade) backendRequest.end();
    else requestBody(exchange.request).pipe(backendRequest);
    const result = await response.catch((error: Error) => {
      if (exchange.signal.aborted) throw error;
      if (error instanceof UnrequestedUpgrade) throw forwarding.rejectUpgrade(error.message);
      throw forwarding.unreachable(connectionErrorText(error, backend));
    });
    if ('socket' in result && exchange instanceof HttpExchange) {
      await tunnel(exchange, result);
      return;
    }
    const rejection = forwarding.rejectResponse?.(result.response);
    if (rejection) throw rejection;
    await sendBackendResponse(forwarding, result.response);
  } finally {
    exchange.signal.removeEventListener('abort', abort);
    backendRequest.destroy();
  }
}

/**
 * The response of the backend, with its connection if it accepted an upgrade. Rejects with UnrequestedUpgrade if the backend
 * switches protocols although the request is not an upgrade.
 */
function responseTo(
  backendRequest: ClientRequest,
  { isUpgrade }: { readonly isUpgrade: boolean },
): Promise<UpgradeResponse | { readonly response: IncomingMessage }> {
  return new Promise((resolve, reject) => {
    backendRequest.on('error', reject);
    backendRequest.once('response', (response) => {
      // A 101 without the headers of an upgrade has no connection.
      if (isUpgrade || response.statusCode !== 101) return resolve({ response });
      reject(
        new UnrequestedUpgrade('internal error: 101 switching protocols response with non-writable body'),
      );
    });
    backendRequest.once('upgrade', (response, socket, head) => {
      if (isUpgrade) return resolve({ response, socket, head });
      socket.destroy();
      reject(new UnrequestedUpgrade(unrequestedUpgradeText(response.headers.upgrade ?? '')));
    });
  });
}

class UnrequestedUpgrade extends Error {}

/** Go's texts (httputil.ReverseProxy). Node reads header values as latin1. */
function unrequestedUpgradeText(protocol: string): string {
  const name = quoteBytes(Buffer.from(protocol, 'latin1'));
  return /^[\x20-\x7e]*$/.test(protocol)
    ? `backend tried to switch protocol ${name} when "" was requested`
    : `backend tried to switch to invalid protocol ${name}`;
}

async function sendBackendResponse(forwarding: Forwarding, backendResponse: IncomingMessage): Promise<void> {
  const { exchange, backend, linkPrefix } = forwarding;
  const linkBase: LinkBase | undefined =
    linkPrefix === undefined ? undefined : { prefix: linkPrefix, authority: authorityOf(backend) };
  const headers = backendResponseHeaders(backendResponse.rawHeaders, (name, value) =>
    linkBase && name === 'location' ? rewriteLink(value, linkBase) : value,
  );
  const isRewrittenPage = linkBase !== undefined && isPlainHtml(backendResponse);
  let omittedNames: readonly string[] = [];
  // Rewriting links changes the length of a page.
  if (isRewrittenPage) omittedNames = ['content-length'];
  else if (forwarding.isAggregated) omittedNames = ownHeaderNames(exchange);
  const cacheControl = forwarding.isAggregated ? backendResponse.headers['cache-control'] : undefined;
  writeHead(
    exchange,
    backendResponse.statusCode ?? 502,
    [...withoutHeaders(headers, omittedNames), ...(isPlainHttp(exchange) ? sandboxHeader : [])],
    // An empty header counts as absent.
    cacheControl || undefined,
  );
  flushHead(exchange.response);
  const body = bodyOf(exchange.response);
  if (isRewrittenPage) await pipeline(backendResponse, new LinkRewriter(linkBase), body);
  else await pipeline(backendResponse, body);
}

/**
 * On the plain port of `orch dev` requests without credentials run as cluster admin, and a page from a pod has the origin
 * of the API. In a sandbox it runs no scripts and has no origin.
 */
const sandboxHeader = ['Content-Security-Policy', 'sandbox'];

/** HTTP/2 is served over TLS only. */
function isPlainHttp({ request }: Exchange): boolean {
  return request.httpVersionMajor < 2 && !(request.socket instanceof TLSSocket);
}

/** `headers` alternates names and values; `omittedNames` are in lower case. */
function withoutHeaders(headers: readonly string[], omittedNames: readonly string[]): string[] {
  return headers.filter((_, i) => {
    const name = headers[i - (i % 2)]!;
    return !omittedNames.includes(name.toLowerCase());
  });
}

/** Names of the headers that this server sets. */
function ownHeaderNames({ responseHeaders }: Exchange): string[] {
  const flowControlHeaders = responseHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  return ['audit-id', 'cache-control', ...flowControlHeaders];
}

/** Compressed pages are not rewritten. */
function isPlainHtml({ headers }: IncomingMessage): boolean {
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim();
  return type === 'text/html' && headers['content-encoding'] === undefined;
}
