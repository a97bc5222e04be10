// Authentication filter: finds the user of a request by its credentials.
//
// On the plain port (HTTP on loopback, for `orch dev`) a request without credentials runs as the developer, an
// administrator. A web page could make the developer's browser send such requests, so cross-origin requests are rejected
// there.
import { TLSSocket } from 'node:tls';
import {
  type AuthenticatorChain,
  anonymous,
  developer,
  type Identity,
  InvalidCredentials,
  type RequestCredentials,
} from '../../request/authenticator.ts';
import type { Exchange, HttpExchange } from '../../transport/exchange.ts';
import type { Refresh } from './authorization.ts';

export interface AuthenticationOptions {
  readonly authenticators: AuthenticatorChain;
  /** Allow requests without credentials, as user system:anonymous. */
  readonly anonymousAuth: boolean;
  /** Close an HTTP/2 connection after an anonymous request (feature gate UnauthenticatedHTTP2DOSMitigation). */
  readonly closesAnonymousHttp2: boolean;
  readonly refresh: Refresh;
}

export class AuthenticationFilter {
  readonly #options: AuthenticationOptions;
  /** The identity of requests without credentials; undefined if they are rejected. */
  readonly #anonymousIdentity: Identity | undefined;

  constructor(options: AuthenticationOptions) {
    this.#options = options;
    this.#anonymousIdentity = options.anonymousAuth ? { user: anonymous } : undefined;
  }

  authenticate(
    exchange: HttpExchange,
    isPlainPort: boolean,
  ): Identity | InvalidCredentials | Promise<Identity | InvalidCredentials> {
    const identity = this.#identify(exchange, isPlainPort);
    if (!(identity instanceof Promise || identity instanceof InvalidCredentials)) return identity;
    return this.#retryRejected(identity, exchange, isPlainPort);
  }

  /**
   * An HTTP/2 connection serves one request that is anonymous or has invalid credentials: opening another connection costs
   * an attacker more than the server.
   */
  closeIfAnonymous({ request }: HttpExchange, identity: Identity | InvalidCredentials): void {
    if (!this.#options.closesAnonymousHttp2) return;
    if (!(identity instanceof InvalidCredentials) && identity.user !== anonymous) return;
    if ('stream' in request) request.stream.session?.close();
  }

  /** Authenticates rejected credentials again once this replica is current: another replica may have just stored them. */
  async #retryRejected(
    firstResult: InvalidCredentials | Promise<Identity | InvalidCredentials>,
    exchange: HttpExchange,
    isPlainPort: boolean,
  ): Promise<Identity | InvalidCredentials> {
    const identity = await firstResult;
    if (!(identity instanceof InvalidCredentials) || !(await this.#options.refresh())) return identity;
    return this.#identify(exchange, isPlainPort);
  }

  #identify(
    exchange: HttpExchange,
    isPlainPort: boolean,
  ): Identity | InvalidCredentials | Promise<Identity | InvalidCredentials> {
    // Without TLS there is no client certificate: only a bearer token, also in a WebSocket handshake, names another user.
    if (
      isPlainPort &&
      exchange.request.headers.authorization === undefined &&
      exchange.upgrade?.token === undefined
    ) {
      return developerIdentity;
    }
    return this.#options.authenticators.authenticate(
      credentialsOf(exchange),
      isPlainPort ? developerIdentity : this.#anonymousIdentity,
      (text) => exchange.warnings.push(text),
    );
  }
}

const developerIdentity: Identity = { user: developer };

function credentialsOf(exchange: HttpExchange): RequestCredentials {
  const { rawHeaders, socket } = exchange.request;
  return {
    authorization: exchange.request.headers.authorization,
    token: exchange.upgrade?.token,
    connection: socket instanceof TLSSocket ? socket : undefined,
    rawHeaders,
  };
}

/** Why a request on the plain port is not from a local client (DNS rebinding, a page of another origin), or undefined. */
export function crossOriginProblem(exchange: Exchange, port: number): string | undefined {
  const host = exchange.request.headers.host ?? '';
  if (!isLoopbackHost(host, port)) return `Host ${JSON.stringify(host)} is not this server on loopback`;
  const origin = exchange.request.headers.origin;
  if (origin !== undefined && !isLoopbackOrigin(origin, port)) {
    return `Origin ${JSON.stringify(origin)} is not this server on loopback`;
  }
  const site = exchange.request.headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site') return 'the request comes from another web site';
  return undefined;
}

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

function isLoopbackHost(host: string, port: number): boolean {
  return (
    loopbackHosts.some((name) => host.toLowerCase() === `${name}:${port}`) ||
    (port === 80 && loopbackHosts.includes(host.toLowerCase()))
  );
}

function isLoopbackOrigin(origin: string, port: number): boolean {
  return origin.startsWith('http://') && isLoopbackHost(origin.slice('http://'.length), port);
}
