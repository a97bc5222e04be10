import type { Client } from '../client/client.ts';
import type { Clock } from '../clock.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { ApiError } from '../errors/status.ts';
import {
  type Authenticator,
  authenticatedGroup,
  type Credentials,
  type Verdict,
  type Warn,
} from './authenticator.ts';
import { bearerToken } from './bearer-token.ts';
import { accountGroups, accountUser } from './service-account-names.ts';
import type { BoundTo, ServiceAccountTokens, TokenClaims } from './service-account-tokens.ts';

interface Parts {
  readonly tokens: ServiceAccountTokens;
  readonly client: Client;
  readonly clock: Clock;
  readonly dialect: Dialect;
}

/** Knows service accounts by the tokens that were made for them, as long as they and what the token is bound to are there. */
export class ServiceAccountAuthenticator implements Authenticator {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  authenticate(credentials: Credentials, warn: Warn): Verdict | Promise<Verdict> {
    const token = bearerToken(credentials, warn);
    if (token === '') return undefined;
    const { tokens, clock } = this.#parts;
    const claims = tokens.read(token, Math.floor(clock.now() / 1000));
    if (claims === undefined || claims === 'refused') return claims;
    if (!claims.audiences.some((audience) => tokens.audiences.includes(audience))) return 'refused';
    return this.#ownerOf(claims);
  }

  async #ownerOf(claims: TokenClaims): Promise<Verdict> {
    const { namespace, serviceAccount, pod, secret, node, id } = claims;
    const isThere = await Promise.all([
      this.#isThere('ServiceAccount', serviceAccount, namespace),
      pod === undefined || this.#isThere('Pod', pod, namespace),
      secret === undefined || this.#isThere('Secret', secret, namespace),
      node === undefined || pod !== undefined || this.#isThere('Node', node),
    ]);
    if (!isThere.every(Boolean)) return 'refused';
    const { userExtra } = this.#parts.dialect;
    return {
      name: accountUser(namespace, serviceAccount.name),
      uid: serviceAccount.uid,
      groups: [...accountGroups(namespace), authenticatedGroup],
      extra: {
        [userExtra.credentialId]: [`JTI=${id}`],
        ...(node && { [userExtra.nodeName]: [node.name], [userExtra.nodeUid]: [node.uid] }),
        ...(pod && { [userExtra.podName]: [pod.name], [userExtra.podUid]: [pod.uid] }),
      },
    };
  }

  async #isThere(kind: string, { name, uid }: BoundTo, namespace?: string): Promise<boolean> {
    try {
      const found = await this.#parts.client.get({
        apiVersion: 'v1',
        kind,
        name,
        ...(namespace !== undefined && { namespace }),
      });
      return found.metadata.uid === uid;
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return false;
      throw error;
    }
  }
}
