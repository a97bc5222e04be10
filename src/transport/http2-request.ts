// An HTTP/2 request on Node's stream API, with the members of IncomingMessage that filters and handlers use.
import type { IncomingMessage } from 'node:http';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** Node's compatibility layer has such a class too; its objects and listeners cost a quarter of a small request. */
export class Http2Request {
  readonly stream: ServerHttp2Stream;
  readonly headers: IncomingHttpHeaders;
  /** Alternating names and values, with the pseudo-headers. */
  readonly rawHeaders: readonly string[];
  readonly method: string;
  readonly url: string;
  /** The connection. The property `socket` of an HTTP/2 session is another object: a proxy. */
  readonly socket: Socket | undefined;

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    rawHeaders: readonly string[],
    socket: Socket | undefined,
  ) {
    this.stream = stream;
    this.headers = headers;
    this.rawHeaders = rawHeaders;
    this.method = headers[':method'] ?? '';
    this.url = headers[':path'] ?? '/';
    this.socket = socket;
  }

  get httpVersionMajor(): number {
    return 2;
  }

  get httpVersionMinor(): number {
    return 0;
  }
}

/** The stream of a request body. */
export function requestBody(request: IncomingMessage | Http2Request): Readable {
  return request instanceof Http2Request ? request.stream : request;
}
