// Authentication with bearer tokens: a union of token authenticators.
import {
  type AuthenticationResult,
  type Authenticator,
  InvalidCredentials,
  type RequestCredentials,
  type Warn,
} from '../request/authenticator.ts';

/** Authenticates one type of bearer token. `undefined`: the token is of another type. */
export interface TokenAuthenticator {
  authenticate(
    token: string,
    credentials: RequestCredentials,
    warn: Warn,
  ): AuthenticationResult | Promise<AuthenticationResult>;
}

/** Tries each token authenticator. A token that none of them recognizes is invalid. */
export class BearerTokenAuthenticator implements Authenticator {
  readonly #audiences: readonly string[];
  readonly #authenticators: readonly TokenAuthenticator[];

  /** `audiences` are the API server's own; a token without audiences is valid for them. */
  constructor(audiences: readonly string[], authenticators: readonly TokenAuthenticator[]) {
    this.#audiences = audiences;
    this.#authenticators = authenticators;
  }

  authenticate(
    credentials: RequestCredentials,
    warn: Warn,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    const token = bearerToken(credentials, warn);
    return token === '' ? undefined : this.#authenticateFrom(0, undefined, token, credentials, warn);
  }

  #authenticateFrom(
    from: number,
    previous: InvalidCredentials | undefined,
    token: string,
    credentials: RequestCredentials,
    warn: Warn,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    let rejected = previous;
    for (let n = from; n < this.#authenticators.length; n++) {
      const result = this.#authenticators[n]!.authenticate(token, credentials, warn);
      if (result instanceof Promise) {
        return result.then((awaited) => {
          const identity = this.#restrict(awaited, credentials);
          if (identity !== undefined && !(identity instanceof InvalidCredentials)) return identity;
          return this.#authenticateFrom(n + 1, rejected ?? identity, token, credentials, warn);
        });
      }
      const identity = this.#restrict(result, credentials);
      if (identity instanceof InvalidCredentials) rejected ??= identity;
      else if (identity !== undefined) return identity;
    }
    return rejected === undefined
      ? unknownToken
      : new InvalidCredentials(`[${unknownToken.reason}, ${rejected.reason}]`);
  }

  /** Limits a token without audiences to the requested ones of the API server. */
  #restrict(result: AuthenticationResult, { audiences }: RequestCredentials): AuthenticationResult {
    if (audiences === undefined || result === undefined || result instanceof InvalidCredentials)
      return result;
    if (result.audiences !== undefined) return result;
    const shared = this.#audiences.filter((audience) => audiences.includes(audience));
    return shared.length === 0 ? undefined : { user: result.user, audiences: shared };
  }
}

const unknownToken = new InvalidCredentials('invalid bearer token');

/** The bearer token of a request; '' without one. */
function bearerToken(credentials: RequestCredentials, warn: Warn): string {
  const header = credentials.authorization;
  if (header === undefined) return credentials.token ?? '';
  const trimmed = header.trim();
  const space = trimmed.indexOf(' ');
  if (space !== 6 || trimmed.slice(0, 6).toLowerCase() !== 'bearer') return '';
  if (trimmed.charCodeAt(7) === 32) {
    warn('the provided Authorization header contains extra space before the bearer token, and is ignored');
    return '';
  }
  const end = trimmed.indexOf(' ', 7);
  return end < 0 ? trimmed.slice(7) : trimmed.slice(7, end);
}
