// Requests with an Upgrade header: WebSocket subprotocols, and the bearer token among them.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A request to upgrade to WebSocket, or to a protocol that is proxied. */
export interface Upgrade {
  readonly socket: Socket;
  /** Bytes that followed the request head. */
  readonly head: Buffer;
  /** The negotiated WebSocket subprotocol. */
  readonly protocol: string | undefined;
  /** The bearer token among the offered subprotocols: a browser cannot set an Authorization header. */
  readonly token: string | undefined;
}

/** Reads the subprotocols of a WebSocket handshake. `bearerPrefix` marks the one that carries a token. */
export function readUpgrade(
  request: IncomingMessage,
  socket: Socket,
  head: Buffer,
  bearerPrefix: string,
): Upgrade {
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const bearer = offered.find((name) => name.startsWith(bearerPrefix));
  const protocol = offered.find((name) => name !== '' && !name.startsWith(bearerPrefix));
  // The response names one of the offered subprotocols. A token that is the only one would be sent back, so it is ignored.
  const token =
    bearer && protocol
      ? Buffer.from(bearer.slice(bearerPrefix.length), 'base64url').toString('utf8')
      : undefined;
  return { socket, head, protocol, token };
}

export function isWebSocketUpgrade(request: IncomingMessage): boolean {
  return request.method === 'GET' && request.headers.upgrade?.toLowerCase() === 'websocket';
}

/** The headers that request the upgrade. */
const upgradeHeaders = new Set(['connection', 'upgrade', 'http2-settings']);

/**
 * Node emits `upgrade` for every request with an Upgrade header. Requests that are served without one are written back
 * to the socket as plain requests, and their connection closes after the response.
 */
export function encodeWithoutUpgrade(request: IncomingMessage, head: Buffer): Buffer {
  let text = `${request.method} ${request.url} HTTP/${request.httpVersion}\r\n`;
  for (let i = 0; i < request.rawHeaders.length; i += 2) {
    const name = request.rawHeaders[i]!;
    if (!upgradeHeaders.has(name.toLowerCase())) text += `${name}: ${request.rawHeaders[i + 1]}\r\n`;
  }
  return Buffer.concat([Buffer.from(`${text}Connection: close\r\n\r\n`, 'latin1'), head]);
}
