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
  readonly maxExpiration: number;
  /** Extends pod tokens to a year, for clients that do not reload them. */
  readonly extendExpiration: boolean;
}

const signatureMismatch = 'go-jose/go-jose: error in cryptographic primitive';
/** Bounds the work of decoding: the server issues no longer tokens. */
const maxTokenLength = 64 * 1024;

export class ServiceAccountTokens implements TokenIssuer {
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  readonly keys: readonly VerificationKey[];
  readonly maxExpiration: number;
  readonly extendExpiration: boolean;
  readonly #claim: string;
  readonly #legacyIssuer: string;
  readonly #signingKey: SigningKey;

  constructor(options: ServiceAccountTokenOptions, dialect: Dialect) {
    this.issuers = options.issuers.length > 0 ? options.issuers : [dialect.clusterAudience];
    this.audiences = options.audiences.length > 0 ? options.audiences : this.issuers;
    this.maxExpiration = options.maxExpiration;
    this.extendExpiration = options.extendExpiration;
    this.#claim = dialect.tokenClaim;
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
      [this.#claim]: { namespace, node, pod, secret, serviceaccount: account, warnafter: warnAfter },
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
    const of = (name: string) => `${this.#claim}/serviceaccount/${name}`;
    return this.#sign({
      iss: this.#legacyIssuer,
      [of('namespace')]: namespace,
      [of('secret.name')]: secretName,
      [of('service-account.name')]: account.name,
      [of('service-account.uid')]: account.uid,
      sub: accountUser(namespace, account.name),
    });
  }

  /** Parses a token and verifies its signature, not its times; undefined if another issuer issued it. */
  parse(token: string): ParsedClaims | InvalidCredentials | undefined {
    if (token.length > maxTokenLength) return undefined;
    const [head = '', body = '', signature = '', ...more] = token.split('.');
    if (more.length > 0) return undefined;
    const header = parsePart(head);
    const claimed = parsePart(body);
    if (header === undefined || claimed === undefined) return undefined;
    const isLegacy = claimed.iss === this.#legacyIssuer;
    if (!isLegacy && !this.issuers.includes(text(claimed.iss))) return undefined;
    // No claim may be used before the signature is verified.
    const problem = this.#signatureProblem(header, `${head}.${body}`, signature);
    if (problem !== undefined) return new InvalidCredentials(problem);
    const common = readCommon(claimed);
    if (common === undefined) {
      return new InvalidCredentials('go-jose/go-jose/jwt: expected number value to unmarshal NumericDate');
    }
    return isLegacy ? this.#legacyClaims(claimed, common) : this.#boundClaims(claimed, common);
  }

  #sign(payload: object): string {
    const signed = `${part({ alg: this.#signingKey.algorithm, kid: this.#signingKey.id })}.${part(payload)}`;
    return `${signed}.${signText(this.#signingKey, signed)}`;
  }

  #signatureProblem(header: Part, signed: string, signature: string): string | undefined {
    const id = text(header.kid);
    const keys = id === '' ? this.keys : this.keys.filter((key) => key.id === id);
    if (keys.length === 0) return 'invalid signature, no keys found';
    const isVerified = keys.some(
      (key) => key.algorithm === header.alg && verifySignature(key, signed, signature),
    );
    return isVerified ? undefined : signatureMismatch;
  }

  #boundClaims(claimed: Part, common: TokenClaims): BoundClaims {
    const owner = partOf(claimed[this.#claim]);
    const { pod, secret, node } = owner;
    return {
      ...common,
      namespace: text(owner.namespace),
      account: reference(owner.serviceaccount),
      ...(pod !== undefined && { pod: reference(pod) }),
      ...(secret !== undefined && { secret: reference(secret) }),
      ...(node !== undefined && { node: reference(node) }),
    };
  }

  #legacyClaims(claimed: Part, common: TokenClaims): LegacyClaims {
    const of = (name: string) => text(claimed[`${this.#claim}/serviceaccount/${name}`]);
    return {
      ...common,
      namespace: of('namespace'),
      account: { name: of('service-account.name'), uid: of('service-account.uid') },
      secretName: of('secret.name'),
    };
  }
}

type Part = Readonly<Record<string, unknown>>;

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function parsePart(encoded: string): Part | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Part) : undefined;
  } catch {
    return undefined;
  }
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const partOf = (value: unknown) => (typeof value === 'object' && value !== null ? (value as Part) : {});

function reference(value: unknown): BoundObject {
  const { name, uid } = partOf(value);
  return { name: text(name), uid: text(uid) };
}

/** Undefined if a time is not a number. */
function readCommon({ aud, sub, jti, iat, nbf, exp }: Part): TokenClaims | undefined {
  const audiences = (Array.isArray(aud) ? aud : [aud]).filter((one) => typeof one === 'string');
  for (const time of [iat, nbf, exp]) {
    if (time !== undefined && time !== null && typeof time !== 'number') return undefined;
  }
  return {
    audiences,
    subject: text(sub),
    id: text(jti),
    issuedAt: seconds(iat),
    notBefore: seconds(nbf),
    expiresAt: seconds(exp),
  };
}

const seconds = (value: unknown) => (typeof value === 'number' ? value : undefined);
