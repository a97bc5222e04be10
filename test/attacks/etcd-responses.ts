// Attacks by etcd: a proxy between the server and a real etcd forges responses for a while, then is honest again.
import {
  type ClientHttp2Session,
  connect,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { findEtcd, TestEtcd } from '../../src/store/etcd/etcd.fixture.ts';
import { exchange, type Server } from '../parity/client.ts';
import { startOrch } from '../parity/servers.ts';
import type { Attack, AttackClass } from './attack.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const megabyte = 1024 * 1024;
/** Writes that are sent while etcd is hostile. */
const concurrency = 10;
const recoveryMs = 30_000;

type Forgery = (stream: ServerHttp2Stream) => void;

const grpcHeaders = { ':status': 200, 'content-type': 'application/grpc' };

function respond(stream: ServerHttp2Stream, bytes: Buffer, trailers: Record<string, string> = {}): void {
  stream.respond(grpcHeaders, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0', ...trailers }));
  stream.end(bytes);
}

/** A gRPC message; `length` is what its prefix claims. */
function framed(message: Buffer, length = message.length, isCompressed = false): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = isCompressed ? 1 : 0;
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, message]);
}

/** A response with only a header, whose revision (field 3) is this varint. */
function headerWith(...varint: number[]): Buffer {
  return framed(Buffer.from([0x0a, varint.length + 1, 0x18, ...varint]));
}

const fail = (stream: ServerHttp2Stream, headers: Record<string, string>) =>
  stream.respond({ ...grpcHeaders, ...headers }, { endStream: true });

const forgeries: Readonly<Record<string, Forgery>> = {
  'a message that is garbage': (stream) => respond(stream, framed(Buffer.alloc(1000, 0xff))),
  'bytes that are no gRPC': (stream) => respond(stream, Buffer.from('<html>not gRPC</html>')),
  'an empty response': (stream) => respond(stream, Buffer.alloc(0)),
  'an empty message': (stream) => respond(stream, framed(Buffer.alloc(0))),
  'a length of 4 GB': (stream) => respond(stream, framed(Buffer.alloc(10), 0xffffffff)),
  'a message of 100 MB': (stream) => respond(stream, framed(Buffer.alloc(100 * megabyte))),
  'a message that is cut off': (stream) => respond(stream, framed(Buffer.alloc(10), 1000)),
  'a compressed message': (stream) => respond(stream, framed(Buffer.alloc(10), 10, true)),
  'revision 0': (stream) => respond(stream, headerWith(0)),
  'revision 1': (stream) => respond(stream, headerWith(1)),
  'a revision of 2^63': (stream) =>
    respond(stream, headerWith(0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1)),
  'a varint without an end': (stream) =>
    respond(stream, framed(Buffer.from([0x0a, 12, 0x18, ...Array(11).fill(0xff)]))),
  'a malformed grpc-message in headers': (stream) =>
    fail(stream, { 'grpc-status': '2', 'grpc-message': '%zz%' }),
  'a malformed grpc-message in trailers': (stream) =>
    respond(stream, Buffer.alloc(0), { 'grpc-status': '14', 'grpc-message': '%e0%a4%a' }),
  'a grpc-status that is no number': (stream) => fail(stream, { 'grpc-status': 'x', 'grpc-message': 'x' }),
  'a grpc-message of 30 KB': (stream) =>
    fail(stream, { 'grpc-status': '2', 'grpc-message': 'x'.repeat(30_000) }),
  'an HTTP status of 500': (stream) => stream.respond({ ':status': 500 }, { endStream: true }),
  'a redirect': (stream) =>
    stream.respond({ ':status': 302, location: 'http://127.0.0.1:1/' }, { endStream: true }),
  'a reset stream': (stream) => stream.close(2),
  'a refused stream': (stream) => stream.close(7),
  'a closed connection': (stream) => stream.session?.destroy(),
  'no response': () => {},
};

export const etcdResponses: AttackClass = {
  name: 'etcd responses',
  sides: ['orch'],
  async prepare({ undo }) {
    const found = findEtcd();
    if ('missing' in found) throw new Error(found.missing);
    const etcd = await TestEtcd.start(found.program);
    undo.push(() => etcd.stop());
    const proxy = await EtcdProxy.start(etcd.url);
    undo.push(() => proxy.close());
    const server = await startOrch('etcd', 'defaults', undo, { 'etcd-servers': proxy.url });
    undo.push(async () => server.agent.destroy());
    const attacks = Object.entries(forgeries).map(([name, forgery]) =>
      attackWith(server, proxy, name, forgery),
    );
    return { target: server, attacks, honestPath: '/version' };
  },
};

function attackWith(server: Server, proxy: EtcdProxy, name: string, forgery: Forgery): Attack {
  return {
    name,
    async run() {
      proxy.startForging(forgery);
      try {
        await Promise.all(Array.from({ length: concurrency }, () => create(server)));
      } finally {
        proxy.stopForging();
      }
      const end = performance.now() + recoveryMs;
      while ((await create(server)) !== 201) {
        if (performance.now() > end) throw new Error('no write succeeds after etcd is honest again');
        await sleep(100);
      }
    },
  };
}

async function create(server: Server): Promise<number> {
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const body = Buffer.from('{"metadata":{"generateName":"attacked-"}}');
  return (await exchange(server, { method: 'POST', path: configMaps, headers, body })).status;
}

/** Forwards gRPC to etcd, or forges the responses. */
class EtcdProxy {
  #forgery: Forgery | undefined;
  readonly #server = createServer();
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #etcd: ClientHttp2Session;

  private constructor(etcdUrl: string) {
    this.#etcd = connect(etcdUrl);
    this.#etcd.on('error', () => {});
    this.#server.on('session', (session) => {
      this.#sessions.add(session);
      session.on('error', () => {});
      session.once('close', () => this.#sessions.delete(session));
    });
    this.#server.on('stream', (stream, headers) => {
      stream.on('error', () => {});
      if (!this.#forgery) return this.#forward(stream, headers);
      stream.resume();
      this.#forgery(stream);
    });
  }

  static async start(etcdUrl: string): Promise<EtcdProxy> {
    const proxy = new EtcdProxy(etcdUrl);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Closes all connections, so that watches are opened again and forged, too. */
  startForging(forgery: Forgery): void {
    this.#forgery = forgery;
    for (const session of this.#sessions) session.destroy();
  }

  stopForging(): void {
    this.#forgery = undefined;
  }

  #forward(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const { ':authority': _authority, ...rest } = headers;
    const call = this.#etcd.request(rest);
    stream.pipe(call);
    stream.once('close', () => call.close());
    call.on('error', () => stream.close());
    let trailers: IncomingHttpHeaders = {};
    call.on('trailers', (received) => {
      trailers = received;
    });
    call.on('response', (response) => {
      if (stream.destroyed) return;
      stream.respond(response, { waitForTrailers: true });
      stream.once('wantTrailers', () => stream.sendTrailers(trailers));
      call.pipe(stream);
    });
  }

  async close(): Promise<void> {
    this.#etcd.destroy();
    for (const session of this.#sessions) session.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
