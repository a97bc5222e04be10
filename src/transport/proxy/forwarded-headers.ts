// Headers of a proxied request and of its response: hop-by-hop headers and credentials are removed.
import type { OutgoingHttpHeaders } from 'node:http';
import { type IdentityHeaders, isIdentityHeader } from '../../request/identity-headers.ts';
import type { Exchange } from '../exchange.ts';

/** Hop-by-hop headers: they apply to one connection only. */
const hopByHop = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);
/** The client's credentials, and headers that would name a user to the backend. */
const identityHeaderNames = /^(authorization|x-remote-.*|impersonate-.+)$/;

/**
 * The request headers for the backend: without credentials and hop-by-hop headers. `bearerPrefix` marks the WebSocket
 * subprotocol that carries a token; `identityHeaders` are those of authenticating proxies (--requestheader-*).
 */
export function forwardedHeaders(
  { request }: Exchange,
  bearerPrefix: string,
  identityHeaders: IdentityHeaders,
): OutgoingHttpHeaders {
  const headers: Record<string, string[]> = Object.create(null);
  const connectionHeaders = new Set(tokensIn(request.headers.connection));
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const rawName = request.rawHeaders[i]!;
    // HTTP/2 has pseudo-headers; :authority is its Host.
    const name = rawName === ':authority' ? 'host' : rawName.toLowerCase();
    if (name.startsWith(':') || hopByHop.has(name) || connectionHeaders.has(name)) continue;
    if (identityHeaderNames.test(name) || isIdentityHeader(name, identityHeaders)) continue;
    const value = request.rawHeaders[i + 1]!;
    const forwarded = name === 'sec-websocket-protocol' ? withoutToken(value, bearerPrefix) : value;
    if (forwarded !== '') headers[name] = [...(headers[name] ?? []), forwarded];
  }
  const clientAddress = request.socket?.remoteAddress ?? '';
  headers['x-forwarded-for'] = [[...(headers['x-forwarded-for'] ?? []), clientAddress].join(', ')];
  const { host, ...otherHeaders } = headers;
  return { ...(host && { host: host[0] }), ...otherHeaders };
}

/** Drops the WebSocket subprotocol that carries a bearer token. */
function withoutToken(protocols: string, bearerPrefix: string): string {
  return protocols
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => !protocol.startsWith(bearerPrefix))
    .join(', ');
}

/** The values of a comma-separated header, in lower case. */
function tokensIn(header: string | undefined): string[] {
  return (header ?? '').split(',').map((word) => word.trim().toLowerCase());
}

/** CORS headers: a backend must not open this server's origin to other sites. */
const corsHeaders = /^access-control-allow-(?:origin|credentials|methods|headers)$/;

/** The response headers for the client (alternating names and values). Node sets the Date itself. */
export function backendResponseHeaders(
  rawHeaders: readonly string[],
  rewrite: (name: string, value: string) => string,
) {
  const headers: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    const lowerName = name.toLowerCase();
    if (hopByHop.has(lowerName) || lowerName === 'date' || corsHeaders.test(lowerName)) continue;
    headers.push(name, rewrite(lowerName, rawHeaders[i + 1]!));
  }
  return headers;
}
