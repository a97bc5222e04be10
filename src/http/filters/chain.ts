import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { TLSSocket } from 'node:tls';
import type { Auditor } from '../../audit/auditor.ts';
import { type Impersonation, NobodyToImpersonate, readImpersonation } from '../../auth/impersonation.ts';
import type { Clock } from '../../base/clock.ts';
import { internalError, unauthorized } from '../../errors/catalogue.ts';
import { ApiError } from '../../errors/status.ts';
import {
  type AuthenticatorChain,
  anonymous,
  developer,
  type Identity,
  Refusal,
} from '../../request/authenticator.ts';
import { type Authorizer, type Decision, refusal } from '../../request/authorizer.ts';
import { headerOf, timeoutParameter } from '../../request/http-request.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import { readRequestInfo, UnreadableRequest } from '../../request/request-info.ts';
import type { User } from '../../request/user.ts';
import type { Serializers } from '../../serializers/serializers.ts';
import type { Logger } from '../../telemetry/log.ts';
import { breakOff, sendError, sendText, sendWith, textType } from '../../transport/answer.ts';
import type { Exchange, Seat } from '../../transport/exchange.ts';
import { Framing } from '../../transport/framing.ts';
import { HttpExchange } from '../../transport/http-exchange.ts';
import type { Upgrade } from '../../transport/upgrade.ts';
import { whyForeign } from './loopback.ts';
import { InFlight, isLongRunning } from './max-in-flight.ts';
import { DeadlineQueue } from './timeout.ts';

/** How a request came in. */
export interface ListenerInfo {
  /** Plain HTTP on loopback, where who shows no credentials is the developer. Its port, for checking `Host`. */
  readonly plainPort: number | undefined;
}

/** Hears of every request, at its start and once its handler is done. */
export interface RequestObserver {
  started(exchange: HttpExchange, longRunning: boolean): void;
  finished(exchange: HttpExchange, longRunning: boolean): void;
}

/** Decides when a request is worked on. */
export interface FlowController {
  /** A seat at once, or the promise of one; or instead the seconds after which the client may try again. */
  admit(exchange: HttpExchange): Seat | number | Promise<Seat | number>;
}

export interface FilterChainOptions {
  readonly authenticators: AuthenticatorChain;
  /** Whether who shows no credentials is somebody: the anonymous user. */
  readonly anonymousAuth: boolean;
  readonly authorizer: Authorizer;
  /** The API group of what may be impersonated beside users and groups. */
  readonly authenticationGroup: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly observers: readonly RequestObserver[];
  /** Undefined where nothing is audited. */
  readonly auditor?: Auditor | undefined;
  readonly forms: Serializers;
  readonly requestTimeout: number;
  /** Left out, the two limits below are all there is. */
  readonly flowController?: FlowController | undefined;
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
  /** Who has not said who they are gets one request out of an HTTP/2 connection. */
  readonly closesAnonymousHttp2: boolean;
  /** Applies the latest acknowledged revision; false if nothing can be newer than the local state. */
  refresh(): Promise<boolean>;
  /** How an error that a handler lets through reads to the client; undefined for what is our own mistake. */
  toApiError?(error: unknown): ApiError | undefined;
  /** Serves a request for a resource. */
  handleResource(exchange: Exchange): void | Promise<void>;
  /** Serves every other path. */
  handlePath(exchange: Exchange): Promise<void> | void;
}

/** Answers from this size on may take a while to reach their reader; smaller ones fit into the connection's buffers. */
const lingering = 64 * 1024;

/** Takes every request down the same straight path: who is it, is there room, may they, then the handler. */
export class FilterChain {
  readonly inFlight: InFlight;
  readonly #options: FilterChainOptions;
  readonly #deadlines: DeadlineQueue<HttpExchange>;
  readonly #framing = new Framing();
  readonly #longRunning = new Set<HttpExchange>();
  /** Who shows no credentials, if that is anybody. */
  readonly #stranger: Identity | undefined;
  #draining = false;
  #running = 0;
  #onIdle: (() => void) | undefined;

  constructor(options: FilterChainOptions) {
    this.#options = options;
    this.#stranger = options.anonymousAuth ? { user: anonymous } : undefined;
    this.inFlight = new InFlight({
      readOnly: options.maxRequestsInflight,
      mutating: options.maxMutatingRequestsInflight,
    });
    this.#deadlines = new DeadlineQueue(options.clock, options.requestTimeout, timeOut);
  }

  async serve(
    request: IncomingMessage | Http2ServerRequest,
    response: ServerResponse | Http2ServerResponse,
    entrance: ListenerInfo,
    upgrade?: Upgrade,
  ): Promise<void> {
    const { clock, observers, forms } = this.#options;
    const auditId = auditIdOf(request);
    let info: Exchange['info'];
    try {
      info = readRequestInfo(request.method ?? '', request.url ?? '/');
    } catch (error) {
      if (!(error instanceof UnreadableRequest)) throw error;
      return refuseUnreadable(response, auditId, error);
    }
    const exchange = new HttpExchange(request, response, info, auditId, clock, this.#framing, upgrade, forms);
    // Who leaves HTTP behind stays for as long as they like.
    const longRunning = upgrade !== undefined || isLongRunning(info);
    this.#running++;
    for (const observer of observers) observer.started(exchange, longRunning);
    if (longRunning) this.#addLongRunning(exchange);
    else this.#deadlines.add(exchange);
    try {
      await this.#filter(exchange, entrance, longRunning);
    } catch (error) {
      this.#fail(exchange, error);
    } finally {
      if (longRunning) this.#longRunning.delete(exchange);
      else this.#endDeadline(exchange);
      exchange.audit?.responseComplete();
      for (const observer of observers) observer.finished(exchange, longRunning);
      this.#leave(exchange);
    }
  }

  /** Once the server drains, a request is over only when its answer has been handed to the connection. */
  #leave({ response, upgrade }: HttpExchange): void {
    const isSent = upgrade !== undefined || response.writableFinished || response.destroyed;
    if (this.#draining && !isSent) response.once('close', () => this.#countDown());
    else this.#countDown();
  }

  #countDown(): void {
    if (--this.#running === 0) this.#onIdle?.();
  }

  /** Ends every watch, also those that are still to come, as if its time were up. */
  endLongRunning(): void {
    this.#draining = true;
    for (const exchange of this.#longRunning) {
      exchange.stream?.close('complete');
      exchange.abort(shuttingDown);
    }
  }

  #addLongRunning(exchange: HttpExchange): void {
    this.#longRunning.add(exchange);
    if (this.#draining) exchange.abort(shuttingDown);
  }

  /** Resolves when no request is being worked on or, while draining, answered. */
  idle(): Promise<void> {
    if (this.#running === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  close(): void {
    this.#deadlines.close();
  }

  async #filter(exchange: HttpExchange, entrance: ListenerInfo, longRunning: boolean): Promise<void> {
    const { info } = exchange;
    if (entrance.plainPort !== undefined) {
      const foreign = whyForeign(exchange, entrance.plainPort);
      if (foreign !== undefined) return sendText(exchange, 403, `${foreign}\n`);
    }
    if (!longRunning) this.#applyTimeoutParameter(exchange);

    const identified = this.#identify(exchange, entrance);
    const identity = identified instanceof Promise ? await identified : identified;
    const isKnown = !(identity instanceof Refusal);
    if (this.#options.closesAnonymousHttp2 && (!isKnown || identity.user === anonymous)) partWith(exchange);
    if (!isKnown) return this.#refuseUnknown(exchange);
    exchange.user = identity.user;
    if (this.#options.auditor !== undefined && !this.#beginAudit(exchange, longRunning)) return;
    const impersonated = this.#impersonate(exchange);
    if (impersonated !== undefined && !(await impersonated)) return;

    // What lasts as long as the client likes holds no place, but a watch has to be begun.
    if (longRunning && (this.#options.flowController === undefined || info.verb !== 'watch')) {
      return this.#authorizeAndHandle(exchange);
    }
    const admitted = (this.#options.flowController ?? this.inFlight).admit(exchange);
    const seat = admitted instanceof Promise ? await admitted : admitted;
    if (typeof seat === 'number') return refuseForNow(exchange, seat);
    exchange.seat = seat;
    try {
      await this.#authorizeAndHandle(exchange);
    } finally {
      seat.release();
    }
  }

  #identify(
    exchange: HttpExchange,
    entrance: ListenerInfo,
  ): Identity | Refusal | Promise<Identity | Refusal> {
    const { authenticators } = this.#options;
    const identify = () =>
      authenticators.identify(
        credentialsOf(exchange),
        entrance.plainPort === undefined ? this.#stranger : theDeveloper,
        (text) => exchange.warnings.push(text),
      );
    const identified = identify();
    if (!(identified instanceof Promise || identified instanceof Refusal)) return identified;
    return this.#retryRejected(identified, (identity) => identity instanceof Refusal, identify);
  }

  /** False: the audit log is to hold every request and cannot take this one, which has then been refused. */
  #beginAudit(exchange: HttpExchange, longRunning: boolean): boolean {
    exchange.audit = this.#options.auditor!.record(exchange, exchange.user, longRunning);
    if (exchange.audit === undefined || exchange.audit.requestReceived()) return true;
    exchange.audit = undefined;
    const target = JSON.stringify(exchange.request.url);
    sendText(exchange, 500, `Internal Server Error: ${target}: failed to store audit event\n`);
    return false;
  }

  #refuseUnknown(exchange: HttpExchange): void {
    const record = this.#options.auditor?.record(exchange, undefined, false);
    exchange.audit = record;
    sendError(exchange, unauthorized());
    // There is no more to such a request: it has one stage.
    exchange.audit = undefined;
    record?.unauthenticated();
  }

  /** Takes the sender for whom they ask to be; false where they may not, which has then been answered. */
  #impersonate(exchange: HttpExchange): Promise<boolean> | undefined {
    let asked: Impersonation | undefined;
    try {
      asked = readImpersonation(exchange.request.rawHeaders, this.#options.authenticationGroup);
    } catch (error) {
      if (!(error instanceof NobodyToImpersonate)) throw error;
      const target = JSON.stringify(exchange.request.url);
      sendText(exchange, 500, `Internal Server Error: ${target}: ${error.message}\n`);
      return Promise.resolve(false);
    }
    return asked && this.#takeFor(exchange, asked);
  }

  async #takeFor(exchange: HttpExchange, { user, needs }: Impersonation): Promise<boolean> {
    const sender = exchange.user;
    for (const need of needs) {
      const { allowed, reason } = await this.#authorize(sender, need);
      if (!allowed) {
        sendError(exchange, refusal(sender, need, reason), ['X-Content-Type-Options', 'nosniff']);
        return false;
      }
    }
    exchange.impersonator = sender;
    exchange.user = user;
    return true;
  }

  async #authorizeAndHandle(exchange: HttpExchange): Promise<void> {
    const { info, user } = exchange;
    const asked = this.#authorize(user, info);
    const decision = asked instanceof Promise ? await asked : asked;
    if (exchange.audit !== undefined) exchange.audit.decision = decision;
    if (!decision.allowed) {
      return sendError(exchange, refusal(user, info, decision.reason), ['X-Content-Type-Options', 'nosniff']);
    }
    await (info.isResource ? this.#options.handleResource(exchange) : this.#options.handlePath(exchange));
  }

  #authorize(user: User, info: RequestInfo): Decision | Promise<Decision> {
    const { authorizer } = this.#options;
    const decision = authorizer.authorize(user, info);
    if (!(decision instanceof Promise) && decision.allowed) return decision;
    return this.#retryRejected(
      decision,
      ({ allowed }) => !allowed,
      () => authorizer.authorize(user, info),
    );
  }

  /**
   * A token or role binding that another server created is valid at once: a rejection is decided again on the latest
   * state. A revocation takes effect once it is applied here.
   */
  async #retryRejected<T>(
    first: T | Promise<T>,
    isRejection: (decision: T) => boolean,
    decide: () => T | Promise<T>,
  ): Promise<T> {
    const decision = await first;
    if (!isRejection(decision) || !(await this.#options.refresh())) return decision;
    return decide();
  }

  /** What is still on its way to a slow reader has to arrive in time as well. */
  #endDeadline(exchange: HttpExchange): void {
    const { response } = exchange;
    if (exchange.bytesSent < lingering || response.writableFinished || response.destroyed) {
      this.#forgetDeadline(exchange);
    } else {
      response.once('close', () => this.#forgetDeadline(exchange));
    }
  }

  #forgetDeadline(exchange: HttpExchange): void {
    this.#deadlines.delete(exchange);
    exchange.stopTimeout?.();
  }

  #applyTimeoutParameter(exchange: HttpExchange): void {
    const asked = timeoutParameter(exchange);
    const { requestTimeout } = this.#options;
    exchange.deadlineMs = exchange.startedMonotonicMs + Math.min(asked ?? requestTimeout, requestTimeout);
    if (asked === undefined || asked >= requestTimeout) return;
    exchange.stopTimeout = this.#options.clock.after(asked, () => timeOut(exchange));
  }

  #fail(exchange: HttpExchange, thrown: unknown): void {
    const error = (!(thrown instanceof ApiError) && this.#options.toApiError?.(thrown)) || thrown;
    if (exchange.isAnswered) {
      // Nobody else hears of it, unless nobody wants to any more.
      if (!exchange.signal.aborted) this.#logPanic(exchange, error);
      // Half an answer cannot be taken back, only cut off.
      if (!exchange.response.writableEnded) breakOff(exchange.response);
      return;
    }
    if (!(error instanceof ApiError)) this.#logPanic(exchange, error);
    sendError(
      exchange,
      error instanceof ApiError ? error : internalError('the server failed to answer this request'),
    );
  }

  #logPanic(exchange: HttpExchange, error: unknown): void {
    const { verb, path } = exchange.info;
    this.#options.logger.error(
      { err: error, auditId: exchange.auditId, verb, path },
      'request failed with an internal error',
    );
    exchange.audit?.panic(error);
    exchange.audit = undefined;
  }
}

const theDeveloper: Identity = { user: developer };

function refuseForNow(exchange: HttpExchange, retryAfter: number): void {
  const headers = ['Retry-After', String(retryAfter)];
  sendText(exchange, 429, 'Too many requests, please try again later.\n', headers);
}

const shuttingDown = new Error('the server is shutting down');

/** The client's own id for the request, if it brings one. */
function auditIdOf(request: IncomingMessage | Http2ServerRequest): string {
  const given = request.headers['audit-id'];
  return typeof given === 'string' && given !== '' ? given : randomUUID();
}

function credentialsOf(exchange: HttpExchange) {
  const { request } = exchange;
  const socket = 'stream' in request ? request.stream.session?.socket : request.socket;
  return {
    authorization: headerOf(exchange, 'authorization'),
    token: exchange.upgrade?.token,
    connection: socket instanceof TLSSocket ? socket : undefined,
    rawHeaders: request.rawHeaders,
  };
}

/** Ends an HTTP/2 connection once the requests on it are answered: a new one costs an attacker more than us. */
function partWith({ request }: HttpExchange): void {
  if ('stream' in request) request.stream.session?.close();
}

const outOfTime = `${JSON.stringify({
  metadata: {},
  status: 'Failure',
  message: 'Timeout: request did not complete within the allotted timeout',
  reason: 'Timeout',
  details: {},
  code: 504,
})}\n`;

function timeOut(exchange: HttpExchange): void {
  if (exchange.isAnswered) {
    if (!exchange.response.writableFinished) breakOff(exchange.response);
  } else {
    // It is answered as if it had not been let through.
    exchange.responseHeaders = [];
    sendWith(exchange, 504, ['Content-Type', textType], outOfTime);
  }
  exchange.abort(new Error('the request timed out'));
}

function refuseUnreadable(
  response: ServerResponse | Http2ServerResponse,
  auditId: string,
  { code, message }: UnreadableRequest,
): void {
  response.statusCode = code;
  response.setHeader('Content-Type', textType);
  if (code === 400) {
    // Not even a path: upstream's HTTP library refuses it before anything of the API sees it.
    response.end(message);
    return;
  }
  response.setHeader('Audit-Id', auditId);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.end(`${message}\n`);
}
