// Opens the response of a watch on the protocol of its request: HTTP/1.1 chunks, an HTTP/2 stream or a WebSocket.
//
// A stream listens for errors and ignores them: an error event without a listener would end the process, and the end of the
// connection aborts the exchange.
import type { Socket } from 'node:net';
import { type Exchange, HttpExchange } from './exchange.ts';
import type { Http2Response } from './http2-response.ts';
import { ServerResponse } from './node-http.ts';
import { abortResponse, writeHead } from './response.ts';
import type { WatchStream } from './watch-stream.ts';
import { openWebSocket } from './web-socket.ts';

/** Sends the response head of a watch. Events can be written afterwards. */
export async function openWatchStream(exchange: Exchange, contentType: string): Promise<WatchStream> {
  if (!(exchange instanceof HttpExchange)) throw new Error('a streaming response requires an HTTP request');
  exchange.stream = exchange.upgrade
    ? await openWebSocket(exchange, contentType)
    : openOverHttp(exchange, contentType);
  return exchange.stream;
}

function openOverHttp(exchange: HttpExchange, contentType: string): WatchStream {
  const { response } = exchange;
  const headers = ['Content-Type', contentType];
  if (!(response instanceof ServerResponse)) {
    writeHead(exchange, 200, headers);
    return new Http2Watch(exchange, response);
  }
  if (exchange.request.httpVersionMinor === 1) headers.push('Transfer-Encoding', 'chunked');
  writeHead(exchange, 200, headers);
  response.flushHeaders();
  // A request that is pipelined behind another has no socket yet.
  return response.socket && response.chunkedEncoding
    ? new ChunkedWatch(exchange, response, response.socket)
    : new NodeResponseWatch(exchange, response);
}

/** Writes through Node's response: HTTP/1.0, and pipelined HTTP/1.1. */
class NodeResponseWatch implements WatchStream {
  readonly #exchange: HttpExchange;
  readonly #response: ServerResponse;

  constructor(exchange: HttpExchange, response: ServerResponse) {
    this.#exchange = exchange;
    this.#response = response;
    response.on('error', () => {});
  }

  write(frame: Buffer): boolean {
    if (this.#response.writableEnded || this.#response.destroyed) return true;
    this.#exchange.bytesSent += frame.length;
    return this.#response.write(frame);
  }

  buffered(): number {
    return this.#response.writableLength;
  }

  close(end: 'complete' | 'broken'): void {
    if (end === 'complete') this.#response.end();
    else this.#response.destroy();
  }
}

/**
 * Writes HTTP/1.1 chunks straight to the socket: one write per event, of the same bytes for every watcher. The response
 * object has sent the head and will send the end.
 */
class ChunkedWatch implements WatchStream {
  readonly #exchange: HttpExchange;
  readonly #response: ServerResponse;
  readonly #socket: Socket;

  constructor(exchange: HttpExchange, response: ServerResponse, socket: Socket) {
    this.#exchange = exchange;
    this.#response = response;
    this.#socket = socket;
    response.on('error', () => {});
  }

  write(frame: Buffer): boolean {
    if (this.#response.writableEnded || this.#socket.destroyed) return true;
    this.#exchange.bytesSent += frame.length;
    return this.#socket.write(this.#exchange.framing.chunk(frame));
  }

  buffered(): number {
    return this.#socket.writableLength;
  }

  close(end: 'complete' | 'broken'): void {
    if (end === 'complete') this.#response.end();
    else this.#socket.destroy();
  }
}

class Http2Watch implements WatchStream {
  readonly #exchange: HttpExchange;
  readonly #response: Http2Response;

  constructor(exchange: HttpExchange, response: Http2Response) {
    this.#exchange = exchange;
    this.#response = response;
  }

  write(frame: Buffer): boolean {
    const { stream } = this.#response;
    if (stream.writableEnded || stream.destroyed) return true;
    this.#exchange.bytesSent += frame.length;
    return stream.write(frame);
  }

  buffered(): number {
    return this.#response.stream.writableLength;
  }

  close(end: 'complete' | 'broken'): void {
    if (end === 'complete') this.#response.end();
    else abortResponse(this.#response);
  }
}
