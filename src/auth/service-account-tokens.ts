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

/** What every token says. Times are seconds since the epoch. */
export interface TokenClaims {
  readonly audiences: readonly string[];
  readonly subject: string;
  readonly id: string;
  readonly issuedAt: number | undefined;
  readonly notBefore: number | undefined;
  readonly expiresAt: number | undefined;
}

/** A token that was asked for and ends by itself. */
export interface BoundClaims extends TokenClaims {
  readonly namespace: string;
  readonly account: BoundObject;
  readonly pod?: BoundObject;
  readonly secret?: BoundObject;
  readonly node?: BoundObject;
}

/** A token that is kept in a Secret, and good as long as that has it. */
export interface LegacyClaims extends TokenClaims {
  readonly namespace: string;
  readonly account: BoundObject;
  readonly secretName: string;
}

export type ParsedClaims = BoundClaims | LegacyClaims;

export interface ServiceAccountTokenOptions {
  readonly signingKey: SigningKey;
  /** Further keys whose tokens are good. */
  readonly keys: readonly VerificationKey[];
  /** The first signs; none stands for the dialect's own. */
  readonly issuers: readonly string[];
  /** Whom tokens that this server takes are meant for; none stands for its issuers. */
  readonly audiences: readonly string[];
  /** The longest time a new token may last, in seconds; 0 is no limit. */
  readonly maxExpiration: number;
  /** Tokens of pods last a year instead of the hour that was asked for, for clients that do not read them again. */
  readonly extendExpiration: boolean;
}

const neverOurs = 'go-jose/go-jose: error in cryptographic primitive';
/** Longer ones are none of ours: what is decoded is bounded. */
const longestToken = 64 * 1024;

/** Makes and reads the tokens of service accounts: JWTs signed with a key that the server alone has. */
export class ServiceAccountTokens implements TokenIssuer {
  readonly issuers: readonly string[];
  readonly audiences: readonly string[];
  readonly keys: readonly VerificationKey[];
  readonly maxExpiration: number;
  readonly extendExpiration: boolean;
  readonly #claim: string;
  readonly #keptIssuer: string;
  readonly #signingKey: SigningKey;

  constructor(terms: ServiceAccountTokenOptions, dialect: Dialect) {
    this.issuers = terms.issuers.length > 0 ? terms.issuers : [dialect.clusterAudience];
    this.audiences = terms.audiences.length > 0 ? terms.audiences : this.issuers;
    this.maxExpiration = terms.maxExpiration;
    this.extendExpiration = terms.extendExpiration;
    this.#claim = dialect.tokenClaim;
    this.#keptIssuer = dialect.legacyTokenIssuer;
    this.#signingKey = terms.signingKey;
    const isListed = terms.keys.some(({ id }) => id === terms.signingKey.id);
    this.keys = isListed ? terms.keys : [...terms.keys, terms.signingKey];
  }

  get signingKeyId(): string {
    return this.#signingKey.id;
  }

  /** For others who check tokens by themselves. */
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

  /** A token that is kept in a Secret, and does not end by itself. */
  issueLegacy({
    namespace,
    account,
    secretName,
  }: Pick<LegacyClaims, 'namespace' | 'account' | 'secretName'>): string {
    const of = (name: string) => `${this.#claim}/serviceaccount/${name}`;
    return this.#sign({
      iss: this.#keptIssuer,
      [of('namespace')]: namespace,
      [of('secret.name')]: secretName,
      [of('service-account.name')]: account.name,
      [of('service-account.uid')]: account.uid,
      sub: accountUser(namespace, account.name),
    });
  }

  /** What a token of ours says; undefined where it is none. Whether it is good now is another question. */
  parse(token: string): ParsedClaims | InvalidCredentials | undefined {
    if (token.length > longestToken) return undefined;
    const [head = '', body = '', signature = '', ...more] = token.split('.');
    if (more.length > 0) return undefined;
    const header = parsePart(head);
    const claimed = parsePart(body);
    if (header === undefined || claimed === undefined) return undefined;
    const isKept = claimed.iss === this.#keptIssuer;
    if (!isKept && !this.issuers.includes(text(claimed.iss))) return undefined;
    // Nothing that it says counts before this.
    const problem = this.#signatureProblem(header, `${head}.${body}`, signature);
    if (problem !== undefined) return new InvalidCredentials(problem);
    const common = readCommon(claimed);
    if (common === undefined) {
      return new InvalidCredentials('go-jose/go-jose/jwt: expected number value to unmarshal NumericDate');
    }
    return isKept ? this.#readKept(claimed, common) : this.#readBound(claimed, common);
  }

  #sign(payload: object): string {
    const signed = `${part({ alg: this.#signingKey.algorithm, kid: this.#signingKey.id })}.${part(payload)}`;
    return `${signed}.${signText(this.#signingKey, signed)}`;
  }

  #signatureProblem(header: Part, signed: string, signature: string): string | undefined {
    const id = text(header.kid);
    const keys = id === '' ? this.keys : this.keys.filter((key) => key.id === id);
    if (keys.length === 0) return 'invalid signature, no keys found';
    const isOurs = keys.some(
      (key) => key.algorithm === header.alg && verifySignature(key, signed, signature),
    );
    return isOurs ? undefined : neverOurs;
  }

  #readBound(claimed: Part, common: TokenClaims): BoundClaims {
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

  #readKept(claimed: Part, common: TokenClaims): LegacyClaims {
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

/** Undefined where a time is no number. */
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
