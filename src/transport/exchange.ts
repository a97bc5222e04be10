// An HTTP exchange: a request and its response, as filters and handlers see them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { bodyTooLarge, tooManyRequests } from '../errors/catalogue.ts';
import type { AuditContext } from '../request/audit.ts';
import { anonymous } from '../request/authenticator.ts';
import { parseQuery } from '../request/http-request.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import type { Serializers } from '../serializers/serializers.ts';
import type { Framing } from './framing.ts';
import { type Http2Request, requestBody } from './http2-request.ts';
import type { Http2Response } from './http2-response.ts';
import { SlowBodies } from './slow-bodies.ts';
import type { Upgrade } from './upgrade.ts';
import type { WatchStream } from './watch-stream.ts';

export interface Exchange {
  readonly request: IncomingMessage | Http2Request;
  readonly response: ServerResponse | Http2Response;
  readonly query: URLSearchParams;
  readonly info: RequestInfo;
  /** The user that the request is authorized as. */
  readonly user: User;
  /** The authenticated user, if the request impersonates another one. */
  readonly impersonator: User | undefined;
  readonly userAgent: string;
  readonly auditId: string;
  /** Undefined for requests that the audit policy does not record. */
  readonly audit: AuditContext | undefined;
  /** Aborted when the client is gone, the request times out, or the server drains and the request is long-running. */
  readonly signal: AbortSignal;
  /** The deadline in monotonic time; undefined for long-running requests. */
  readonly deadlineMs: number | undefined;
  /** Time spent waiting for webhooks and in flow control queues, which the SLI metrics leave out. */
  externalLatencyMs: number;
  /** When the request was received, in wall clock milliseconds. */
  readonly receivedAtMs: number;
  readonly serializers: Serializers;
  /** The path belongs to a resource: errors are then sent in every media type of resources. */
  isRouted: boolean;
  /** Texts for `Warning: 299 - "…"` headers. */
  readonly warnings: string[];
  /** Headers that every response of this request has (alternating names and values). */
  readonly responseHeaders: readonly string[];
  /** The request's seat in flow control. A watch releases it once its initial events are sent. */
  readonly seat: Seat | undefined;
  /** Gives the seat back while the request waits for its client. */
  yieldSeat(): void;
  /** Takes a seat again. Rejects with 429. */
  retakeSeat(): Promise<void>;
}

/** A seat in flow control: the request is executing. */
export interface Seat {
  /** Idempotent. `hasExecuted` is false if the request has done nothing yet, and will need another seat. */
  release(hasExecuted?: boolean): void;
}

/** Flow control. */
export interface SeatSource {
  /** A seat or the promise of one, or the Retry-After seconds of a rejected request. */
  admit(exchange: HttpExchange): Seat | number | Promise<Seat | number>;
}

/** The exchange of a request that came in by a listener. Query and signal are built at first use, because few handlers need them. */
export class HttpExchange implements Exchange {
  readonly request: IncomingMessage | Http2Request;
  readonly response: ServerResponse | Http2Response;
  readonly info: RequestInfo;
  readonly auditId: string;
  readonly receivedAtMs: number;
  /** When the request was received, in monotonic milliseconds. */
  readonly receivedMonotonicMs: number;
  readonly #clock: Clock;
  /** Encodes watch events as HTTP/1.1 chunks; shared by all exchanges. */
  readonly framing: Framing;
  readonly upgrade: Upgrade | undefined;
  readonly serializers: Serializers;
  audit: AuditContext | undefined;
  isRouted = false;
  readonly warnings: string[] = [];
  user: User = anonymous;
  impersonator: User | undefined;
  responseHeaders: readonly string[] = noHeaders;
  seat: Seat | undefined;
  /** Where the seat is from. */
  seatSource: SeatSource | undefined;
  /** The event stream of a watch; undefined until its response has started. */
  stream: WatchStream | undefined;
  /** Cancels the timer of `?timeout=`. */
  stopTimeout: (() => void) | undefined;
  deadlineMs: number | undefined;
  externalLatencyMs = 0;
  /** Body bytes written to the connection. */
  bytesSent = 0;
  #query: URLSearchParams | undefined;
  /** Created at the first use of `signal`. */
  #abort: AbortController | undefined;
  #abortReason: Error | undefined;

  constructor(
    request: IncomingMessage | Http2Request,
    response: ServerResponse | Http2Response,
    info: RequestInfo,
    auditId: string,
    clock: Clock,
    framing: Framing,
    upgrade: Upgrade | undefined,
    serializers: Serializers,
  ) {
    this.serializers = serializers;
    this.request = request;
    this.response = response;
    this.info = info;
    this.auditId = auditId;
    this.#clock = clock;
    this.receivedAtMs = clock.now();
    this.receivedMonotonicMs = clock.elapsed();
    this.framing = framing;
    this.upgrade = upgrade;
  }

  get query(): URLSearchParams {
    this.#query ??=
      this.info.queryOffset < 0
        ? new URLSearchParams()
        : parseQuery(this.request.url!.slice(this.info.queryOffset));
    return this.#query;
  }

  /** Clients send UTF-8; Node decodes headers as latin1. */
  get userAgent(): string {
    return Buffer.from(this.request.headers['user-agent'] ?? '', 'latin1').toString();
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = new AbortController();
      this.#abort = abort;
      if (this.#abortReason !== undefined) abort.abort(this.#abortReason);
      else if (this.response.destroyed) abort.abort(clientGone);
      else {
        this.response.once('close', () => {
          if (!this.response.writableEnded) abort.abort(clientGone);
        });
      }
    }
    return this.#abort.signal;
  }

  /** Milliseconds since the request was received, with fractions. */
  get elapsedMs(): number {
    return this.#clock.elapsed() - this.receivedMonotonicMs;
  }

  /** Aborts the handler. */
  abort(reason: Error): void {
    this.#abortReason ??= reason;
    this.#abort?.abort(reason);
  }

  yieldSeat(): void {
    this.seat?.release(false);
    this.seat = undefined;
  }

  async retakeSeat(): Promise<void> {
    const admitted = await this.seatSource?.admit(this);
    if (typeof admitted === 'number') {
      throw tooManyRequests('too many requests, please try again later', admitted);
    }
    this.seat = admitted;
  }

  /** True once the response head is sent or the connection is gone. */
  get isResponseStarted(): boolean {
    return this.response.headersSent || this.response.destroyed;
  }
}

const noHeaders: readonly string[] = [];
const clientGone = new Error('the client closed the connection');

/** The maximum size of a request body in bytes. */
const maxBodyBytes = 3 * 1024 * 1024;

const emptyBody = Buffer.alloc(0);

/** A body that takes longer to arrive waits without a seat: clients that send slowly must not occupy all of them. */
const slowBodyMs = 50;
/** Of all servers in this process. */
const slowBodies = new SlowBodies();

/** Reads the request body. Throws 413 if it is too large, and the signal's reason if the request is aborted. */
export function readBody(exchange: Exchange, maxBytes = maxBodyBytes): Promise<Buffer> {
  const { request } = exchange;
  const stream = requestBody(request);
  const announcedBytes = Number(request.headers['content-length'] ?? Number.NaN);
  if (announcedBytes > maxBytes) return Promise.reject(bodyTooLarge(maxBytes));
  if (announcedBytes === 0 || stream.readableEnded) return Promise.resolve(emptyBody);
  const { signal } = exchange;
  return new Promise((resolve, reject) => {
    const body = new ArrivingBody(announcedBytes);
    const capacity = Math.min(announcedBytes || maxBytes, maxBytes);
    /** Undefined while the request holds its seat. */
    let slowBytes: number | undefined;
    const countSlow = (bytes: number) => {
      slowBodies.add(exchange.user.name, bytes);
      slowBytes = (slowBytes ?? 0) + bytes;
    };
    const slowTimer =
      exchange.seat &&
      setTimeout(() => {
        exchange.yieldSeat();
        tryOrFail(() => countSlow(body.size));
      }, slowBodyMs);
    const endSlow = () => {
      slowBodies.remove(exchange.user.name, slowBytes ?? 0);
      slowBytes = undefined;
    };
    const stop = () => {
      clearTimeout(slowTimer);
      stream.off('data', onData).off('end', onEnd).off('error', fail).off('close', onClose);
      signal.removeEventListener('abort', onAbort);
    };
    const fail = (error: unknown) => {
      stop();
      endSlow();
      // An error event without a listener would end the process.
      stream.on('error', () => {});
      reject(error);
    };
    const tryOrFail = (step: () => void) => {
      try {
        step();
      } catch (error) {
        fail(error);
      }
    };
    const onData = (chunk: Buffer) =>
      tryOrFail(() => {
        if (body.size + chunk.length > capacity) throw bodyTooLarge(maxBytes);
        if (slowBytes !== undefined) countSlow(chunk.length);
        body.add(chunk);
      });
    const onEnd = () => {
      stop();
      if (slowBytes === undefined) resolve(body.bytes());
      else
        exchange
          .retakeSeat()
          .finally(endSlow)
          .then(() => resolve(body.bytes()), reject);
    };
    const onClose = () =>
      fail(new Error('the client closed the connection before its whole request was sent'));
    const onAbort = () => fail(signal.reason);
    if (signal.aborted) return fail(signal.reason);
    stream.on('data', onData).once('end', onEnd).once('error', fail).once('close', onClose);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Bodies of more bytes are copied to one buffer as they arrive. */
const minCopiedBytes = 64 * 1024;
/** The buffer is allocated when this part has arrived: a client must not occupy memory by announcing a body. */
const minArrivedShare = 0.25;

/**
 * The bytes of a body that have arrived. The chunks of a large one are freed one by one: kept until the end, those of several
 * bodies would fragment the heap of malloc.
 */
class ArrivingBody {
  readonly #announcedBytes: number;
  readonly #chunks: Buffer[] = [];
  #whole: Buffer | undefined;
  size = 0;

  constructor(announcedBytes: number) {
    this.#announcedBytes = announcedBytes;
  }

  add(chunk: Buffer): void {
    if (!this.#whole && this.#isWorthCopying(this.size + chunk.length)) {
      this.#whole = Buffer.allocUnsafeSlow(this.#announcedBytes);
      let offset = 0;
      for (const earlier of this.#chunks.splice(0)) {
        offset += earlier.copy(this.#whole, offset);
        free(earlier);
      }
    }
    this.size += chunk.length;
    if (!this.#whole) {
      this.#chunks.push(chunk);
      return;
    }
    chunk.copy(this.#whole, this.size - chunk.length);
    free(chunk);
  }

  #isWorthCopying(arrivedBytes: number): boolean {
    return this.#announcedBytes > minCopiedBytes && arrivedBytes > this.#announcedBytes * minArrivedShare;
  }

  bytes(): Buffer {
    if (this.#whole) return this.#whole.subarray(0, this.size);
    return this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.size);
  }
}

/**
 * Frees the memory of a chunk that nobody reads any more, instead of with the next garbage collection. Other requests of the
 * connection may share the memory of a chunk that does not fill it.
 */
function free({ buffer, byteLength }: Buffer): void {
  // Node 20 lacks the method.
  if (byteLength === buffer.byteLength) (buffer as { transfer?(newLength: number): unknown }).transfer?.(0);
}
