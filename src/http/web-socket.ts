import { ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import { badRequest } from '../errors/catalogue.ts';
import type { Exchange } from './exchange.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { WatchStream } from './watch-stream.ts';

/** What a client may send us: pings and its goodbye, nothing more. */
const largestMessage = 4096;

/** WebSockets are for browsers, which say where they come from; who does not is refused, as upstream does. */
export function lacksOrigin({ request }: Exchange): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket' && request.headers.origin === undefined;
}

/** Turns a watch request into a WebSocket: each event becomes one text message. */
export async function openWebSocket(exchange: HttpExchange): Promise<WatchStream> {
  const { request, response, upgrade } = exchange;
  if (!upgrade || !(response instanceof ServerResponse) || 'stream' in request) {
    throw new Error('the request does not ask for a WebSocket');
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
    maxPayload: largestMessage,
    handleProtocols: () => upgrade.protocol ?? false,
  });
  response.detachSocket(upgrade.socket);
  return new Promise((resolve) => {
    server.handleUpgrade(request, upgrade.socket, upgrade.head, (socket) => {
      socket.on('error', () => {});
      socket.once('close', () => exchange.abort(new Error('the client closed the WebSocket')));
      resolve(new WebSocketWatch(exchange, socket));
    });
  });
}

const lineFeed = 0x0a;

class WebSocketWatch implements WatchStream {
  readonly #exchange: HttpExchange;
  readonly #socket: WebSocket;

  constructor(exchange: HttpExchange, socket: WebSocket) {
    this.#exchange = exchange;
    this.#socket = socket;
  }

  write(frame: Buffer): boolean {
    if (this.#socket.readyState !== this.#socket.OPEN) return true;
    this.#exchange.bytesSent += frame.length;
    for (let start = 0; start < frame.length; ) {
      const end = frame.indexOf(lineFeed, start) + 1 || frame.length;
      this.#socket.send(frame.subarray(start, end), { binary: false });
      start = end;
    }
    return this.#socket.bufferedAmount === 0;
  }

  buffered(): number {
    return this.#socket.bufferedAmount;
  }

  close(how: 'complete' | 'broken'): void {
    if (how === 'complete') this.#socket.close(1000);
    else this.#socket.terminate();
  }
}
