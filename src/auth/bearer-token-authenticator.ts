import {
  type AuthenticationResult,
  type Authenticator,
  InvalidCredentials,
  type RequestCredentials,
  type Warn,
} from '../request/authenticator.ts';

/** One way to know whose a bearer token is. Tokens that are not of its kind are left to the next. */
export interface TokenAuthenticator {
  authenticate(
    token: string,
    credentials: RequestCredentials,
    warn: Warn,
  ): AuthenticationResult | Promise<AuthenticationResult>;
}

/** Bearer tokens: asks each that knows tokens in turn. A token that none of them knows is wrong. */
export class BearerTokenAuthenticator implements Authenticator {
  readonly #audiences: readonly string[];
  readonly #authenticators: readonly TokenAuthenticator[];

  /** `audiences` are this server's own: a token that says nothing of whom it is meant for is meant for them. */
  constructor(audiences: readonly string[], authenticators: readonly TokenAuthenticator[]) {
    this.#audiences = audiences;
    this.#authenticators = authenticators;
  }

  authenticate(
    credentials: RequestCredentials,
    warn: Warn,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    const token = bearerToken(credentials, warn);
    return token === '' ? undefined : this.#ask(0, undefined, token, credentials, warn);
  }

  #ask(
    from: number,
    before: InvalidCredentials | undefined,
    token: string,
    credentials: RequestCredentials,
    warn: Warn,
  ): AuthenticationResult | Promise<AuthenticationResult> {
    let refused = before;
    for (let n = from; n < this.#authenticators.length; n++) {
      const verdict = this.#authenticators[n]!.authenticate(token, credentials, warn);
      if (verdict instanceof Promise) {
        return verdict.then((late) => {
          const owner = this.#restrict(late, credentials);
          if (owner !== undefined && !(owner instanceof InvalidCredentials)) return owner;
          return this.#ask(n + 1, refused ?? owner, token, credentials, warn);
        });
      }
      const owner = this.#restrict(verdict, credentials);
      if (owner instanceof InvalidCredentials) refused ??= owner;
      else if (owner !== undefined) return owner;
    }
    return refused === undefined
      ? unknownToken
      : new InvalidCredentials(`[${unknownToken.reason}, ${refused.reason}]`);
  }

  /** What says nothing of its audience is good for who asks for one of this server's. */
  #restrict(verdict: AuthenticationResult, { audiences }: RequestCredentials): AuthenticationResult {
    if (audiences === undefined || verdict === undefined || verdict instanceof InvalidCredentials)
      return verdict;
    if (verdict.audiences !== undefined) return verdict;
    const shared = this.#audiences.filter((audience) => audiences.includes(audience));
    return shared.length === 0 ? undefined : { user: verdict.user, audiences: shared };
  }
}

const unknownToken = new InvalidCredentials('invalid bearer token');

/** The bearer token a request carries; '' when it carries none. */
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
