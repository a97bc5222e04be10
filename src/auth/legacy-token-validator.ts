// Validation of legacy service account tokens, which are stored in Secrets and do not expire.
import { timingSafeEqual } from 'node:crypto';
import { flatCopy } from '../base/flat-copy.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { authenticatedGroup, type Identity } from '../request/authenticator.ts';
import { accountGroups, accountOf, accountUser } from '../request/service-account-names.ts';
import type { TokenObjectSources, TokenValidator } from './bound-token-validator.ts';
import { CurrentObject, identityOf, type ObjectIdentity } from './current-object.ts';
import type { LegacyClaims } from './service-account-tokens.ts';

export interface LegacyTokenOptions {
  /** Whether the Secret and the service account must exist (--service-account-lookup). */
  readonly lookup: boolean;
  /** Labels the Secret with the day of last use, for the legacy token cleaner. */
  recordUse(namespace: string, secretName: string, day: string): void;
}

interface TokenSecret extends ObjectIdentity {
  readonly hasToken: boolean;
  readonly isMarkedInvalid: boolean;
  readonly lastUsed: string | undefined;
}

interface TokenAccount extends ObjectIdentity {
  readonly listsSecret: boolean;
}

const daySeconds = 24 * 60 * 60;

/** A legacy token is valid while its Secret contains it and its service account exists. */
export class LegacyTokenValidator implements TokenValidator {
  readonly claims: LegacyClaims;
  readonly identity: Identity;
  readonly #token: Buffer;
  readonly #options: LegacyTokenOptions;
  readonly #labels: Dialect['labels'];
  readonly #secret: CurrentObject<TokenSecret>;
  readonly #account: CurrentObject<TokenAccount>;
  /** The day for which this server has already recorded the use. */
  #recordedDay = '';

  constructor(token: string, claims: LegacyClaims, sources: TokenObjectSources, options: LegacyTokenOptions) {
    const { namespace, account, secretName } = claims;
    this.claims = claims;
    this.#token = Buffer.from(token);
    this.#options = options;
    this.#labels = sources.dialect.labels;
    this.#secret = new CurrentObject(sources, 'secrets', namespace, secretName, (secret) =>
      this.#readSecret(secret),
    );
    this.#account = new CurrentObject(sources, 'serviceaccounts', namespace, account.name, (object) =>
      this.#readAccount(object),
    );
    this.identity = {
      user: {
        name: accountUser(namespace, account.name),
        uid: account.uid,
        groups: [...accountGroups(namespace), authenticatedGroup],
        extra: {},
      },
    };
  }

  /** An auto-generated Secret is listed in its service account; a manually created one is not. */
  get warning(): string | undefined {
    return this.#account.get()?.listsSecret
      ? 'Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.'
      : undefined;
  }

  /** Also records the use of a valid token. */
  findProblem(nowSeconds: number): string | undefined {
    const invalidClaim = claimProblem(this.claims);
    if (invalidClaim !== undefined || !this.#options.lookup) return invalidClaim;
    const secret = this.#secret.get();
    const problem =
      this.#secretProblem(secret) ?? this.#accountProblem() ?? this.#markedInvalidProblem(secret);
    if (problem === undefined && secret !== undefined) this.#recordUse(secret, nowSeconds);
    return problem;
  }

  #readSecret(secret: ApiObject): TokenSecret {
    const { token } = (secret.data ?? {}) as { token?: string };
    const storedToken = Buffer.from(token ?? '', 'base64');
    const { labels } = secret.metadata;
    const lastUsed = labels?.[this.#labels.tokenLastUsed];
    return {
      ...identityOf(secret),
      hasToken: storedToken.length === this.#token.length && timingSafeEqual(storedToken, this.#token),
      isMarkedInvalid: Boolean(labels?.[this.#labels.tokenInvalidSince]),
      lastUsed: lastUsed && flatCopy(lastUsed),
    };
  }

  #readAccount(account: ApiObject): TokenAccount {
    const secrets = (account.secrets ?? []) as readonly { name?: string }[];
    return {
      ...identityOf(account),
      listsSecret: secrets.some(({ name }) => name === this.claims.secretName),
    };
  }

  #secretProblem(secret: TokenSecret | undefined): string | undefined {
    if (secret === undefined || secret.deletionTimestamp) return 'Token has been invalidated';
    return secret.hasToken ? undefined : "Token does not match server's copy";
  }

  #accountProblem(): string | undefined {
    const { namespace, account } = this.claims;
    const current = this.#account.get();
    if (current === undefined) return `serviceaccounts ${JSON.stringify(account.name)} not found`;
    if (current.deletionTimestamp) return `ServiceAccount ${namespace}/${account.name} has been deleted`;
    if (current.uid === account.uid) return undefined;
    return `ServiceAccount UID (${current.uid}) does not match claim (${account.uid})`;
  }

  /** The legacy token cleaner labels the Secret of an unused token. */
  #markedInvalidProblem(secret: TokenSecret | undefined): string | undefined {
    if (!secret?.isMarkedInvalid) return undefined;
    const label = this.#labels.tokenInvalidSince;
    const { namespace, account, secretName } = this.claims;
    return `the token in secret ${namespace}/${secretName} for service account ${namespace}/${account.name} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${label}' label from the secret to temporarily allow use of this token`;
  }

  #recordUse({ lastUsed }: TokenSecret, nowSeconds: number): void {
    const today = dayOf(nowSeconds);
    if (this.#recordedDay === today) return;
    this.#recordedDay = today;
    // A label with tomorrow's date is current too: the clock of the replica that wrote it may be ahead.
    if (lastUsed === today || lastUsed === dayOf(nowSeconds + daySeconds)) return;
    this.#options.recordUse(this.claims.namespace, this.claims.secretName, today);
  }
}

/** `seconds` since the epoch, as YYYY-MM-DD. */
const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);

function claimProblem({ subject, namespace, secretName, account }: LegacyClaims): string | undefined {
  if (subject === '') return 'sub claim is missing';
  if (namespace === '') return 'namespace claim is missing';
  if (secretName === '') return 'secretName claim is missing';
  if (account.name === '') return 'serviceAccountName claim is missing';
  if (account.uid === '') return 'serviceAccountUID claim is missing';
  const subjectAccount = accountOf(subject);
  return subjectAccount?.namespace === namespace && subjectAccount.name === account.name
    ? undefined
    : 'sub claim is invalid';
}
