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

  /**
   * Continues with the authenticator at index `from`; `previous` is the first rejection by those before it. Returns a
   * promise only if an authenticator does.
   */
  #authenticateFrom(
    from: number,
    previous: InvalidCredentials | undefined,
    token: string,
    credentials: RequestCredentials,
    warn: Warn,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    let firstRejection = previous;
    for (let n = from; n < this.#authenticators.length; n++) {
      const result = this.#authenticators[n]!.authenticate(token, credentials, warn);
      if (result instanceof Promise) {
        return result.then((awaited) => {
          const identity = this.#limitAudiences(awaited, credentials);
          if (identity !== undefined && !(identity instanceof InvalidCredentials)) return identity;
          return this.#authenticateFrom(n + 1, firstRejection ?? identity, token, credentials, warn);
        });
      }
      const identity = this.#limitAudiences(result, credentials);
      if (identity instanceof InvalidCredentials) firstRejection ??= identity;
      else if (identity !== undefined) return identity;
    }
    // Two errors have the format of a Go error aggregate.
    return firstRejection === undefined
      ? unknownToken
      : new InvalidCredentials(`[${unknownToken.reason}, ${firstRejection.reason}]`);
  }

  /**
   * A token that names no audiences is valid for the API server's own. For a request with `audiences` (TokenReview) the
   * result has those that are among them; undefined if none is.
   */
  #limitAudiences(result: AuthenticationResult, { audiences }: RequestCredentials): AuthenticationResult {
    if (audiences === undefined || result === undefined || result instanceof InvalidCredentials)
      return result;
    if (result.audiences !== undefined) return result;
    const requestedAudiences = this.#audiences.filter((audience) => audiences.includes(audience));
    return requestedAudiences.length === 0 ? undefined : { user: result.user, audiences: requestedAudiences };
  }
}

const unknownToken = new InvalidCredentials('invalid bearer token');

const scheme = 'bearer';
const tokenStart = scheme.length + 1;

/** The bearer token of a request; '' without one. What follows a space after the token is ignored. */
function bearerToken(credentials: RequestCredentials, warn: Warn): string {
  const header = credentials.authorization;
  if (header === undefined) return credentials.token ?? '';
  const trimmed = header.trim();
  const schemeEnd = trimmed.indexOf(' ');
  if (schemeEnd !== scheme.length || trimmed.slice(0, schemeEnd).toLowerCase() !== scheme) return '';
  if (trimmed[tokenStart] === ' ') {
    warn('the provided Authorization header contains extra space before the bearer token, and is ignored');
    return '';
  }
  const tokenEnd = trimmed.indexOf(' ', tokenStart);
  return tokenEnd < 0 ? trimmed.slice(tokenStart) : trimmed.slice(tokenStart, tokenEnd);
}
