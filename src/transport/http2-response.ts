/**
 * The response of an HTTP/2 request on Node's stream API, with the members of ServerResponse that filters and handlers use.
 *
 * Invariants:
 * - The properties describe the response, not the stream: Node ends the stream of a HEAD request at its start, and that of a
 *   client that is gone.
 * - A body is dropped where the response has none (HEAD, 204, 304).
 * - Calls after the client is gone have no effect.
 */
import type { OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { Writable } from 'node:stream';

export class Http2Response {
  readonly stream: ServerHttp2Stream;
  statusCode = 200;
  /** Alternating names and values; undefined without any. */
  #headers: string[] | undefined;
  #isEnded = false;
  #isPiped = false;

  constructor(stream: ServerHttp2Stream) {
    this.stream = stream;
    // An error event without a listener would end the process. The end of the stream is what matters.
    stream.on('error', ignoreError);
  }

  get headersSent(): boolean {
    return this.stream.headersSent;
  }

  get destroyed(): boolean {
    return this.stream.closed || this.stream.destroyed;
  }

  /** Whether the whole response has been given to the stream. */
  get writableEnded(): boolean {
    return this.#isEnded || (this.#isPiped && this.stream.writableEnded && !this.stream.aborted);
  }

  get writableFinished(): boolean {
    return this.stream.writableFinished;
  }

  setHeader(name: string, value: string): void {
    this.#headers ??= [];
    this.#headers.push(name, value);
  }

  /** `headers` alternates names and values. */
  writeHead(code: number, headers: readonly string[]): void {
    if (this.destroyed) return;
    this.statusCode = code;
    this.stream.respond(toHttp2Headers(code, headers));
  }

  /** Returns false under backpressure. */
  write(chunk: Buffer | string): boolean {
    const { stream } = this;
    if (!stream.headersSent) this.writeHead(this.statusCode, this.#headers ?? noHeaders);
    return stream.writableEnded || stream.destroyed || stream.write(chunk);
  }

  end(chunk?: Buffer | string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const { stream } = this;
    if (!stream.headersSent) this.writeHead(this.statusCode, this.#headers ?? noHeaders);
    if (stream.writableEnded || stream.destroyed) return;
    if (chunk === undefined) stream.end();
    else stream.end(chunk);
  }

  /** The stream of the body, to pipe another one to it. Call `writeHead` before. */
  get body(): Writable {
    if (this.stream.writableEnded) return new Writable({ write: (_chunk, _encoding, done) => done() });
    this.#isPiped = true;
    return this.stream;
  }

  on(event: 'close' | 'drain', listener: () => void): this {
    this.stream.on(event, listener);
    return this;
  }

  once(event: 'close' | 'drain', listener: () => void): this {
    this.stream.once(event, listener);
    return this;
  }

  off(event: 'close' | 'drain', listener: () => void): this {
    this.stream.off(event, listener);
    return this;
  }
}

const noHeaders: readonly string[] = [];

const ignoreError = () => {};

/** HTTP/2 takes headers as an object; a repeated header has a list of values. */
function toHttp2Headers(code: number, headers: readonly string[]): OutgoingHttpHeaders {
  // A backend may send a header named `__proto__`.
  const values: Record<string, number | string | string[]> = Object.create(null);
  values[':status'] = code;
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!.toLowerCase();
    const value = headers[i + 1]!;
    const previous = values[name];
    values[name] = previous === undefined ? value : [previous, value].flat().map(String);
  }
  return values;
}
