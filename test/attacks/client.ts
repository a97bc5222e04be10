// Clients of the attack suite: honest requests by an admin, and connections that send any bytes.
import { once } from 'node:events';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { type Answer, exchange, type Server } from '../parity/client.ts';

/** A request of the cluster admin, with an object as its body. */
export function send(server: Server, method: string, path: string, object?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const body = object && { body: Buffer.from(JSON.stringify(object)) };
  return exchange(server, { method, path, headers, ...body });
}

/** The same for a step of the setup, which must succeed. */
export async function setUp(server: Server, method: string, path: string, object?: object): Promise<Answer> {
  const answer = await send(server, method, path, object);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
  return answer;
}

/** A TLS connection, whose errors are ignored: servers may close it at any time. */
export async function dial({ url }: Server, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({
    host: url.hostname,
    port: Number(url.port),
    rejectUnauthorized: false,
    ...options,
  });
  await once(socket, 'secureConnect');
  socket.on('error', () => {});
  return socket;
}
