// Clients of the attack suite: honest requests by an admin, and connections that send any bytes.
import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2, type OutgoingHttpHeaders } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
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

const floodBytes = 64 * 1024 * 1024;

/** Sends the same bytes again and again, as long as the server reads, up to a limit. */
export async function flood(socket: TLSSocket, bytes: Buffer, timeoutMs: number): Promise<void> {
  const end = performance.now() + timeoutMs;
  for (let sent = 0; sent < floodBytes && performance.now() < end; sent += bytes.length) {
    if (socket.destroyed) return;
    if (!socket.write(bytes)) await untilWritable(socket, end - performance.now());
  }
}

/** Resolves when the connection takes more bytes, is closed, or after the timeout. */
export async function untilWritable(socket: TLSSocket, timeoutMs: number): Promise<void> {
  const done = new AbortController();
  const { signal } = done;
  const events = [
    once(socket, 'drain', { signal }),
    once(socket, 'close', { signal }),
    sleep(Math.max(0, timeoutMs), undefined, { signal }),
  ];
  await Promise.race(events.map((event) => event.catch(() => {})));
  done.abort();
}

const http2TimeoutMs = 10_000;

/** Sends any headers over HTTP/2, on one connection for as long as the server keeps it. */
export class Http2Client {
  readonly #server: Server;
  #session: ClientHttp2Session | undefined;

  constructor(server: Server) {
    this.#server = server;
  }

  /** Status 0: the server, or the client library, reset the stream. */
  request(headers: OutgoingHttpHeaders, body?: Buffer): Promise<Pick<Answer, 'status' | 'body'>> {
    return new Promise((resolve) => {
      const answer = { status: 0, body: '' };
      try {
        const stream = this.#open().request(headers, { endStream: body === undefined });
        stream.setTimeout(http2TimeoutMs, () => stream.close());
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          answer.body += chunk;
        });
        stream.on('response', (received) => {
          answer.status = Number(received[':status']);
        });
        stream.on('error', () => {});
        stream.once('close', () => resolve(answer));
        if (body) stream.end(body);
      } catch {
        resolve(answer);
      }
    });
  }

  close(): void {
    this.#session?.destroy();
  }

  #open(): ClientHttp2Session {
    if (this.#session && !this.#session.closed && !this.#session.destroyed) return this.#session;
    this.#session = connectHttp2(this.#server.url, { rejectUnauthorized: false });
    this.#session.on('error', () => {});
    return this.#session;
  }
}
