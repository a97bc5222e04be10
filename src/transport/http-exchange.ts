// The exchange of an HTTP request that came in by a listener.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Clock } from '../base/clock.ts';
import type { AuditContext } from '../request/audit.ts';
import { anonymous } from '../request/authenticator.ts';
import { parseQuery } from '../request/http-request.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import type { Serializers } from '../serializers/serializers.ts';
import type { Exchange, Seat } from './exchange.ts';
import type { Framing } from './framing.ts';
import type { Upgrade } from './upgrade.ts';
import type { WatchStream } from './watch-stream.ts';

/** Builds query and signal at first use, because few handlers need them. */
export class HttpExchange implements Exchange {
  readonly request: IncomingMessage | Http2ServerRequest;
  readonly response: ServerResponse | Http2ServerResponse;
  readonly info: RequestInfo;
  readonly auditId: string;
  readonly startedAt: number;
  /** When the request was received, in monotonic milliseconds. */
  readonly startedMonotonicMs: number;
  readonly #clock: Clock;
  readonly framing: Framing;
  readonly upgrade: Upgrade | undefined;
  readonly serializers: Serializers;
  audit: AuditContext | undefined;
  isRouted = false;
  readonly warnings: string[] = [];
  user: User = anonymous;
  impersonator: User | undefined;
  responseHeaders: readonly string[] = none;
  seat: Seat | undefined;
  /** Set once a watch has been answered. */
  stream: WatchStream | undefined;
  /** Cancels the timer of `?timeout=`. */
  stopTimeout: (() => void) | undefined;
  deadlineMs: number | undefined;
  externalLatencyMs = 0;
  /** Body bytes written to the connection. */
  bytesSent = 0;
  #query: URLSearchParams | undefined;
  #abort: AbortController | undefined;
  #abortReason: Error | undefined;

  constructor(
    request: IncomingMessage | Http2ServerRequest,
    response: ServerResponse | Http2ServerResponse,
    info: RequestInfo,
    auditId: string,
    clock: Clock,
    framing: Framing,
    upgrade: Upgrade | undefined,
    forms: Serializers,
  ) {
    this.serializers = forms;
    this.request = request;
    this.response = response;
    this.info = info;
    this.auditId = auditId;
    this.#clock = clock;
    this.startedAt = clock.now();
    this.startedMonotonicMs = clock.elapsed();
    this.framing = framing;
    this.upgrade = upgrade;
  }

  get query(): URLSearchParams {
    this.#query ??= parseQuery(
      this.info.queryAt < 0 ? '' : (this.request.url ?? '').slice(this.info.queryAt),
    );
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
  get elapsed(): number {
    return this.#clock.elapsed() - this.startedMonotonicMs;
  }

  /** Aborts the handler. */
  abort(reason: Error): void {
    this.#abortReason ??= reason;
    this.#abort?.abort(reason);
  }

  /** True once the response head is sent or the connection is gone. */
  get isAnswered(): boolean {
    return this.response.headersSent || this.response.destroyed;
  }
}

const none: readonly string[] = [];
const clientGone = new Error('the client closed the connection');
