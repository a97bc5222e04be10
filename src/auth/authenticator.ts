import type { TLSSocket } from 'node:tls';
import type { User } from '../http/exchange.ts';
import { bearerToken } from './bearer-token.ts';

/** What a request shows of who sends it. */
export interface Credentials {
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** A bearer token that came some other way (a WebSocket's subprotocol). */
  readonly token: string | undefined;
  /** The TLS connection, for its client certificate; undefined on plain HTTP. */
  readonly connection: TLSSocket | undefined;
}

/** Texts for the client on the way: an authenticator may have something to say about what it ignored. */
export type Warn = (text: string) => void;

/**
 * One way to know who sends a request. `undefined`: these credentials are not of its kind, ask the next;
 * `'refused'`: they are, and they are wrong.
 */
export interface Authenticator {
  authenticate(credentials: Credentials, warn: Warn): Verdict | Promise<Verdict>;
}

export type Verdict = User | 'refused' | undefined;

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

/**
 * Asks each in turn; the first that knows the sender decides. One that refuses does not: another may know the sender
 * (a certificate from elsewhere beside a good token), but once one has refused, nobody is let in as `otherwise`.
 */
export class AuthenticatorChain {
  readonly #authenticators: readonly Authenticator[];

  constructor(authenticators: readonly Authenticator[]) {
    this.#authenticators = authenticators;
  }

  /** Who sends this, `otherwise` when it shows no credentials at all, undefined when what it shows is wrong. */
  identify(
    credentials: Credentials,
    otherwise: User,
    warn: Warn,
  ): User | undefined | Promise<User | undefined> {
    return this.#ask(0, false, credentials, otherwise, warn);
  }

  /** Asks from the nth on. Most know at once, and every request comes by here: only one that takes its time is awaited. */
  #ask(
    from: number,
    refusedBefore: boolean,
    credentials: Credentials,
    otherwise: User,
    warn: Warn,
  ): User | undefined | Promise<User | undefined> {
    let refused = refusedBefore;
    for (let n = from; n < this.#authenticators.length; n++) {
      const verdict = this.#authenticators[n]!.authenticate(credentials, warn);
      if (verdict instanceof Promise) {
        return verdict.then((late) =>
          late === undefined || late === 'refused'
            ? this.#ask(n + 1, refused || late === 'refused', credentials, otherwise, warn)
            : late,
        );
      }
      if (verdict === 'refused') refused = true;
      else if (verdict !== undefined) return verdict;
    }
    // A token that none of them has even looked at is as wrong as one that they refuse.
    return refused || bearerToken(credentials, warn) !== '' ? undefined : otherwise;
  }
}
