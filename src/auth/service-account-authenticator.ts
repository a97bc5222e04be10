// Authentication with service account tokens (JWT).
import type { TLSSocket } from 'node:tls';
import { digestOf } from '../base/digest.ts';
import { entryBytes, LruCache } from '../base/lru-cache.ts';
import type { Client } from '../client/client.ts';
import type { StorageContext } from '../registry/verb-context.ts';
import {
  type AuthenticationResult,
  InvalidCredentials,
  type RequestCredentials,
  type Warn,
} from '../request/authenticator.ts';
import type { Logger } from '../telemetry/log.ts';
import type { TokenAuthenticator } from './bearer-token-authenticator.ts';
import { BoundTokenValidator, type TokenValidator } from './bound-token-validator.ts';
import { LegacyTokenValidator } from './legacy-token-validator.ts';
import type { ServiceAccountTokens } from './service-account-tokens.ts';

interface ServiceAccountAuthenticatorParts {
  readonly api: Pick<StorageContext, 'store' | 'registry' | 'dialect' | 'clock'>;
  readonly tokens: ServiceAccountTokens;
  readonly client: Client;
  readonly logger: Logger;
  /** Whether legacy tokens are validated against their Secret (--service-account-lookup). */
  readonly lookup: boolean;
}

/** Bounds the cache of tokens whose signature has been verified: some thousand tokens of usual length. */
const maxCachedBytes = 32 * 1024 * 1024;
/** Approximate memory of the validator of a token, beside its claims. */
const validatorBytes = 2_000;

/** Signatures are verified once per token; the referenced objects are checked again on every request. */
export class ServiceAccountAuthenticator implements TokenAuthenticator {
  readonly #parts: ServiceAccountAuthenticatorParts;
  /** By token digest. */
  readonly #tokens = new LruCache<CachedToken>({
    maxWeight: maxCachedBytes,
    weightOf: ({ tokenLength }) => entryBytes + validatorBytes + 2 * tokenLength,
  });
  /** The last token of each connection: most connections always send the same one. */
  #last = new WeakMap<TLSSocket, { readonly token: string; readonly cached: CachedToken }>();

  constructor(parts: ServiceAccountAuthenticatorParts) {
    this.#parts = parts;
  }

  authenticate(
    token: string,
    { connection, audiences }: RequestCredentials,
    warn: Warn,
  ): AuthenticationResult {
    const last = connection && this.#last.get(connection);
    if (last?.token === token) return this.#authenticateVerified(last.cached, audiences, warn);
    const cached = this.#parseCached(token);
    if (cached === undefined || cached instanceof InvalidCredentials) return cached;
    if (connection) this.#last.set(connection, { token, cached });
    return this.#authenticateVerified(cached, audiences, warn);
  }

  /** Drops the cache after the store was restored: it may now contain another server's state. */
  reset(): void {
    this.#tokens.clear();
    this.#last = new WeakMap();
  }

  /** Parses a token and verifies its signature, unless it is cached. Undefined for a token of another issuer. */
  #parseCached(token: string): CachedToken | InvalidCredentials | undefined {
    // Not a JWT: skip the digest.
    if (!token.includes('.')) return undefined;
    const digest = digestOf(token);
    const known = this.#tokens.get(digest);
    if (known !== undefined) return known;
    const { api, tokens, lookup } = this.#parts;
    const claims = tokens.parse(token);
    if (claims === undefined || claims instanceof InvalidCredentials) return claims;
    const cached = new CachedToken(
      token.length,
      'secretName' in claims
        ? new LegacyTokenValidator(token, claims, api, { lookup, recordUse: this.#recordUse.bind(this) })
        : new BoundTokenValidator(claims, api),
    );
    this.#tokens.set(digest, cached);
    return cached;
  }

  /**
   * Checks audiences, times and bound objects of a token whose signature is valid. Runs on every request: the bound
   * objects may have been deleted since the last one. `requested` are the audiences of a TokenReview; undefined for other
   * requests.
   */
  #authenticateVerified(
    cached: CachedToken,
    requested: readonly string[] | undefined,
    warn: Warn,
  ): AuthenticationResult {
    const { tokens, api } = this.#parts;
    const { clock, store } = api;
    const { validator } = cached;
    const nowSeconds = Math.floor(clock.now() / 1000);
    if (requested === undefined && cached.isFresh(nowSeconds, store.revision)) return validator.identity;
    const audiences = validator.claims.audiences.length > 0 ? validator.claims.audiences : tokens.audiences;
    const accepted = requested ?? tokens.audiences;
    if (!audiences.some((audience) => accepted.includes(audience))) {
      return new InvalidCredentials(
        `token audiences ${formatAudiences(audiences)} is invalid for the target audiences ${formatAudiences(accepted)}`,
      );
    }
    const problem = validator.findProblem(nowSeconds);
    if (problem !== undefined) return new InvalidCredentials(problem);
    // A token with a warning is not marked, so that every request gets the warning.
    const { warning } = validator;
    if (warning !== undefined) warn(warning);
    else if (requested === undefined) cached.markValid(nowSeconds, store.revision);
    if (requested === undefined) return validator.identity;
    return { ...validator.identity, audiences: requested.filter((audience) => audiences.includes(audience)) };
  }

  /** Does not delay the request; the use is recorded once a day. */
  #recordUse(namespace: string, name: string, day: string): void {
    const { client, api, logger } = this.#parts;
    const record = async () => {
      const secret = await client.get({ apiVersion: 'v1', kind: 'Secret', namespace, name });
      const labels = { ...secret.metadata.labels, [api.dialect.labels.tokenLastUsed]: day };
      await client.update({ ...secret, metadata: { ...secret.metadata, labels } });
    };
    record().catch((err) =>
      logger.verbose(2, { err, namespace, name }, 'failed to record the use of a service account token'),
    );
  }
}

const formatAudiences = (audiences: readonly string[]) =>
  `[${audiences.map((audience) => JSON.stringify(audience)).join(' ')}]`;

/** A valid token stays valid within the same second while the store's revision does not change. */
class CachedToken {
  readonly tokenLength: number;
  readonly validator: TokenValidator;
  #validAtSecond = -1;
  #validAtRevision = -1;

  constructor(tokenLength: number, validator: TokenValidator) {
    this.tokenLength = tokenLength;
    this.validator = validator;
  }

  isFresh(second: number, revision: number): boolean {
    return this.#validAtSecond === second && this.#validAtRevision === revision;
  }

  markValid(second: number, revision: number): void {
    this.#validAtSecond = second;
    this.#validAtRevision = revision;
  }
}
