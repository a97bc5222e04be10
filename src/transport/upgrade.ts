// Requests with an Upgrade header: WebSocket subprotocols and tokens.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A request that asks to become a WebSocket, or another protocol where it is passed on. */
export interface Upgrade {
  readonly socket: Socket;
  /** What came after the request's headers. */
  readonly head: Buffer;
  /** The subprotocol to answer with. */
  readonly protocol: string | undefined;
  /** The bearer token among the offered subprotocols: a browser cannot send one in a header. */
  readonly token: string | undefined;
}

/** Reads what a WebSocket client offers. `bearerPrefix` is what its token's subprotocol begins with. */
export function readUpgrade(
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
  bearerPrefix: string,
): Upgrade {
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const bearer = offered.find((name) => name.startsWith(bearerPrefix));
  const protocol = offered.find((name) => name !== '' && !name.startsWith(bearerPrefix));
  // A token without a subprotocol to answer with would be echoed to the world: it does not count.
  const token =
    bearer && protocol
      ? Buffer.from(bearer.slice(bearerPrefix.length), 'base64url').toString('utf8')
      : undefined;
  return { socket, head, protocol, token };
}

export function asksForWebSocket(request: IncomingMessage): boolean {
  return request.method === 'GET' && request.headers.upgrade?.toLowerCase() === 'websocket';
}

const hopByHop = new Set(['connection', 'upgrade', 'http2-settings']);

/**
 * Node treats every request with an `Upgrade` header as one once it may upgrade any. Those that we answer as if it were
 * not there are put back as plain requests, to be read again: once for each connection, which then ends.
 */
export function withoutUpgrade(request: IncomingMessage, head: Buffer): Buffer {
  let text = `${request.method} ${request.url} HTTP/${request.httpVersion}\r\n`;
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = request.rawHeaders[i]!;
    if (!hopByHop.has(name.toLowerCase())) text += `${name}: ${request.rawHeaders[i + 1]}\r\n`;
  }
  return Buffer.concat([Buffer.from(`${text}Connection: close\r\n\r\n`, 'latin1'), head]);
}
