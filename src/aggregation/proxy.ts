// API aggregation: proxies requests to aggregated API servers.
import { type IncomingMessage, type OutgoingHttpHeaders, validateHeaderValue } from 'node:http';
import type { Dialect } from '../dialect/dialect.ts';
import { InvalidCABundle } from '../pki/ca-bundle.ts';
import type { IdentityHeaders } from '../request/identity-headers.ts';
import { type Exchange, HttpExchange } from '../transport/exchange.ts';
import { authorityOf, type Backend, escapePath } from '../transport/proxy/backend.ts';
import { forward } from '../transport/proxy/forward.ts';
import { forwardedHeaders } from '../transport/proxy/forwarded-headers.ts';
import { sendPageNotFound, sendText, sendWithHeaders, textType } from '../transport/response.ts';
import { ServiceResolutionError } from '../webhook/service-resolver.ts';
import type { RegisteredService } from './api-services.ts';
import { identityHeadersFor } from './identity.ts';
import { backendOf, type RemoteParts } from './remote-request.ts';
import type { RemoteServer } from './remote-server.ts';

export interface ServiceProxyOptions {
  readonly dialect: Dialect;
  /** The request headers with which proxies authenticate to this server. They are not forwarded. */
  readonly identityHeaders: IdentityHeaders;
  /** Whether X-Remote-Uid is sent. */
  readonly sendsUid: boolean;
}

/** A failure that the proxy reports itself: `code` is the response status, the message is the body. */
class ProxyError extends Error {
  readonly code: number;

  constructor(message: string, code = 503) {
    super(message);
    this.code = code;
  }
}

/** The aggregated API server responded with a redirect, which is not passed on to the client. */
class RedirectError extends Error {}

/** The requests are already authenticated and authorized. */
export class ServiceProxy {
  readonly #parts: RemoteParts;
  readonly #options: ServiceProxyOptions;

  constructor(parts: RemoteParts, options: ServiceProxyOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  async serve(
    exchange: Exchange,
    { remote, isAvailable }: RegisteredService & { readonly remote: RemoteServer },
  ): Promise<void> {
    // The aggregated server might resolve `..` to a path that this server has not authorized.
    if (exchange.info.path.split('/').some(isDotSegment)) return sendPageNotFound(exchange);
    if (!isAvailable) return sendText(exchange, 503, 'service unavailable\n');
    // A watch does not hold its APF seat for as long as it lasts.
    if (exchange.info.verb === 'watch') exchange.seat?.release();
    try {
      await this.#forward(exchange, remote);
    } catch (error) {
      if (error instanceof RedirectError) {
        sendWithHeaders(exchange, 502, ['Content-Type', textType], error.message);
      } else if (error instanceof ProxyError) {
        sendText(exchange, error.code, `${error.message}\n`);
      } else throw error;
    }
  }

  async #forward(exchange: Exchange, remote: RemoteServer): Promise<void> {
    const backend = this.#backendOf(remote);
    const isUpgrade = exchange instanceof HttpExchange && exchange.upgrade !== undefined;
    const { method = '' } = exchange.request;
    const { path, queryOffset } = exchange.info;
    const query = queryOffset < 0 ? '' : `?${exchange.request.url!.slice(queryOffset)}`;
    await forward({
      exchange,
      backend,
      request: {
        method,
        path: escapePath(path) + query,
        headers: this.#headers(exchange, backend, isUpgrade),
      },
      clock: this.#parts.clock,
      unreachable: (reason) =>
        new ProxyError(
          isUpgrade ? `error dialing backend: ${reason}` : `error trying to reach service: ${reason}`,
        ),
      rejectUpgrade: (message) => new ProxyError(message),
      rejectResponse: (response) => (isUpgrade ? upgradeError(response) : redirectError(response)),
      isAggregated: true,
    });
  }

  #backendOf(remote: RemoteServer): Backend {
    try {
      return backendOf(this.#parts, remote);
    } catch (error) {
      if (error instanceof ServiceResolutionError) throw new ProxyError('service unavailable');
      if (error instanceof InvalidCABundle) throw new ProxyError(error.message, 500);
      throw error;
    }
  }

  #headers(exchange: Exchange, backend: Backend, isUpgrade: boolean): OutgoingHttpHeaders {
    const { dialect, identityHeaders, sendsUid } = this.#options;
    const { bearerProtocolPrefix } = dialect.headers;
    const authority = authorityOf(backend);
    return {
      ...forwardedHeaders(exchange, bearerProtocolPrefix, identityHeaders),
      host: authority,
      'audit-id': exchange.auditId,
      ...(!isUpgrade && {
        'x-forwarded-host': authority,
        'x-forwarded-proto': 'https',
        'x-forwarded-uri': escapePath(exchange.info.path.replace(/\/{2,}/g, '/')),
      }),
      ...validatedHeaders(identityHeadersFor(exchange.user, { withUid: sendsUid })),
    };
  }
}

const isDotSegment = (segment: string) => segment === '.' || segment === '..';

/** Returns the headers. Throws if a user name, group or extra value has characters that a header value cannot have. */
function validatedHeaders(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  for (const [name, values] of Object.entries(headers)) {
    try {
      for (const value of [values].flat()) validateHeaderValue(name, String(value));
    } catch {
      throw new ProxyError(
        `error trying to reach service: net/http: invalid header field value for ${JSON.stringify(name)}`,
      );
    }
  }
  return headers;
}

const redirectMessage = 'the backend attempted to redirect this request, which is not permitted';

function redirectError({ statusCode = 0, headers }: IncomingMessage): Error | undefined {
  const isRedirect = statusCode >= 300 && statusCode < 400 && Boolean(headers.location);
  return isRedirect ? new RedirectError(redirectMessage) : undefined;
}

/** A failed upgrade must be an HTTP error: the client's following bytes are not a request. */
function upgradeError({ statusCode = 0 }: IncomingMessage): Error | undefined {
  return statusCode < 400 ? new ProxyError(`invalid upgrade response: status code ${statusCode}`) : undefined;
}
