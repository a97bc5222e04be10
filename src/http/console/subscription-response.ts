// The response of one watch of a console stream: what a handler writes becomes messages of the WebSocket.
import type { IncomingMessage } from 'node:http';
import { ServerResponse } from '../../transport/node-http.ts';

/** Where the response goes. */
export interface SubscriptionSink {
  /** Sends whole watch events, one a line. */
  sendEvents(lines: Buffer): void;
  /** The response is complete. `body` is that of a rejected request, else empty. */
  end(code: number, body: string): void;
  /** Bytes that the client has not read yet. */
  buffered(): number;
}

/** An aggregated API server may send a part of an event at a time. A longer event ends the watch. */
const maxEventBytes = 8 * 1024 * 1024;
/** The rest of a longer error is dropped. */
const maxErrorBytes = 64 * 1024;
const lineFeed = 0x0a;
/** The code of a watch that the server broke off: the client starts it again. */
const brokenCode = 503;

/**
 * It never gets a socket, so that watches write their events through `write`. The head is not sent: its status code decides
 * whether the body has events or an error.
 */
export class SubscriptionResponse extends ServerResponse {
  static {
    // Node's types declare these as fields, which the syntax of accessors cannot override.
    const property = <T>(read: (response: SubscriptionResponse) => T): PropertyDescriptor => ({
      get(this: SubscriptionResponse) {
        return read(this);
      },
    });
    Object.defineProperties(SubscriptionResponse.prototype, {
      headersSent: property((response) => response.#isHeadWritten),
      writableEnded: property((response) => response.#isEnded),
      writableFinished: property((response) => response.#isEnded),
      writableLength: property((response) => response.#sink.buffered()),
    });
  }

  readonly #sink: SubscriptionSink;
  /** The start of an event whose end has not been written yet. */
  #partialEvent: Buffer[] = [];
  #partialBytes = 0;
  readonly #error: Buffer[] = [];
  #errorBytes = 0;
  #isHeadWritten = false;
  #isEnded = false;

  constructor(request: IncomingMessage, sink: SubscriptionSink) {
    super(request);
    this.#sink = sink;
  }

  override writeHead(statusCode: number): this {
    this.statusCode = statusCode;
    this.#isHeadWritten = true;
    return this;
  }

  override flushHeaders(): void {}

  override write(chunk: unknown): boolean {
    if (this.#isEnded || this.destroyed) return true;
    this.#isHeadWritten = true;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : (chunk as Buffer);
    if (this.statusCode === 200) this.#writeEvents(bytes);
    else if (this.#errorBytes < maxErrorBytes) {
      this.#error.push(bytes);
      this.#errorBytes += bytes.length;
    }
    return this.#sink.buffered() === 0;
  }

  #writeEvents(bytes: Buffer): void {
    const end = bytes.lastIndexOf(lineFeed) + 1;
    if (end > 0) {
      this.#sink.sendEvents(Buffer.concat([...this.#partialEvent, bytes.subarray(0, end)]));
      this.#partialEvent = [];
      this.#partialBytes = 0;
    }
    if (end === bytes.length) return;
    this.#partialEvent.push(bytes.subarray(end));
    this.#partialBytes += bytes.length - end;
    if (this.#partialBytes > maxEventBytes) this.destroy();
  }

  override end(chunk?: unknown): this {
    if (this.#isEnded || this.destroyed) return this;
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.write(chunk);
    this.#finish(this.statusCode);
    return this;
  }

  /** The handler breaks the response off, such as that of a client that reads too slowly. */
  override destroy(error?: Error): this {
    if (!this.#isEnded && !this.destroyed) this.#finish(brokenCode);
    return super.destroy(error);
  }

  /** The client has ended the watch: the handler stops as if the connection were closed. */
  cancel(): void {
    if (this.#isEnded || this.destroyed) return;
    super.destroy();
    this.emit('close');
  }

  #finish(code: number): void {
    this.#isEnded = true;
    this.#sink.end(code, Buffer.concat(this.#error).toString());
    this.emit('finish');
    this.emit('close');
  }
}
