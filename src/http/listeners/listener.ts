// A listening port: plain HTTP/1.1 on loopback, or TLS with HTTP/2 and HTTP/1.1.
import { constants as cryptoConstants } from 'node:crypto';
import {
  createSecureServer,
  type Http2SecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo, Socket } from 'node:net';
import { type SecureContext, type SecureContextOptions, TLSSocket } from 'node:tls';
import { expensiveRequests } from '../../base/cooperative-yield.ts';
import { supportedUpgrade } from '../../request/request-info.ts';
import type { Logger } from '../../telemetry/log.ts';
import { Http2Request } from '../../transport/http2-request.ts';
import { Http2Response } from '../../transport/http2-response.ts';
import {
  isLingering,
  lingerOnConnection,
  lingerOnStream,
  lingerUntilClosed,
} from '../../transport/linger.ts';
import {
  createServer,
  type IncomingMessage,
  type Server,
  ServerResponse,
} from '../../transport/node-http.ts';
import { keepPeerChains } from '../../transport/peer-chain.ts';
import { abortResponse } from '../../transport/response.ts';
import { encodeWithoutUpgrade, isWebSocketUpgrade, readUpgrade } from '../../transport/upgrade.ts';
import type { FilterChain, ListenerInfo } from '../filters/chain.ts';
import { type ConnectionLimits, http1Options, http2Options } from './connection-limits.ts';
import { Http2Sessions } from './http2-sessions.ts';

export interface TlsMaterial {
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
  /** The CA bundle of client certificates; undefined: none are requested. */
  readonly clientCa: string | undefined;
}

export interface ListenerOptions {
  readonly filters: FilterChain;
  readonly limits: ConnectionLimits;
  readonly logger: Logger;
  /** Marks the WebSocket subprotocol that carries a bearer token. */
  readonly bearerProtocolPrefix: string;
  /** Whether the handler of this path gets any upgrade, such as that of an aggregated API server. */
  isUpgradedPath(path: string): boolean;
}

export class Listener {
  readonly #server: Server | Http2SecureServer;
  readonly #sockets = new Set<Socket>();
  /** HTTP/1.1 and WebSocket connections; with TLS, after the handshake. */
  readonly #http1 = new Set<Socket>();
  readonly #sessions: Http2Sessions;
  #newestSocket: Socket | undefined;
  readonly #limits: ConnectionLimits;
  readonly #plain: boolean;
  #isShutdownAnnounced = false;
  #isDraining = false;
  #closing: Promise<void> | undefined;
  #serverClosed: Promise<unknown> | undefined;
  #info: ListenerInfo = { plainPort: undefined };

  /** Plain HTTP/1.1, for loopback only: requests without credentials run as the developer. */
  static plain(options: ListenerOptions): Listener {
    return new Listener(createServer(http1Options(options.limits)), options, true);
  }

  /** HTTPS with HTTP/2 or HTTP/1.1, by ALPN. */
  static secure(options: ListenerOptions, tls: TlsMaterial): Listener {
    const server = createSecureServer({
      ...http1Options(options.limits),
      ...http2Options(options.limits),
      allowHTTP1: true,
      ...secureContextOptions(tls),
      handshakeTimeout: options.limits.handshakeTimeoutMs,
      // An invalid client certificate gets 401 as any invalid credential; the handshake succeeds.
      ...(tls.clientCa !== undefined && { requestCert: true, rejectUnauthorized: false }),
    });
    if (tls.clientCa !== undefined) {
      trustPartialChains(server);
      keepPeerChains(server);
    }
    return new Listener(server, options, false);
  }

  private constructor(server: Server | Http2SecureServer, options: ListenerOptions, plain: boolean) {
    this.#server = server;
    this.#plain = plain;
    this.#limits = options.limits;
    this.#sessions = new Http2Sessions(options.limits.idleTimeoutMs);
    // Older versions of Node read these only as properties of a server that speaks both HTTP/2 and HTTP/1.1.
    Object.assign(server, {
      ...http1Options(options.limits),
      // Node would drop the surplus headers; this server rejects the request.
      maxHeadersCount: 0,
      requireHostHeader: true,
    });
    const emitter: NodeJS.EventEmitter = server;
    emitter.on('request', (request, response) => this.#serve(request, response, options));
    if (!plain) this.#serveStreams(emitter, options);
    emitter.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      this.#onUpgrade(request, socket, head, options, this.#info);
    });
    emitter.on('clientError', (error: ParseError, socket: Socket) => {
      rejectUnparsable(error, socket, this.#limits);
    });
    emitter.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    emitter.on(plain ? 'connection' : 'secureConnection', (socket: Socket) => {
      if (socket instanceof TLSSocket && socket.alpnProtocol === 'h2') return;
      this.#http1.add(socket);
      socket.once('close', () => this.#http1.delete(socket));
    });
    // Node emits 'session' in its own listener of 'secureConnection'.
    emitter.prependListener('secureConnection', (socket: Socket) => {
      this.#newestSocket = socket;
    });
    emitter.on('session', (session: ServerHttp2Session) => {
      this.#sessions.add(session, this.#newestSocket);
      if (this.#isDraining) session.close();
    });
    emitter.on('sessionError', ({ stack }: Error) => {
      // Reading the stack is necessary: until it is formatted, its frames refer to the native session. Node never frees that
      // of a client that has not acknowledged the settings.
      options.logger.verbose(4, { problem: stack }, 'HTTP/2 session failed');
    });
    emitter.on('tlsClientError', (error: Error) => {
      options.logger.verbose(4, { problem: error.message }, 'TLS handshake failed');
    });
  }

  /** Port 0 picks a free one. `reusePort`: other threads listen on the port too. */
  listen(host: string, port: number, reusePort: boolean): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port, reusePort }, () => {
        this.#server.off('error', reject);
        if (this.#plain) this.#info = { plainPort: this.address.port };
        resolve(this.address);
      });
    });
  }

  get address(): AddressInfo {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('the listener is not open');
    return address;
  }

  /** Handshakes use these certificates from now on. Open connections go on with those of their handshake. */
  setTls(tls: TlsMaterial): void {
    const server = this.#server as Http2SecureServer;
    server.setSecureContext(secureContextOptions(tls));
    if (tls.clientCa !== undefined) trustPartialChains(server);
  }

  /**
   * Keeps serving, but makes clients reconnect to another server: HTTP/1.1 connections close after their next response,
   * HTTP/2 clients get GOAWAY.
   */
  announceShutdown(): void {
    this.#isShutdownAnnounced = true;
    this.#sessions.announceShutdown();
  }

  /** Accepts no new connections and closes idle ones. HTTP/2 clients get GOAWAY. */
  stopAccepting(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    // Before it closes: it may be closed when the last socket has not emitted 'close' yet.
    this.#serverClosed = new Promise((resolve) => this.#server.once('close', resolve));
    this.#server.close();
    if ('closeIdleConnections' in this.#server) this.#server.closeIdleConnections();
    for (const session of this.#sessions.all) session.close();
  }

  /** Closes every connection once its pending writes are flushed. HTTP/2 sessions are closing since stopAccepting. */
  async closeGracefully(): Promise<void> {
    const closed = [...this.#http1, ...this.#sessions.all]
      .filter(({ destroyed }) => !destroyed)
      .map((connection) => new Promise((resolve) => connection.once('close', resolve)));
    for (const socket of this.#http1) socket.destroySoon();
    await Promise.all(closed);
  }

  /** Destroys every connection. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    const wasListening = this.#server.listening || this.#isDraining;
    this.stopAccepting();
    for (const session of this.#sessions.all) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
    if (wasListening && this.#sockets.size > 0) await this.#serverClosed;
  }

  /** HTTP/2 requests. Those that must wait are not served if the client has reset their stream by then. */
  #serveStreams(server: NodeJS.EventEmitter, options: ListenerOptions): void {
    // Node's compatibility layer, which a listener of 'request' installs: it creates further objects for each stream.
    server.removeAllListeners('stream');
    server.on(
      'stream',
      (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags, rawHeaders: string[]) => {
        const serve = () => this.#serveStream(stream, headers, rawHeaders, options);
        if (!this.#sessions.mustWait(stream)) {
          serve();
          return;
        }
        // The client may reset the stream at once.
        stream.on('error', ignoreError);
        setImmediate(async () => {
          if (stream.closed) return;
          await expensiveRequests.next();
          if (!stream.closed) serve();
        });
      },
    );
  }

  #serveStream(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    rawHeaders: readonly string[],
    options: ListenerOptions,
  ): void {
    const request = new Http2Request(stream, headers, rawHeaders, this.#sessions.socketOf(stream));
    const response = new Http2Response(stream);
    const { expect } = headers;
    if (request.method === 'CONNECT' || (expect !== undefined && expect !== '100-continue')) {
      response.statusCode = request.method === 'CONNECT' ? 405 : 417;
      response.end();
      return;
    }
    if (expect !== undefined && !response.destroyed) stream.additionalHeaders({ ':status': 100 });
    this.#serve(request, response, options);
  }

  #serve(
    request: IncomingMessage | Http2Request,
    response: ServerResponse | Http2Response,
    options: ListenerOptions,
  ): void {
    if (hasBody(request)) this.#lingerIfIncomplete(request, response);
    if (exceedsHeaderLimits(request.rawHeaders, this.#limits)) {
      sendPlainRejection(response, 431, headersTooLarge);
      return;
    }
    // Before the request is served: Node's parser rejects its body only afterwards.
    if (hasUnknownTransferEncoding(request)) {
      sendPlainRejection(response, 501, 'Unsupported transfer encoding');
      return;
    }
    if (response instanceof ServerResponse && (this.#isShutdownAnnounced || this.#isDraining)) {
      response.shouldKeepAlive = false;
    }
    options.filters.serve(request, response, this.#info).catch((error) => {
      options.logger.error({ err: error }, 'failed to serve a request');
      abortResponse(response);
    });
  }

  /** Reads on if the response is sent before the whole request has arrived; see transport/linger.ts. */
  #lingerIfIncomplete(
    request: IncomingMessage | Http2Request,
    response: ServerResponse | Http2Response,
  ): void {
    if (response instanceof Http2Response) lingerOnStream(response.stream, this.#limits);
    else if (!('stream' in request)) {
      response.prependOnceListener('finish', () => {
        if (!request.complete && !request.socket.destroyed) lingerOnConnection(request, this.#limits);
      });
    }
  }

  #onUpgrade(
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
    options: ListenerOptions,
    listenerInfo: ListenerInfo,
  ): void {
    // Node sets _httpMessage while an earlier, pipelined request has no response yet: the two responses would mix.
    const isPipelined = '_httpMessage' in socket && socket._httpMessage;
    if (
      isPipelined ||
      exceedsHeaderLimits(request.rawHeaders, this.#limits) ||
      hasUnknownTransferEncoding(request)
    ) {
      socket.destroy();
      return;
    }
    const upgradeKind = supportedUpgrade(request.method ?? '', request.url ?? '/', options.isUpgradedPath);
    if (upgradeKind !== 'connection' && !(upgradeKind === 'watch' && isWebSocketUpgrade(request))) {
      // An unsupported upgrade is served as an ordinary request: its bytes without the Upgrade header are put back into the
      // socket, and the server gets the socket as a new connection.
      socket.unshift(encodeWithoutUpgrade(request, head));
      this.#server.emit(
        socket instanceof Socket && 'encrypted' in socket ? 'secureConnection' : 'connection',
        socket,
      );
      return;
    }
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.end());
    const upgrade = readUpgrade(request, socket, head, options.bearerProtocolPrefix);
    options.filters.serve(request, response, listenerInfo, upgrade).catch(() => socket.destroy());
  }
}

/**
 * Renegotiation makes the server do a handshake for a few bytes of the client. A resumed session has only the client's own
 * certificate, so that its chain could not be verified again.
 */
const secureOptions = cryptoConstants.SSL_OP_NO_RENEGOTIATION | cryptoConstants.SSL_OP_NO_TICKET;

const secureContextOptions = ({ certificate, key, clientCa }: TlsMaterial): SecureContextOptions => ({
  cert: certificate,
  key,
  minVersion: 'TLSv1.2',
  secureOptions,
  ...(clientCa !== undefined && { ca: clientCa }),
});

function hasBody(request: IncomingMessage | Http2Request): boolean {
  if ('stream' in request) return !request.stream.endAfterHeaders;
  const { headers } = request;
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * As in Go, every certificate of the client CA bundle is a trust anchor, also an intermediate one. Node's servers do not
 * pass the option `allowPartialTrustChain` to their secure context.
 */
function trustPartialChains(server: Http2SecureServer): void {
  const { _sharedCreds: sharedContext } = server as { _sharedCreds?: SecureContext };
  sharedContext?.context.setAllowPartialTrustChain?.();
}

/** An error event without a listener would end the process. */
const ignoreError = () => {};

const headersTooLarge = '431 Request Header Fields Too Large';

const statusOfParseError: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

interface ParseError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

function rejectUnparsable(error: ParseError, socket: Socket, limits: ConnectionLimits): void {
  // Node pauses the parser while responses are not written. TLS records of the same read then fail, although they are
  // valid: they are parsed when the connection resumes.
  if (error.code === 'HPE_PAUSED' && error.rawPacket) {
    socket.push(error.rawPacket);
    return;
  }
  // More bytes of a request that has been rejected already.
  if (!socket.writable || rejectedConnections.has(socket)) return;
  // The client has its response or is gone.
  if (error.code === 'ECONNRESET' || isLingering(socket)) {
    socket.destroy();
    return;
  }
  const status = statusOfParseError[error.code ?? ''] ?? '400 Bad Request';
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${status}`,
  );
  lingerUntilClosed(socket, limits);
}

/** So few names and values cannot exceed the size limit unless their bytes on the wire do. */
const maxUncheckedTexts = 64;

/**
 * Whether headers (alternating names and values) exceed the limits. HPACK refers to an earlier header by one byte, so
 * headers that are small on the wire may be large here.
 */
function exceedsHeaderLimits(
  rawHeaders: readonly string[],
  { maxHeadersCount, maxHeaderBytes }: ConnectionLimits,
): boolean {
  if (rawHeaders.length <= maxUncheckedTexts) return false;
  if (rawHeaders.length > 2 * maxHeadersCount) return true;
  let size = 0;
  for (const text of rawHeaders) size += text.length;
  return size > maxHeaderBytes;
}

/** HTTP/2 has no transfer encodings: its sessions reject the header. */
function hasUnknownTransferEncoding({ headers }: IncomingMessage | Http2Request): boolean {
  const encoding = headers['transfer-encoding'];
  return encoding !== undefined && encoding.toLowerCase() !== 'chunked';
}

/** HTTP/1.1 connections that end with a rejection: what the parser finds in the following bytes gets no response. */
const rejectedConnections = new WeakSet<Socket>();

function sendPlainRejection(
  response: ServerResponse | Http2Response,
  statusCode: number,
  text: string,
): void {
  if (response instanceof ServerResponse) {
    response.shouldKeepAlive = false;
    if (response.socket) rejectedConnections.add(response.socket);
  }
  response.statusCode = statusCode;
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.end(text);
}
