// The filter chain: the filters that every request passes before its handler, in the order of kube-apiserver.
//
//   request info → metrics → panic recovery → timeout → authentication → audit → impersonation → flow control → authorization
//
// The plain port (HTTP on loopback) rejects cross-origin requests after panic recovery. The pages of the web console are sent
// before authentication. A filter that rejects a request sends
// the response and ends the chain. A filter returns a promise only if it has to wait, so that a request that no filter holds
// up reaches its handler without yielding to the event loop. An exchange is a request with its response.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Auditor } from '../../audit/auditor.ts';
import { type Clock, DeadlineQueue } from '../../base/clock.ts';
import { expensiveRequests } from '../../base/cooperative-yield.ts';
import type { SeatsFactory } from '../../flowcontrol/seats.ts';
import { InvalidCredentials } from '../../request/authenticator.ts';
import type { Authorizer } from '../../request/authorizer.ts';
import {
  isLongRunning,
  MalformedRequest,
  type RequestInfo,
  readRequestInfo,
} from '../../request/request-info.ts';
import type { Serializers } from '../../serializers/serializers.ts';
import { type Exchange, HttpExchange, type SeatSource } from '../../transport/exchange.ts';
import { Framing } from '../../transport/framing.ts';
import type { Http2Request } from '../../transport/http2-request.ts';
import type { Http2Response } from '../../transport/http2-response.ts';
import { sendText, textType } from '../../transport/response.ts';
import type { Upgrade } from '../../transport/upgrade.ts';
import { beginAudit, rejectUnauthenticated } from './audit.ts';
import { AuthenticationFilter, type AuthenticationOptions, crossOriginProblem } from './authentication.ts';
import { Authorization, sendForbidden } from './authorization.ts';
import { impersonate, impersonationPrefix } from './impersonation.ts';
import { MaxInFlight } from './max-in-flight.ts';
import { type PanicRecoveryOptions, recover } from './panic-recovery.ts';
import { applyTimeoutParameter, timeOut } from './timeout.ts';

/** A response body below this size fits into the socket's buffers, whether or not the client reads it. */
const maxSocketBufferBytes = 64 * 1024;

/** The listener that a request came in by. */
export interface ListenerInfo {
  /** The port of a plain HTTP listener on loopback, where a request without credentials runs as the developer. */
  readonly plainPort: number | undefined;
}

/** Observes every request: at its start, and once its handler is done. */
export interface RequestObserver {
  started(exchange: HttpExchange, isLongRunning: boolean): void;
  finished(exchange: HttpExchange, isLongRunning: boolean): void;
}

/** Requests with a longer URL wait for a turn of the event loop that has time for them. Characters. */
const maxImmediateUrlLength = 4_096;

/** Proxies requests for the group versions that APIServices delegate to other servers. */
interface Aggregator {
  /** The names of the APIServices whose requests are proxied. */
  readonly remoteNames: ReadonlySet<string>;
  /** Undefined for a request that this server handles. */
  serve(exchange: Exchange): Promise<void> | undefined;
}

/** The web console, whose paths are the same for every user. */
interface ConsoleRoutes {
  /** Serves pages, for which nobody has to sign in. Undefined for another request. */
  serve(exchange: Exchange): Promise<void> | undefined;
  /** A path that any user may open, because its requests are authorized one by one. */
  isOpenToUsers(path: string): boolean;
}

export interface FilterChainOptions extends AuthenticationOptions, PanicRecoveryOptions {
  readonly authorizer: Authorizer;
  /** The API group of the permissions to impersonate uids and extra fields. */
  readonly authenticationGroup: string;
  readonly clock: Clock;
  readonly observers: readonly RequestObserver[];
  readonly auditor?: Auditor | undefined;
  readonly serializers: Serializers;
  readonly requestTimeoutMs: number;
  /** API Priority and Fairness. Absent: the two limits below apply. */
  readonly flowController?: SeatSource | undefined;
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
  /** The seats of the two limits; absent on a server with one serving thread. */
  readonly seatsOf?: SeatsFactory | undefined;
  /** Applies the writes that other serving threads have acknowledged. Undefined if that is done at once. */
  catchUp?(): Promise<void> | undefined;
  readonly aggregator?: Aggregator | undefined;
  /** Paths of the web console; undefined without one. */
  readonly console?: ConsoleRoutes | undefined;
  handleResource(exchange: Exchange): void | Promise<void>;
  /** Handles the paths that are no resources. */
  handlePath(exchange: Exchange): Promise<void> | void;
}

export class FilterChain {
  readonly inFlight: MaxInFlight;
  readonly #options: FilterChainOptions;
  readonly #authentication: AuthenticationFilter;
  readonly #authorization: Authorization;
  readonly #deadlines: DeadlineQueue<HttpExchange>;
  readonly #framing = new Framing();
  readonly #longRunning = new Set<HttpExchange>();
  #isDraining = false;
  #running = 0;
  #onIdle: (() => void) | undefined;

  constructor(options: FilterChainOptions) {
    this.#options = options;
    this.#authentication = new AuthenticationFilter(options);
    this.#authorization = new Authorization(options.authorizer, options.refresh);
    this.#deadlines = new DeadlineQueue(options.clock, options.requestTimeoutMs, timeOut);
    this.inFlight = new MaxInFlight(
      { readOnly: options.maxRequestsInflight, mutating: options.maxMutatingRequestsInflight },
      options.seatsOf,
    );
  }

  async serve(
    request: IncomingMessage | Http2Request,
    response: ServerResponse | Http2Response,
    listener: ListenerInfo,
    upgrade?: Upgrade,
  ): Promise<void> {
    const { clock, observers, serializers } = this.#options;
    const auditId = auditIdOf(request);
    let info: RequestInfo;
    try {
      info = readRequestInfo(request.method ?? '', request.url ?? '/');
    } catch (error) {
      if (!(error instanceof MalformedRequest)) throw error;
      return rejectMalformed(response, auditId, error);
    }
    const exchange = new HttpExchange(
      request,
      response,
      info,
      auditId,
      clock,
      this.#framing,
      upgrade,
      serializers,
    );
    const longRunning = upgrade !== undefined || isLongRunning(info);
    this.#running++;
    for (const observer of observers) observer.started(exchange, longRunning);
    if (longRunning) this.#addLongRunning(exchange);
    else this.#setDeadline(exchange);
    try {
      await this.#filter(exchange, listener, longRunning);
    } catch (error) {
      recover(exchange, error, this.#options);
    } finally {
      if (longRunning) this.#longRunning.delete(exchange);
      else this.#endDeadline(exchange);
      exchange.audit?.responseComplete();
      for (const observer of observers) observer.finished(exchange, longRunning);
      this.#endRequest(exchange);
    }
  }

  async #filter(exchange: HttpExchange, { plainPort }: ListenerInfo, longRunning: boolean): Promise<void> {
    const { info, request } = exchange;
    const catchingUp = this.#options.catchUp?.();
    if (catchingUp !== undefined) await catchingUp;
    // Long queries, such as selectors with thousands of values, are expensive to parse and to evaluate.
    if ((request.url ?? '').length > maxImmediateUrlLength) await expensiveRequests.next();
    const {
      auditor,
      authenticationGroup,
      clock,
      flowController,
      requestTimeoutMs: requestTimeout,
    } = this.#options;
    if (plainPort !== undefined) {
      const problem = crossOriginProblem(exchange, plainPort);
      if (problem !== undefined) return sendText(exchange, 403, `${problem}\n`);
    }
    if (!info.isResource) {
      const page = this.#options.console?.serve(exchange);
      if (page) return page;
    }
    if (!longRunning && info.queryOffset >= 0) applyTimeoutParameter(exchange, clock, requestTimeout);

    const authenticated = this.#authentication.authenticate(exchange, plainPort !== undefined);
    const identity = authenticated instanceof Promise ? await authenticated : authenticated;
    this.#authentication.closeIfAnonymous(exchange, identity);
    if (identity instanceof InvalidCredentials) return rejectUnauthenticated(auditor, exchange);
    exchange.user = identity.user;

    if (auditor !== undefined && !beginAudit(auditor, exchange, longRunning)) return;

    if (
      hasImpersonationHeaders(exchange.request.rawHeaders) &&
      !(await impersonate(exchange, this.#authorization, authenticationGroup))
    ) {
      return;
    }

    // A long-running request holds no seat, except a watch until its initial events are sent.
    if (longRunning && (flowController === undefined || info.verb !== 'watch')) {
      return this.#authorizeAndHandle(exchange);
    }
    exchange.seatSource = flowController ?? this.inFlight;
    const admitted = exchange.seatSource.admit(exchange);
    const seat = admitted instanceof Promise ? await admitted : admitted;
    if (typeof seat === 'number') return rejectTooManyRequests(exchange, seat);
    exchange.seat = seat;
    try {
      await this.#authorizeAndHandle(exchange);
    } finally {
      exchange.seat?.release();
    }
  }

  async #authorizeAndHandle(exchange: HttpExchange): Promise<void> {
    const { info, user } = exchange;
    if (!info.isResource && this.#options.console?.isOpenToUsers(info.path)) return this.#handle(exchange);
    let decision = this.#options.authorizer.authorize(user, info);
    if (decision instanceof Promise || !decision.allowed) {
      decision = await this.#authorization.confirm(decision, user, info);
    }
    if (exchange.audit !== undefined) exchange.audit.decision = decision;
    if (!decision.allowed) return sendForbidden(exchange, user, info, decision.reason);
    await this.#handle(exchange);
  }

  #handle(exchange: HttpExchange): void | Promise<void> {
    const { aggregator } = this.#options;
    if (aggregator !== undefined && aggregator.remoteNames.size > 0) {
      const proxied = aggregator.serve(exchange);
      if (proxied !== undefined) return proxied;
    }
    const { isResource } = exchange.info;
    return isResource ? this.#options.handleResource(exchange) : this.#options.handlePath(exchange);
  }

  /** Ends every long-running request, and those that start later. A watch ends as if its timeout had passed. */
  endLongRunning(): void {
    this.#isDraining = true;
    for (const exchange of this.#longRunning) {
      exchange.stream?.close('complete');
      exchange.abort(shuttingDown);
    }
  }

  /** Resolves when no request is running. While draining, a request runs until the connection has taken its response. */
  idle(): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  close(): void {
    this.#deadlines.close();
  }

  #setDeadline(exchange: HttpExchange): void {
    exchange.deadlineMs = exchange.receivedMonotonicMs + this.#options.requestTimeoutMs;
    this.#deadlines.add(exchange);
  }

  /** A body that the socket cannot buffer is under the deadline until the client has read it. */
  #endDeadline(exchange: HttpExchange): void {
    const { response } = exchange;
    if (exchange.bytesSent < maxSocketBufferBytes || response.writableFinished || response.destroyed) {
      this.#removeDeadline(exchange);
    } else {
      response.once('close', () => this.#removeDeadline(exchange));
    }
  }

  #removeDeadline(exchange: HttpExchange): void {
    this.#deadlines.remove(exchange);
    exchange.stopTimeout?.();
  }

  #addLongRunning(exchange: HttpExchange): void {
    this.#longRunning.add(exchange);
    if (this.#isDraining) exchange.abort(shuttingDown);
  }

  #endRequest({ response, upgrade }: HttpExchange): void {
    const isSent = upgrade !== undefined || response.writableFinished || response.destroyed;
    if (this.#isDraining && !isSent) response.once('close', () => this.#decrementRunning());
    else this.#decrementRunning();
  }

  #decrementRunning(): void {
    if (--this.#running === 0) this.#onIdle?.();
  }
}

const shuttingDown = new Error('the server is shutting down');

/** The Audit-ID of the request header, or a new one. */
function auditIdOf(request: IncomingMessage | Http2Request): string {
  const header = request.headers['audit-id'];
  return typeof header === 'string' && header !== '' ? header : randomUUID();
}

const lowerCaseI = 0x69;
/** Sets the bit by which an ASCII letter in lower case differs from upper case. */
const lowerCaseBit = 0x20;

/** Tests every header of every request, so it compares the first letter before it allocates a lower-case name. */
function hasImpersonationHeaders(rawHeaders: readonly string[]): boolean {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (
      (name.charCodeAt(0) | lowerCaseBit) === lowerCaseI &&
      name.toLowerCase().startsWith(impersonationPrefix)
    )
      return true;
  }
  return false;
}

function rejectTooManyRequests(exchange: HttpExchange, retryAfterSeconds: number): void {
  const headers = ['Retry-After', String(retryAfterSeconds)];
  sendText(exchange, 429, 'Too many requests, please try again later.\n', headers);
}

function rejectMalformed(
  response: ServerResponse | Http2Response,
  auditId: string,
  { code, message }: MalformedRequest,
): void {
  response.statusCode = code;
  response.setHeader('Content-Type', textType);
  if (code === 400) {
    // Go's HTTP library rejects a malformed path before upstream's filters run.
    response.end(message);
    return;
  }
  response.setHeader('Audit-Id', auditId);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.end(`${message}\n`);
}
