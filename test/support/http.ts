import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { BearerTokenAuthenticator } from '../../src/auth/bearer-token-authenticator.ts';
import { ClientCertificateAuthenticator } from '../../src/auth/client-certificate-authenticator.ts';
import { PeerCertificates } from '../../src/auth/peer-certificates.ts';
import { bootstrapped } from '../../src/auth/rbac/policy-cache.fixture.ts';
import { TokenFileAuthenticator } from '../../src/auth/token-file.ts';
import { MovableClock } from '../../src/base/clock.ts';
import { orch } from '../../src/dialect/index.ts';
import { HttpServer, type HttpServerOptions } from '../../src/http/http-server.ts';
import { ensurePki, type Pki } from '../../src/pki/ensure-pki.ts';
import { AuthenticatorChain } from '../../src/request/authenticator.ts';
import { negotiate } from '../../src/serializers/negotiate.ts';
import { Serializers } from '../../src/serializers/serializers.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import type { Exchange } from '../../src/transport/exchange.ts';
import { PathTable } from '../../src/transport/path-table.ts';
import { jsonType, sendJsonBytes } from '../../src/transport/response.ts';

export const object = Buffer.from('{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}}');
/** As received. */
export const objectLine = `${object}\n`;
export const configMapPath = '/api/v1/namespaces/default/configmaps/a';

export interface HttpResponse {
  readonly code: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

export interface TestRequest {
  readonly method?: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string | Buffer;
  /** Undefined: no token is sent. */
  readonly token?: string | undefined;
  readonly plain?: boolean;
  readonly cert?: { readonly certificate: string; readonly key: string };
  /** Aborting it disconnects the client. */
  readonly signal?: AbortSignal;
}

/** Sends raw requests to both ports of a server. */
export abstract class PortsClient {
  plainPort = 0;
  securePort = 0;
  /** PEM of the CA of the serving certificate. */
  abstract readonly ca: string;

  /** Sends one HTTP/1.1 request on its own connection. */
  ask(path: string, asked: TestRequest = {}): Promise<HttpResponse> {
    const { method = 'GET', headers = {}, body, plain = false, cert, signal } = asked;
    const token = 'token' in asked ? asked.token : 'admin-token';
    const request = (plain ? http : https).request({
      host: '127.0.0.1',
      port: plain ? this.plainPort : this.securePort,
      path,
      method,
      agent: false,
      headers: { ...(token !== undefined && !plain && { authorization: `Bearer ${token}` }), ...headers },
      ca: this.ca,
      ...(cert && { cert: cert.certificate, key: cert.key }),
      ...(signal && { signal }),
    });
    return new Promise((resolve, reject) => {
      request.once('error', reject);
      request.once('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const whole = Buffer.concat(chunks);
          resolve({
            code: response.statusCode ?? 0,
            headers: response.headers,
            body: whole,
            text: whole.toString(),
          });
        });
      });
      request.end(body);
    });
  }

  /** A raw connection, for requests that no client library sends. */
  async raw(plain = false, protocol = 'http/1.1'): Promise<Socket> {
    if (plain) {
      const socket = connectTcp(this.plainPort, '127.0.0.1');
      await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
      return socket;
    }
    const socket = connectTls({
      port: this.securePort,
      host: '127.0.0.1',
      ca: this.ca,
      ALPNProtocols: [protocol],
    });
    await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
    return socket;
  }
}

/** Long enough for a loaded machine, and short enough for a test. */
export const shortTimeouts = {
  headersTimeoutMs: 1_500,
  requestTimeoutMs: 3_000,
  idleTimeoutMs: 2_000,
  handshakeTimeoutMs: 1_500,
};

/** The HTTP layer alone, on both ports, with handlers that a test chooses. Opened before and closed after the tests. */
export class HttpFixture extends PortsClient {
  readonly clock = new MovableClock();
  readonly table = new PathTable();
  pki!: Pki;
  server!: HttpServer;
  /** The handler of resource requests. */
  handle: (exchange: Exchange) => void | Promise<void> = (exchange) => {
    const { pretty } = negotiate(exchange, { mediaTypes: [jsonType], routeTypes: [jsonType] });
    return sendJsonBytes(exchange, 200, object, pretty);
  };
  readonly #options: Partial<HttpServerOptions>;

  constructor(options: Partial<HttpServerOptions> = {}) {
    super();
    this.#options = options;
    let dir = '';
    before(async () => {
      dir = await mkdtemp(join(tmpdir(), 'orch-http-'));
      this.pki = await ensurePki({
        dir,
        serverName: 'test',
        hostNames: ['localhost', '127.0.0.1'],
        admin: { user: 'chief', groups: ['system:masters', 'crew'] },
        now: Date.now(),
      });
      await this.open();
    });
    after(async () => {
      await this.server.close();
      await rm(dir, { recursive: true });
    });
  }

  get ca(): string {
    return this.pki.ca.certificate;
  }

  async open(): Promise<void> {
    this.server = new HttpServer({
      authenticators: new AuthenticatorChain([
        new ClientCertificateAuthenticator({
          peers: new PeerCertificates(this.clock),
          clientCa: () => undefined,
          credentialKey: orch.userExtra.credentialId,
          readsUid: true,
        }),
        new BearerTokenAuthenticator(
          [],
          [new TokenFileAuthenticator('admin-token,admin,1,"system:masters"\nalice-token,alice,2', 'tokens')],
        ),
      ]),
      authorizer: (await bootstrapped()).authorizer,
      anonymousAuth: true,
      authenticationGroup: orch.groupName('authentication'),
      clock: this.clock,
      logger: silentLogger,
      refresh: async () => false,
      serializers: new Serializers(orch, { isCborServed: false }),
      observers: [],
      requestTimeoutMs: 60_000,
      maxRequestsInflight: 400,
      maxMutatingRequestsInflight: 200,
      closesAnonymousHttp2: true,
      bearerProtocolPrefix: 'base64url.bearer.authorization.orch.io.',
      handleResource: (exchange) => this.handle(exchange),
      handlePath: (exchange) => this.table.handle(exchange),
      ...this.#options,
    });
    this.plainPort = (await this.server.listenPlain('127.0.0.1', 0)).port;
    const { certificate, key } = this.pki.serving;
    const tls = { certificate, key, clientCa: this.pki.ca.certificate };
    this.securePort = (await this.server.listenSecure('127.0.0.1', 0, tls)).port;
  }
}

/** Everything that a connection receives until it is closed. */
export function untilClosed(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.once('close', () => resolve(text));
  });
}
