// /console/api/watch: one WebSocket that carries the watches of a console.
//
// Every watch is a request of its own: it passes the whole filter chain (authentication with the credentials of the
// handshake, audit, impersonation, flow control, authorization) and the handler of the verb. The stream itself gives access to
// nothing. Invariants:
// - A page of another origin cannot open a stream: a browser would send the user's client certificate with the handshake.
// - Only watches are served, at most `maxWatches` at a time. A client that breaks the protocol is disconnected.
// - The bytes that a client has not read are bounded: by the watch hub for each watch, and by `maxBufferedBytes` for all.
import { TLSSocket } from 'node:tls';
import type { RawData, WebSocket } from 'ws';
import { badRequest } from '../../errors/catalogue.ts';
import { readRequestInfo } from '../../request/request-info.ts';
import { type Exchange, HttpExchange } from '../../transport/exchange.ts';
import { Http2Request } from '../../transport/http2-request.ts';
import { IncomingMessage } from '../../transport/node-http.ts';
import { sendText } from '../../transport/response.ts';
import { acceptWebSocket } from '../../transport/web-socket.ts';
import { SubscriptionResponse } from './subscription-response.ts';
import { endMessage, eventsMessage, parseClientMessage, type SubscribeMessage } from './watch-messages.ts';

/** Serves a request as if it came in by a listener. */
export type ServeRequest = (
  request: IncomingMessage,
  response: SubscriptionResponse,
  listener: { readonly plainPort: number | undefined },
) => Promise<void>;

/** The subprotocol, so that a bearer token may be another one. */
const consoleProtocol = 'v1.console.orch';
const maxWatches = 64;
const maxMessageBytes = 16 * 1024;
const maxBufferedBytes = 32 * 1024 * 1024;
/** A client that has vanished without closing the connection is noticed by its missing pongs. */
const pingIntervalMs = 30_000;

/** Close codes (RFC 6455). */
const goingAway = 1001;
const policyViolation = 1008;
const tryAgainLater = 1013;

export class ConsoleWatchStreams {
  readonly #serve: ServeRequest;

  constructor(serve: ServeRequest) {
    this.#serve = serve;
  }

  /** Runs until the WebSocket is closed. */
  async open(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    if (!(exchange instanceof HttpExchange) || !exchange.upgrade || request instanceof Http2Request) {
      throw badRequest('this path is a WebSocket');
    }
    if (!isSameOrigin(request)) {
      return sendText(exchange, 403, 'a stream of the console is for pages of this server only\n');
    }
    if (exchange.upgrade.protocol !== consoleProtocol) {
      throw badRequest(`the WebSocket subprotocol must be ${consoleProtocol}`);
    }
    const socket = await acceptWebSocket(exchange, consoleProtocol, maxMessageBytes);
    await new WatchStreamConnection(exchange, request, socket, this.#serve).closed;
  }
}

class WatchStreamConnection {
  readonly closed: Promise<void>;
  readonly #exchange: HttpExchange;
  readonly #handshake: IncomingMessage;
  readonly #socket: WebSocket;
  readonly #serve: ServeRequest;
  readonly #watches = new Map<number, SubscriptionResponse>();
  #isAlive = true;

  constructor(exchange: HttpExchange, handshake: IncomingMessage, socket: WebSocket, serve: ServeRequest) {
    this.#exchange = exchange;
    this.#handshake = handshake;
    this.#socket = socket;
    this.#serve = serve;
    socket.on('message', (data, isBinary) => this.#onMessage(data, isBinary));
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    const pinging = setInterval(() => this.#ping(), pingIntervalMs).unref();
    // The server is shutting down, or the client is gone.
    exchange.signal.addEventListener('abort', () => socket.close(goingAway), { once: true });
    if (exchange.signal.aborted) socket.close(goingAway);
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        clearInterval(pinging);
        for (const watch of [...this.#watches.values()]) watch.cancel();
        this.#watches.clear();
        resolve();
      });
    });
  }

  #onMessage(data: RawData, isBinary: boolean): void {
    const message = isBinary ? undefined : parseClientMessage(data.toString());
    if (!message) {
      this.#socket.close(policyViolation, 'unknown message');
      return;
    }
    const { id } = message;
    if (message.type === 'unsubscribe') {
      const watch = this.#watches.get(id);
      this.#watches.delete(id);
      watch?.cancel();
    } else if (this.#watches.has(id)) {
      this.#socket.close(policyViolation, 'duplicate id');
    } else if (this.#watches.size >= maxWatches) {
      this.#send(endMessage(id, 429, `a stream has at most ${maxWatches} watches`));
    } else this.#subscribe(message);
  }

  #subscribe(message: SubscribeMessage): void {
    const { id, path } = message;
    if (!isWatch(path)) {
      this.#send(endMessage(id, 400, 'only watches of resources are served here'));
      return;
    }
    const request = requestOf(this.#handshake, this.#exchange.upgrade?.token, message);
    const response = new SubscriptionResponse(request, {
      sendEvents: (lines) => this.#send(eventsMessage(id, lines)),
      buffered: () => this.#socket.bufferedAmount,
      end: (code, body) => {
        if (this.#watches.get(id) === response) this.#watches.delete(id);
        this.#send(endMessage(id, code, body));
      },
    });
    this.#watches.set(id, response);
    const { socket } = this.#handshake;
    const plainPort = socket instanceof TLSSocket ? undefined : socket.localPort;
    this.#serve(request, response, { plainPort }).catch(() => response.destroy());
  }

  #send(text: string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount + text.length > maxBufferedBytes) {
      this.#socket.close(tryAgainLater, 'the client reads too slowly');
      this.#socket.terminate();
      return;
    }
    this.#exchange.bytesSent += text.length;
    this.#socket.send(text);
  }

  #ping(): void {
    if (!this.#isAlive) {
      this.#socket.terminate();
      return;
    }
    this.#isAlive = false;
    this.#socket.ping();
  }
}

/** Browsers send the origin of the page with every handshake. */
function isSameOrigin({ headers: { origin, host }, socket }: IncomingMessage): boolean {
  const scheme = socket instanceof TLSSocket ? 'https' : 'http';
  return origin !== undefined && origin.toLowerCase() === `${scheme}://${host}`.toLowerCase();
}

function isWatch(path: string): boolean {
  try {
    const { isResource, verb } = readRequestInfo('GET', path);
    return isResource && verb === 'watch';
  } catch {
    return false;
  }
}

/** Headers of the handshake that do not belong to the requests in the stream. */
const handshakeHeaders =
  /^(connection|upgrade|sec-websocket-.*|accept|accept-encoding|content-.*|transfer-encoding|audit-id)$/i;

/** A watch with the credentials of the handshake, on the same connection. */
function requestOf(
  handshake: IncomingMessage,
  token: string | undefined,
  message: SubscribeMessage,
): IncomingMessage {
  const inner = new IncomingMessage(handshake.socket);
  inner.method = 'GET';
  inner.url = message.path;
  // Without chunked transfer coding, events are passed on as they are.
  inner.httpVersion = '1.0';
  inner.httpVersionMajor = 1;
  inner.httpVersionMinor = 0;
  inner.complete = true;
  const add = (name: string, value: string) => {
    inner.rawHeaders.push(name, value);
    // The first of several values counts, as for any request.
    inner.headers[name.toLowerCase()] ??= value;
  };
  const { rawHeaders } = handshake;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (!handshakeHeaders.test(name)) add(name, rawHeaders[i + 1]!);
  }
  add('Accept', message.accept);
  if (token !== undefined) add('Authorization', `Bearer ${token}`);
  if (message.impersonateUser !== undefined) add('Impersonate-User', message.impersonateUser);
  for (const group of message.impersonateGroups) add('Impersonate-Group', group);
  inner.push(null);
  return inner;
}
