import type { TLSSocket } from 'node:tls';
import type { Client } from '../client/client.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { Api } from '../registry/api.ts';
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
import { tokenDigest } from './token-digest.ts';

interface Parts {
  readonly api: Pick<Api, 'tokens' | 'store' | 'registry' | 'dialect' | 'clock'>;
  readonly client: Client;
  readonly logger: Logger;
  /** Whether tokens kept in Secrets are good only as long as these have them. */
  readonly lookup: boolean;
}

/** So many tokens are remembered, so that their signatures need not be checked again. */
const mostRemembered = 4096;

/** Knows service accounts by the tokens that were made for them, as long as they and what the token is bound to are there. */
export class ServiceAccountAuthenticator implements TokenAuthenticator {
  readonly #parts: Parts;
  /** By the token's digest; the longest known first. */
  readonly #owners = new Map<string, CachedToken>();
  /** Whose token a connection showed last: it mostly shows the same again. */
  #last = new WeakMap<TLSSocket, { readonly token: string; readonly owner: CachedToken }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  authenticate(
    token: string,
    { connection, audiences }: RequestCredentials,
    warn: Warn,
  ): AuthenticationResult {
    const last = connection && this.#last.get(connection);
    if (last?.token === token) return this.#admit(last.owner, audiences, warn);
    const owner = this.#ownerOf(token);
    if (owner === undefined || owner instanceof InvalidCredentials) return owner;
    if (connection) this.#last.set(connection, { token, owner });
    return this.#admit(owner, audiences, warn);
  }

  /** Forgets what is known of tokens, for a store that was put back to another state: it may be that of another server. */
  reset(): void {
    this.#owners.clear();
    this.#last = new WeakMap();
  }

  #ownerOf(token: string): CachedToken | InvalidCredentials | undefined {
    // What cannot be one is not worth a digest.
    if (!token.includes('.')) return undefined;
    const digest = tokenDigest(token);
    const remembered = this.#owners.get(digest);
    if (remembered !== undefined) return remembered;
    const { api, lookup } = this.#parts;
    const claims = api.tokens.parse(token);
    if (claims === undefined || claims instanceof InvalidCredentials) return claims;
    const owner = new CachedToken(
      'secretName' in claims
        ? new LegacyTokenValidator(token, claims, api, { lookup, recordUse: this.#noteUse.bind(this) })
        : new BoundTokenValidator(claims, api),
    );
    if (this.#owners.size >= mostRemembered) {
      for (const [oldest] of this.#owners) {
        this.#owners.delete(oldest);
        break;
      }
    }
    this.#owners.set(digest, owner);
    return owner;
  }

  /** Every request with such a token comes by here: what the token is bound to may be gone by now. */
  #admit(remembered: CachedToken, asked: readonly string[] | undefined, warn: Warn): AuthenticationResult {
    const { tokens, clock, store } = this.#parts.api;
    const { owner } = remembered;
    const now = Math.floor(clock.now() / 1000);
    if (asked === undefined && remembered.isFresh(now, store.revision)) return owner.identity;
    const meantFor = owner.claims.audiences.length > 0 ? owner.claims.audiences : tokens.audiences;
    const wanted = asked ?? tokens.audiences;
    if (!meantFor.some((audience) => wanted.includes(audience))) {
      return new InvalidCredentials(
        `token audiences ${shown(meantFor)} is invalid for the target audiences ${shown(wanted)}`,
      );
    }
    const problem = owner.validate(now);
    if (problem !== undefined) return new InvalidCredentials(problem);
    const { warning } = owner;
    if (warning !== undefined) warn(warning);
    else if (asked === undefined) remembered.markValid(now, store.revision);
    if (asked === undefined) return owner.identity;
    return { ...owner.identity, audiences: asked.filter((audience) => meantFor.includes(audience)) };
  }

  #noteUse({ metadata }: ApiObject, day: string): void {
    const { client, api, logger } = this.#parts;
    const { namespace = '', name = '' } = metadata;
    const note = async () => {
      const secret = await client.get({ apiVersion: 'v1', kind: 'Secret', namespace, name });
      const labels = { ...secret.metadata.labels, [api.dialect.labels.tokenLastUsed]: day };
      await client.update({ ...secret, metadata: { ...secret.metadata, labels } });
    };
    note().catch((err) =>
      logger.at(2, { err, namespace, name }, 'failed to record the use of a service account token'),
    );
  }
}

const shown = (audiences: readonly string[]) => `[${audiences.map((one) => JSON.stringify(one)).join(' ')}]`;

/** A token that was good is good again within the same second, if nothing at all has been written since. */
class CachedToken {
  readonly owner: TokenValidator;
  #second = -1;
  #revision = -1;

  constructor(owner: TokenValidator) {
    this.owner = owner;
  }

  isFresh(second: number, revision: number): boolean {
    return this.#second === second && this.#revision === revision;
  }

  markValid(second: number, revision: number): void {
    this.#second = second;
    this.#revision = revision;
  }
}
