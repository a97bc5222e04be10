// WebSocket: the handshake, and watches with one message per event.
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { endOfItem } from '../codec/cbor/wire.ts';
import { badRequest } from '../errors/catalogue.ts';
import { cborSerializer } from '../serializers/cbor-serializer.ts';
import type { Exchange, HttpExchange } from './exchange.ts';
import { ServerResponse } from './node-http.ts';
import { jsonType } from './response.ts';
import type { WatchStream } from './watch-stream.ts';

/** Clients of a watch send only control frames. */
const maxMessageBytes = 4096;
/** Pings get no response while the client has this many bytes to read: it may be one that never reads. */
const maxBufferedBytesForPong = 64 * 1024;

/** As upstream, a WebSocket handshake without an Origin header is rejected. */
export function lacksOrigin({ request }: Exchange): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket' && request.headers.origin === undefined;
}

/** Upgrades a watch to a WebSocket. Each event is one message: text for JSON, binary otherwise. */
export async function openWebSocket(exchange: HttpExchange, contentType: string): Promise<WatchStream> {
  const { protocol } = exchange.upgrade ?? {};
  const socket = await acceptWebSocket(exchange, protocol, maxMessageBytes);
  return new WebSocketWatch(exchange, socket, contentType);
}

/** Completes the handshake of a WebSocket, with one of the subprotocols that the client offers or none. */
export async function acceptWebSocket(
  exchange: HttpExchange,
  protocol: string | undefined,
  maxPayloadBytes: number,
): Promise<WebSocket> {
  const { request, response, upgrade } = exchange;
  if (!upgrade || !(response instanceof ServerResponse) || 'stream' in request) {
    throw new Error('the request is not a WebSocket handshake');
  }
  const key = request.headers['sec-websocket-key'] ?? '';
  if (!/^[+/0-9A-Za-z]{22}==$/.test(key) || request.headers['sec-websocket-version'] !== '13') {
    throw badRequest('mismatch challenge/response');
  }
  const { WebSocketServer } = await import('ws');
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    clientTracking: false,
    autoPong: false,
    maxPayload: maxPayloadBytes,
    handleProtocols: () => protocol ?? false,
  });
  response.detachSocket(upgrade.socket);
  let accepted: WebSocket | undefined;
  // `ws` rejects the names of protocols with a slash, such as SPDY/3.1+…, which kubectl offers: they are added to the response here.
  const isUnusualName = protocol?.includes('/') ?? false;
  if (isUnusualName) server.on('headers', (headers) => headers.push(`Sec-WebSocket-Protocol: ${protocol}`));
  const handshake = isUnusualName ? withoutProtocols(request) : request;
  // `handleUpgrade` calls back synchronously or not at all.
  server.handleUpgrade(handshake, upgrade.socket, upgrade.head, (socket) => {
    exchange.audit?.responseStarted(101);
    socket.on('error', () => {});
    socket.on('ping', (payload) => {
      if (socket.bufferedAmount <= maxBufferedBytesForPong) socket.pong(payload);
    });
    socket.once('close', () => exchange.abort(new Error('the client closed the WebSocket')));
    accepted = socket;
  });
  if (!accepted) throw badRequest('the client is gone, or offers protocols that cannot be read');
  return accepted;
}

/** The request as if the client offered no subprotocols. */
function withoutProtocols(request: IncomingMessage): IncomingMessage {
  const { 'sec-websocket-protocol': _, ...headers } = request.headers;
  return Object.create(request, { headers: { value: headers } }) as IncomingMessage;
}

const lineFeed = 0x0a;
/** Protobuf events start with their length in four bytes. */
const lengthPrefixBytes = 4;
/** The status code of a normal closure (RFC 6455). */
const normalClosure = 1000;

/**
 * Splits a frame (one or more whole events) into its events. WebSocket messages carry their length, so Protobuf's length
 * prefix is dropped.
 */
function* eventsIn(frame: Buffer, contentType: string): Generator<Buffer, void> {
  for (let start = 0; start < frame.length; ) {
    let end: number;
    if (contentType === jsonType) {
      end = frame.indexOf(lineFeed, start) + 1 || frame.length;
    } else if (contentType === cborSerializer.watchType) {
      end = endOfItem(frame, start);
    } else {
      end = start + lengthPrefixBytes + frame.readUInt32BE(start);
      start += lengthPrefixBytes;
    }
    yield frame.subarray(start, end);
    start = end;
  }
}

class WebSocketWatch implements WatchStream {
  readonly #exchange: HttpExchange;
  readonly #socket: WebSocket;
  readonly #contentType: string;

  constructor(exchange: HttpExchange, socket: WebSocket, contentType: string) {
    this.#exchange = exchange;
    this.#socket = socket;
    this.#contentType = contentType;
  }

  write(frame: Buffer): boolean {
    if (this.#socket.readyState !== this.#socket.OPEN) return true;
    this.#exchange.bytesSent += frame.length;
    const binary = this.#contentType !== jsonType;
    for (const event of eventsIn(frame, this.#contentType)) this.#socket.send(event, { binary });
    return this.#socket.bufferedAmount === 0;
  }

  buffered(): number {
    return this.#socket.bufferedAmount;
  }

  close(end: 'complete' | 'broken'): void {
    if (end === 'complete') this.#socket.close(normalClosure);
    else this.#socket.terminate();
  }
}
