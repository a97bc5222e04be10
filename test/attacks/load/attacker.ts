// One attacker of the load test: a user with one connection, and sockets for what HTTP clients do not do.
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { LoadClient, type LoadRequest, type LoadResponse } from './client.ts';
import type { Rights } from './users.ts';

/** A kind of attack that ten users repeat. */
export interface LoadKind {
  readonly name: string;
  readonly rights: Rights;
  /** Creates what the attack needs. */
  prepare?(admin: LoadClient): Promise<void>;
  /** One round of one attacker; it ends when the server has answered. */
  attack(attacker: Attacker): Promise<void>;
}

export class Attacker {
  readonly index: number;
  readonly token: string;
  /** Counts a request by its outcome. */
  readonly count: (outcome: string) => void;
  readonly url: string;
  readonly #client: LoadClient;
  readonly #sockets = new Set<TLSSocket>();
  /** Rounds so far, for unique names. */
  round = 0;

  constructor(url: string, token: string, index: number, count: (outcome: string) => void) {
    this.index = index;
    this.token = token;
    this.count = count;
    this.url = url;
    this.#client = new LoadClient(url, token);
  }

  /** A name that no other request uses. */
  uniqueName(): string {
    return `a${this.index}-${this.round++}`;
  }

  async send(request: LoadRequest): Promise<number> {
    const status = await this.#client.status(request);
    this.count(String(status));
    return status;
  }

  async read(request: LoadRequest): Promise<LoadResponse> {
    const response = await this.#client.send(request);
    this.count(String(response.status));
    return response;
  }

  /** Sends a request on a connection of its own, and closes it before the response. */
  async hangUp(
    { method = 'GET', path, headers = {}, body = '' }: LoadRequest,
    afterMs: number,
  ): Promise<void> {
    const socket = await this.connect();
    const head = Object.entries({
      host: 'localhost',
      authorization: `Bearer ${this.token}`,
      'content-length': String(Buffer.byteLength(body)),
      ...headers,
    });
    const lines = [`${method} ${path} HTTP/1.1`, ...head.map(([name, value]) => `${name}: ${value}`)];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    await new Promise<void>((resolve) => {
      socket.once('close', resolve);
      socket.write(body, () => resolve());
    });
    await sleep(afterMs);
    socket.destroy();
    this.count('hung up');
  }

  /** A TLS connection; it is closed at the end of the run. */
  async connect(protocol = 'http/1.1'): Promise<TLSSocket> {
    const { hostname: host, port } = new URL(this.url);
    const socket = connect({
      host,
      port: Number(port),
      rejectUnauthorized: false,
      ALPNProtocols: [protocol],
    });
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve);
      socket.once('close', () => reject(new Error('connection closed')));
    });
    return socket;
  }

  close(): void {
    this.#client.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
