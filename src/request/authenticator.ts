// Authenticators: who a request's credentials belong to.
import type { TLSSocket } from 'node:tls';
import type { User } from './user.ts';

/** What a request shows of who sends it. */
export interface RequestCredentials {
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** A bearer token that came some other way (a WebSocket's subprotocol). */
  readonly token: string | undefined;
  /** The TLS connection, for its client certificate; undefined on plain HTTP. */
  readonly connection: TLSSocket | undefined;
  /** All headers, names and values in turn: a proxy names there whom it speaks for. */
  readonly rawHeaders: readonly string[];
  /** Whom a token must be meant for, at least one of them; undefined: this server. */
  readonly audiences?: readonly string[];
}

/** Texts for the client on the way: an authenticator may have something to say about what it ignored. */
export type Warn = (text: string) => void;

/** Somebody who is known. */
export interface Identity {
  readonly user: User;
  /** Whom of those asked for the credentials are meant for; undefined where they say nothing of it. */
  readonly audiences?: readonly string[];
}

/** Credentials that are wrong. The reason is for those who ask about a token, not for who shows it. */
export class InvalidCredentials {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** `undefined`: these credentials are not of this kind, ask the next. */
export type AuthenticationResult = Identity | InvalidCredentials | undefined;

/** One way to know who sends a request. */
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

/** The caller of a development server's plain port. */
export const developer: User = {
  name: 'system:admin',
  uid: '',
  groups: [mastersGroup, authenticatedGroup],
  extra: {},
};

/** Somebody who has proved who they are, which puts them into one more group. */
export function withAuthenticatedGroup(user: User): User {
  const { name, groups } = user;
  const isSaid = groups.includes(authenticatedGroup) || groups.includes(unauthenticatedGroup);
  return isSaid || name === anonymous.name ? user : { ...user, groups: [...groups, authenticatedGroup] };
}

/**
 * Asks each in turn; the first that knows the sender decides. One that refuses does not: another may know the sender
 * (a certificate from elsewhere beside a good token), but once one has refused, nobody is let in as `otherwise`.
 */
export class AuthenticatorChain {
  readonly #authenticators: readonly Authenticator[];

  constructor(authenticators: readonly Authenticator[]) {
    this.#authenticators = authenticators;
  }

  /** Who sends this; `otherwise` when it shows no credentials at all, if that is anybody. */
  authenticate(
    credentials: RequestCredentials,
    otherwise: Identity | undefined,
    warn: Warn,
  ): Identity | InvalidCredentials | Promise<Identity | InvalidCredentials> {
    return this.#ask(0, undefined, credentials, otherwise, warn);
  }

  /** Asks from the nth on. Most know at once, and every request comes by here: only one that takes its time is awaited. */
  #ask(
    from: number,
    before: InvalidCredentials | undefined,
    credentials: RequestCredentials,
    otherwise: Identity | undefined,
    warn: Warn,
  ): Identity | InvalidCredentials | Promise<Identity | InvalidCredentials> {
    let refused = before;
    for (let n = from; n < this.#authenticators.length; n++) {
      const verdict = this.#authenticators[n]!.authenticate(credentials, warn);
      if (verdict instanceof Promise) {
        return verdict.then((late) =>
          late === undefined || late instanceof InvalidCredentials
            ? this.#ask(n + 1, refused ?? late, credentials, otherwise, warn)
            : late,
        );
      }
      if (verdict instanceof InvalidCredentials) refused ??= verdict;
      else if (verdict !== undefined) return verdict;
    }
    return refused ?? otherwise ?? noCredentials;
  }
}

const noCredentials = new InvalidCredentials('no credentials');
