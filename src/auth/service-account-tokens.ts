import { createPrivateKey, createPublicKey, type KeyObject, randomUUID, sign, verify } from 'node:crypto';
import type { Dialect } from '../dialect/dialect.ts';
import { accountUser } from './service-account-names.ts';

/** What a token is bound to: it is good only as long as that is there. */
export interface BoundTo {
  readonly name: string;
  readonly uid: string;
}

/** What a token says. */
export interface TokenClaims {
  readonly namespace: string;
  readonly serviceAccount: BoundTo;
  readonly audiences: readonly string[];
  readonly pod?: BoundTo;
  readonly secret?: BoundTo;
  readonly node?: BoundTo;
  /** Seconds since the epoch. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly id: string;
}

/** Makes and reads the tokens of service accounts: JWTs signed with a key that the server alone has. */
export class ServiceAccountTokens {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly #claim: string;
  readonly #private: KeyObject;
  readonly #public: KeyObject;

  /** `key` is the PEM of a P-256 private key. */
  constructor(key: string, dialect: Dialect) {
    this.issuer = dialect.clusterAudience;
    this.audiences = [dialect.clusterAudience];
    this.#claim = dialect.tokenClaim;
    this.#private = createPrivateKey(key);
    this.#public = createPublicKey(this.#private);
  }

  issue(claims: Omit<TokenClaims, 'id'>): string {
    const { namespace, serviceAccount, audiences, pod, secret, node, issuedAt, expiresAt } = claims;
    const payload = {
      aud: audiences,
      exp: expiresAt,
      iat: issuedAt,
      iss: this.issuer,
      jti: randomUUID(),
      [this.#claim]: {
        namespace,
        ...(node && { node }),
        ...(pod && { pod }),
        ...(secret && { secret }),
        serviceaccount: serviceAccount,
      },
      nbf: issuedAt,
      sub: accountUser(namespace, serviceAccount.name),
    };
    const signed = `${part({ alg: 'ES256', typ: 'JWT' })}.${part(payload)}`;
    const key = { key: this.#private, dsaEncoding: 'ieee-p1363' } as const;
    return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  }

  /** What a token of ours says; undefined where it is none, `'refused'` where it is but is not good at `now` (seconds). */
  read(token: string, now: number): TokenClaims | 'refused' | undefined {
    const parts = token.split('.');
    if (parts.length !== 3) return undefined;
    const claimed = parsePart<Payload>(parts[1]!);
    if (claimed?.iss !== this.issuer) return undefined;
    const signed = Buffer.from(`${parts[0]}.${parts[1]}`);
    const key = { key: this.#public, dsaEncoding: 'ieee-p1363' } as const;
    const isOurs =
      parsePart<{ alg: string }>(parts[0]!)?.alg === 'ES256' &&
      verify('sha256', signed, key, Buffer.from(parts[2]!, 'base64url'));
    if (!isOurs) return 'refused';
    const payload = claimed as Payload;
    if (!(payload.exp > now) || !(payload.nbf <= now)) return 'refused';
    const { namespace, serviceaccount, pod, secret, node } = payload[this.#claim] as Owner;
    return {
      namespace,
      serviceAccount: serviceaccount,
      audiences: payload.aud,
      ...(pod && { pod }),
      ...(secret && { secret }),
      ...(node && { node }),
      issuedAt: payload.iat,
      expiresAt: payload.exp,
      id: payload.jti,
    };
  }
}

/** What a token of ours holds beside its owner, who stands under a claim that the dialect names. */
interface Payload {
  readonly iss: string;
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly nbf: number;
  readonly jti: string;
  readonly [claim: string]: unknown;
}

interface Owner {
  readonly namespace: string;
  readonly serviceaccount: BoundTo;
  readonly pod?: BoundTo;
  readonly secret?: BoundTo;
  readonly node?: BoundTo;
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** What a part says that claims to be such. Believed only once the signature has been checked. */
function parsePart<T>(text: string): Partial<T> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Partial<T>) : undefined;
  } catch {
    return undefined;
  }
}
