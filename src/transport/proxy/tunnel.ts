// Tunnel of an upgraded connection (101 Switching Protocols) between the client and the backend.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpExchange } from '../exchange.ts';
import { ServerResponse } from '../node-http.ts';

/** A backend's 101 Switching Protocols. */
export interface UpgradeResponse {
  readonly response: IncomingMessage;
  readonly socket: IncomingMessage['socket'];
  /** Bytes of the new protocol that came with the response head. */
  readonly head: Buffer;
}

/** Connects an upgraded client and backend until one of them closes. */
export async function tunnel(exchange: HttpExchange, backend: UpgradeResponse): Promise<void> {
  const { response, upgrade } = exchange;
  if (!upgrade || !(response instanceof ServerResponse)) {
    backend.socket.destroy();
    throw new Error('the request has no Upgrade header');
  }
  const { socket: client, head } = upgrade;
  response.statusCode = 101;
  exchange.audit?.responseStarted(101);
  response.detachSocket(client);
  client.write(switchingProtocols(backend.response.rawHeaders));
  client.write(backend.head);
  backend.socket.write(head);
  await pipeBothWays(client, backend.socket, exchange.signal);
}

function switchingProtocols(rawHeaders: readonly string[]): string {
  let text = 'HTTP/1.1 101 Switching Protocols\r\n';
  for (let i = 0; i < rawHeaders.length; i += 2) text += `${rawHeaders[i]}: ${rawHeaders[i + 1]}\r\n`;
  return `${text}\r\n`;
}

/** Pipes both ways; when one side closes, so does the other. */
function pipeBothWays(a: Duplex, b: Duplex, signal: AbortSignal): Promise<void> {
  const sides = [a, b];
  const close = () => {
    for (const side of sides) side.destroy();
  };
  signal.addEventListener('abort', close, { once: true });
  a.pipe(b);
  b.pipe(a);
  for (const side of sides) side.on('error', close);
  const closed = sides.map((side) => new Promise<void>((resolve) => side.once('close', resolve)));
  // A side may still be sending when the other has closed.
  a.once('close', () => b.destroy());
  b.once('close', () => a.destroy());
  return Promise.all(closed).then(() => signal.removeEventListener('abort', close));
}
