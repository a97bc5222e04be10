// Service account tokens: issues and verifies the JWTs that the server signs.
import { randomUUID } from 'node:crypto';
import type { Dialect } from '../dialect/dialect.ts';
import { InvalidCredentials } from '../request/authenticator.ts';
import { accountUser } from '../request/service-account-names.ts';
import type { BoundObject, TokenIssuer, TokenParameters } from '../request/token-issuer.ts';
import {
  jsonWebKeySet,
  type SigningKey,
  signText,
  type VerificationKey,
  verifySignature,
} from './token-keys.ts';

/** Claims of every token. Times are seconds since the epoch. */
export interface TokenClaims {
  readonly audiences: readonly string[];
  readonly subject: string;
  readonly id: string;
  readonly issuedAt: number | undefined;
  readonly notBefore: number | undefined;
  readonly expiresAt: number | undefined;
}

/** Claims of a token from the TokenRequest API, which expires. */
export interface BoundClaims extends TokenClaims {
  readonly namespace: string;
  readonly account: BoundObject;
  readonly pod?: BoundObject;
  readonly secret?: BoundObject;
  readonly node?: BoundObject;
}

/** Claims of a legacy token, which is stored in a Secret and does not expire. */
export interface LegacyClaims extends TokenClaims {
  readonly namespace: string;
  readonly account: BoundObject;
  readonly secretName: string;
}

export type ParsedClaims = BoundClaims | LegacyClaims;

export interface ServiceAccountTokenOptions {
  readonly signingKey: SigningKey;
  /** Additional verification keys (--service-account-key-file). */
  readonly keys: readonly VerificationKey[];
  /** The first one issues new tokens; empty for the default issuer. */
  readonly issuers: readonly string[];
  /** The API server's audiences; empty for its issuers. */
  readonly audiences: readonly string[];
  /** Maximum lifetime of a new token in seconds; 0 for no limit. */
  readonly maxExpirationSeconds: number;
  /** Extends pod tokens to a year, for clients that do not reload them. */
  readonly extendExpiration: boolean;
}

/** The text of kube-apiserver's JWT library, which TokenReview shows. */
const signatureMismatch = 'go-jose/go-jose: error in cryptographic primitive';
/** Bounds the work of decoding: the server issues no longer tokens. */
const maxTokenLength = 64 * 1024;

export class ServiceAccountTokens implements TokenIssuer {
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  readonly keys: readonly VerificationKey[];
  readonly maxExpirationSeconds: number;
  readonly extendExpiration: boolean;
  /** The private claim of bound tokens, and the prefix of those of legacy tokens. */
  readonly #claimName: string;
  readonly #legacyIssuer: string;
  readonly #signingKey: SigningKey;

  constructor(options: ServiceAccountTokenOptions, dialect: Dialect) {
    this.issuers = options.issuers.length > 0 ? options.issuers : [dialect.clusterAudience];
    this.audiences = options.audiences.length > 0 ? options.audiences : this.issuers;
    this.maxExpirationSeconds = options.maxExpirationSeconds;
    this.extendExpiration = options.extendExpiration;
    this.#claimName = dialect.tokenClaim;
    this.#legacyIssuer = dialect.legacyTokenIssuer;
    this.#signingKey = options.signingKey;
    const isListed = options.keys.some(({ id }) => id === options.signingKey.id);
    this.keys = isListed ? options.keys : [...options.keys, options.signingKey];
  }

  get signingKeyId(): string {
    return this.#signingKey.id;
  }

  /** The JSON Web Key Set with which other parties verify tokens. */
  keySet(): object {
    return jsonWebKeySet(this.keys);
  }

  issue(token: TokenParameters): { readonly text: string; readonly id: string } {
    const { namespace, account, audiences, pod, secret, node, issuedAt, expiresAt, warnAfter } = token;
    const id = randomUUID();
    const payload = {
      aud: audiences,
      exp: expiresAt,
      iat: issuedAt,
      iss: this.issuers[0],
      jti: id,
      [this.#claimName]: { namespace, node, pod, secret, serviceaccount: account, warnafter: warnAfter },
      nbf: issuedAt,
      sub: accountUser(namespace, account.name),
    };
    return { text: this.#sign(payload), id };
  }

  issueLegacy({
    namespace,
    account,
    secretName,
  }: Pick<LegacyClaims, 'namespace' | 'account' | 'secretName'>): string {
    const claimName = (name: string) => `${this.#claimName}/serviceaccount/${name}`;
    return this.#sign({
      iss: this.#legacyIssuer,
      [claimName('namespace')]: namespace,
      [claimName('secret.name')]: secretName,
      [claimName('service-account.name')]: account.name,
      [claimName('service-account.uid')]: account.uid,
      sub: accountUser(namespace, account.name),
    });
  }

  /** Parses a token and verifies its signature, not its times; undefined if another issuer issued it. */
  parse(token: string): ParsedClaims | InvalidCredentials | undefined {
    if (token.length > maxTokenLength) return undefined;
    const [encodedHeader = '', encodedPayload = '', signature = '', ...surplus] = token.split('.');
    if (surplus.length > 0 || ![encodedHeader, encodedPayload, signature].every(isBase64Url))
      return undefined;
    const header = parsePart(encodedHeader);
    const payload = parsePart(encodedPayload);
    if (header === undefined || payload === undefined) return undefined;
    const isLegacy = payload.iss === this.#legacyIssuer;
    if (!isLegacy && !this.issuers.includes(stringOrEmpty(payload.iss))) return undefined;
    // No claim but the issuer may be used before the signature is verified.
    const problem = this.#signatureProblem(header, `${encodedHeader}.${encodedPayload}`, signature);
    if (problem !== undefined) return new InvalidCredentials(problem);
    const commonClaims = parseCommonClaims(payload);
    if (typeof commonClaims === 'string')
      return new InvalidCredentials(`go-jose/go-jose/jwt: ${commonClaims}`);
    return isLegacy
      ? this.#parseLegacyClaims(payload, commonClaims)
      : this.#parseBoundClaims(payload, commonClaims);
  }

  #sign(payload: object): string {
    const signed = `${encodePart({ alg: this.#signingKey.algorithm, kid: this.#signingKey.id })}.${encodePart(payload)}`;
    return `${signed}.${signText(this.#signingKey, signed)}`;
  }

  #signatureProblem(header: JsonObject, signed: string, signature: string): string | undefined {
    // RFC 7515: a token with extensions that this server does not implement is invalid.
    if (header.crit !== undefined) return signatureMismatch;
    const id = stringOrEmpty(header.kid);
    const keys = id === '' ? this.keys : this.keys.filter((key) => key.id === id);
    if (keys.length === 0) return 'invalid signature, no keys found';
    const isVerified = keys.some(
      (key) => key.algorithm === header.alg && verifySignature(key, signed, signature),
    );
    return isVerified ? undefined : signatureMismatch;
  }

  #parseBoundClaims(payload: JsonObject, commonClaims: TokenClaims): BoundClaims {
    const privateClaim = objectOrEmpty(payload[this.#claimName]);
    const { pod, secret, node } = privateClaim;
    return {
      ...commonClaims,
      namespace: stringOrEmpty(privateClaim.namespace),
      account: toBoundObject(privateClaim.serviceaccount),
      ...(pod !== undefined && { pod: toBoundObject(pod) }),
      ...(secret !== undefined && { secret: toBoundObject(secret) }),
      ...(node !== undefined && { node: toBoundObject(node) }),
    };
  }

  #parseLegacyClaims(payload: JsonObject, commonClaims: TokenClaims): LegacyClaims {
    const claim = (name: string) => stringOrEmpty(payload[`${this.#claimName}/serviceaccount/${name}`]);
    return {
      ...commonClaims,
      namespace: claim('namespace'),
      account: { name: claim('service-account.name'), uid: claim('service-account.uid') },
      secretName: claim('secret.name'),
    };
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Strict, as RFC 7515 demands: no padding, and neither `+` nor `/`, which Buffer would decode too. */
const isBase64Url = (text: string) => /^[\w-]*$/.test(text) && text.length % 4 !== 1;

const encodePart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The JSON object of an encoded header or payload; undefined if it is none. */
function parsePart(encoded: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}

const stringOrEmpty = (value: unknown) => (typeof value === 'string' ? value : '');
const objectOrEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {};

function toBoundObject(value: unknown): BoundObject {
  const { name, uid } = objectOrEmpty(value);
  return { name: stringOrEmpty(name), uid: stringOrEmpty(uid) };
}

/** The claims, or what is wrong with them. */
function parseCommonClaims({ aud = [], sub, jti, iat, nbf, exp }: JsonObject): TokenClaims | string {
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.every((audience) => typeof audience === 'string'))
    return 'expected string or array value to unmarshal to Audience';
  for (const time of [iat, nbf, exp]) {
    if (time !== undefined && time !== null && typeof time !== 'number')
      return 'expected number value to unmarshal NumericDate';
  }
  return {
    audiences,
    subject: stringOrEmpty(sub),
    id: stringOrEmpty(jti),
    issuedAt: numberOrUndefined(iat),
    notBefore: numberOrUndefined(nbf),
    expiresAt: numberOrUndefined(exp),
  };
}

const numberOrUndefined = (value: unknown) => (typeof value === 'number' ? value : undefined);
