// Authenticators: find the user of a request by its credentials.
import type { TLSSocket } from 'node:tls';
import type { User } from './user.ts';

/** The credentials of a request. */
export interface RequestCredentials {
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** A bearer token that was not sent in the header (WebSocket subprotocol). */
  readonly token: string | undefined;
  /** The TLS connection, for its client certificate; undefined on plain HTTP. */
  readonly connection: TLSSocket | undefined;
  /** All headers, names and values alternating; a front proxy names the user in them. */
  readonly rawHeaders: readonly string[];
  /** Accepted audiences of a token; undefined for those of the API server. */
  readonly audiences?: readonly string[];
}

/** Adds a Warning header to the response. */
export type Warn = (text: string) => void;

/** An authenticated user. */
export interface Identity {
  readonly user: User;
  /** The accepted audiences that the credentials are valid for; undefined if they name no audiences. */
  readonly audiences?: readonly string[];
}

/** Credentials that are not valid. The reason is for TokenReview; the client itself only gets 401. */
export class InvalidCredentials {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** `undefined`: the authenticator does not handle this type of credentials. */
export type AuthenticationResult = Identity | InvalidCredentials | undefined;

export interface Authenticator {
  authenticate(
    credentials: RequestCredentials,
    warn: Warn,
  ): AuthenticationResult | Promise<AuthenticationResult>;
}

export const authenticatedGroup = 'system:authenticated';
export const unauthenticatedGroup = 'system:unauthenticated';
export const mastersGroup = 'system:masters';

export const anonymous: User = {
  name: 'system:anonymous',
  uid: '',
  groups: [unauthenticatedGroup],
  extra: {},
};

/** The user of requests without credentials on the plain port of `orch dev`. */
export const developer: User = {
  name: 'system:admin',
  uid: '',
  groups: [mastersGroup, authenticatedGroup],
  extra: {},
};

/** Adds system:authenticated, except to the anonymous user. */
export function withAuthenticatedGroup(user: User): User {
  const { name, groups } = user;
  const hasGroup = groups.includes(authenticatedGroup) || groups.includes(unauthenticatedGroup);
  return hasGroup || name === anonymous.name ? user : { ...user, groups: [...groups, authenticatedGroup] };
}

/**
 * The first authenticator that succeeds decides. Invalid credentials do not: others may be valid (a certificate of
 * another CA beside a valid token). After invalid credentials, however, a request is never treated as anonymous.
 */
export class AuthenticatorChain {
  readonly #authenticators: readonly Authenticator[];

  constructor(authenticators: readonly Authenticator[]) {
    this.#authenticators = authenticators;
  }

  /** `fallback` is the identity of a request without credentials, if there is one. */
  authenticate(
    credentials: RequestCredentials,
    fallback: Identity | undefined,
    warn: Warn,
  ): Identity | InvalidCredentials | Promise<Identity | InvalidCredentials> {
    return this.#authenticateFrom(0, undefined, credentials, fallback, warn);
  }

  /** Continues at index `from`. Does not await synchronous results: every request takes this path. */
  #authenticateFrom(
    from: number,
    earlierRejection: InvalidCredentials | undefined,
    credentials: RequestCredentials,
    fallback: Identity | undefined,
    warn: Warn,
  ): Identity | InvalidCredentials | Promise<Identity | InvalidCredentials> {
    let firstRejection = earlierRejection;
    for (let n = from; n < this.#authenticators.length; n++) {
      const result = this.#authenticators[n]!.authenticate(credentials, warn);
      if (result instanceof Promise) {
        return result.then((awaited) =>
          awaited === undefined || awaited instanceof InvalidCredentials
            ? this.#authenticateFrom(n + 1, firstRejection ?? awaited, credentials, fallback, warn)
            : awaited,
        );
      }
      if (result instanceof InvalidCredentials) firstRejection ??= result;
      else if (result !== undefined) return result;
    }
    return firstRejection ?? fallback ?? noCredentials;
  }
}

const noCredentials = new InvalidCredentials('no credentials');
