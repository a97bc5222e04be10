import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { ensurePki } from '../../src/pki/ensure-pki.ts';

/** A non-loopback address of this machine; proxies reject loopback. */
export const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

/** A request as the backend received it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The subject of the client certificate. */
  readonly client: string | undefined;
}

/** An HTTPS server as kubelet, and a plain HTTP server as a container of a pod. */
export class Kubelet {
  readonly seen: ReceivedRequest[] = [];
  /** Handles a request; a test may replace it. */
  answer: (request: IncomingMessage, response: ServerResponse) => void = (request, response) => {
    response.setHeader('content-type', 'text/plain');
    response.end(`you asked ${request.method} ${request.url}\n`);
  };
  /** Accepts an upgrade and echoes its input in capitals; a test may replace it. */
  upgrade: (request: IncomingMessage, socket: Duplex) => void = (request, socket) => {
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${request.headers.upgrade}\r\n\r\n`,
    );
    socket.write('ready\n');
    socket.on('data', (data: Buffer) => socket.write(data.toString().toUpperCase()));
    socket.on('end', () => socket.end());
    socket.on('error', () => {});
  };
  readonly files: {
    certificate: string;
    key: string;
    authority: string;
    /** Its serving certificate. */
    own: string;
    otherAuthority: string;
    tokens: string;
  };
  readonly #servers: (http.Server | https.Server)[];
  readonly #folder: string;
  readonly #sockets = new Set<Duplex>();

  static async start(): Promise<Kubelet> {
    const folder = await mkdtemp(join(tmpdir(), 'orch-kubelet-'));
    const make = (dir: string) =>
      ensurePki({
        dir: join(folder, dir),
        serverName: 'kubelet',
        hostNames: ['localhost', '127.0.0.1', ...(ownAddress ? [ownAddress] : [])],
        admin: { user: 'the-server', groups: ['nodes'] },
        now: Date.now(),
      });
    const [pki, other] = await Promise.all([make('pki'), make('other')]);
    const file = async (name: string, pem: string) => {
      await writeFile(join(folder, name), pem);
      return join(folder, name);
    };
    const files = {
      certificate: await file('client.pem', pki.admin.certificate),
      key: await file('client-key.pem', pki.admin.key),
      authority: await file('authority.pem', pki.ca.certificate),
      own: await file('own.pem', pki.serving.certificate),
      otherAuthority: await file('other.pem', other.ca.certificate),
      tokens: await file('tokens.csv', 'secret,admin,1,system:masters\n'),
    };
    const tls = https.createServer({
      cert: pki.serving.certificate,
      key: pki.serving.key,
      ca: pki.ca.certificate,
      requestCert: true,
      rejectUnauthorized: false,
    });
    const kubelet = new Kubelet(folder, files, [tls, http.createServer()]);
    await Promise.all(
      kubelet.#servers.map((server) => new Promise<void>((done) => server.listen(0, '0.0.0.0', done))),
    );
    return kubelet;
  }

  private constructor(folder: string, files: Kubelet['files'], servers: (http.Server | https.Server)[]) {
    this.#folder = folder;
    this.files = files;
    this.#servers = servers;
    for (const server of servers) {
      server.on(
        'request',
        (request: IncomingMessage, response: ServerResponse) => void this.#serve(request, response),
      );
      server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
        this.#saw(request, '');
        this.#sockets.add(socket);
        this.upgrade(request, socket);
      });
    }
  }

  get port(): number {
    return (this.#servers[0]!.address() as AddressInfo).port;
  }

  /** The port of the container. */
  get podPort(): number {
    return (this.#servers[1]!.address() as AddressInfo).port;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    this.#saw(request, body);
    this.answer(request, response);
  }

  #saw(request: IncomingMessage, body: string): void {
    const { method = '', url = '', headers } = request;
    const socket = request.socket as TLSSocket;
    const name = socket.encrypted ? socket.getPeerCertificate().subject?.CN : undefined;
    const client = name === undefined ? undefined : String(name);
    this.seen.push({ method, url, headers, body, client });
  }

  last(): ReceivedRequest {
    return this.seen.at(-1)!;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
    await rm(this.#folder, { recursive: true });
  }
}

/** A raw connection to a server, for protocols without a client library here. */
export class RawClient {
  readonly socket: Socket;
  readonly #host: string;
  #text = '';
  #wake = () => {};

  constructor(url: string) {
    const { host, hostname, port } = new URL(url);
    this.#host = host;
    this.socket = connect(Number(port), hostname);
    this.socket.setEncoding('utf8').on('data', (text: string) => {
      this.#text += text;
      this.#wake();
    });
    this.socket.on('error', () => {});
    this.socket.once('close', () => this.#wake());
  }

  send(method: string, path: string, headers: Record<string, string>): void {
    const lines = Object.entries({ host: this.#host, connection: 'Upgrade', ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    this.socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  }

  /** All received data, once it ends with this text. */
  async until(end: string): Promise<string> {
    while (!this.#text.includes(end)) {
      if (this.socket.destroyed) throw new Error(`closed after ${JSON.stringify(this.#text)}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const at = this.#text.indexOf(end) + end.length;
    const text = this.#text.slice(0, at);
    this.#text = this.#text.slice(at);
    return text;
  }

  async closed(): Promise<void> {
    while (!this.socket.destroyed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
