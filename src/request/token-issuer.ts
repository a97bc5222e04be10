// The issuer of service account tokens, as TokenRequest uses it.

export interface TokenIssuer {
  /** The audiences of a token that names none. */
  readonly audiences: readonly string[];
  /** The maximum lifetime of a new token; 0 is no limit. */
  readonly maxExpirationSeconds: number;
  /** Tokens of pods live a year instead of the requested hour, for clients that do not reload them. */
  readonly extendExpiration: boolean;
  /** Signs a token. `id` is its `jti` claim. */
  issue(token: TokenParameters): { readonly text: string; readonly id: string };
}

/** An object that a token is bound to: the token is valid only while the object exists. */
export interface BoundObject {
  readonly name: string;
  readonly uid: string;
}

/** Times are seconds since the epoch. */
export interface TokenParameters {
  readonly audiences: readonly string[];
  readonly namespace: string;
  readonly account: BoundObject;
  readonly pod?: BoundObject;
  readonly secret?: BoundObject;
  /** Without a uid if the node of the pod is deleted. */
  readonly node?: { readonly name: string; readonly uid?: string };
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** After this time the use of an extended token is reported as stale. */
  readonly warnAfter?: number;
}
