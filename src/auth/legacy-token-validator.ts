import { timingSafeEqual } from 'node:crypto';
import type { ApiObject } from '../kind/api-object.ts';
import type { Api } from '../registry/api.ts';
import { authenticatedGroup, type Identity } from '../request/authenticator.ts';
import { accountGroups, accountOf, accountUser } from '../request/service-account-names.ts';
import type { TokenValidator } from './bound-token-validator.ts';
import { CurrentObject } from './current-object.ts';
import type { LegacyClaims } from './service-account-tokens.ts';

type Parts = Pick<Api, 'store' | 'registry' | 'dialect'>;

export interface LegacyTokenOptions {
  /** Whether the Secret and the account must still be there. */
  readonly lookup: boolean;
  /** Notes on the Secret on which day its token was used, for those who clear away what nobody uses. */
  recordUse(secret: ApiObject, day: string): void;
}

const day = 24 * 60 * 60;

/** The owner of a token that is kept in a Secret: good as long as the Secret has it and the account is there. */
export class LegacyTokenValidator implements TokenValidator {
  readonly claims: LegacyClaims;
  readonly identity: Identity;
  readonly #token: Buffer;
  readonly #terms: LegacyTokenOptions;
  readonly #labels: Parts['dialect']['labels'];
  readonly #secret: CurrentObject;
  readonly #account: CurrentObject;
  #notedDay = '';

  constructor(token: string, claims: LegacyClaims, api: Parts, terms: LegacyTokenOptions) {
    const { namespace, account, secretName } = claims;
    this.claims = claims;
    this.#token = Buffer.from(token);
    this.#terms = terms;
    this.#labels = api.dialect.labels;
    this.#secret = new CurrentObject(api, 'secrets', namespace, secretName);
    this.#account = new CurrentObject(api, 'serviceaccounts', namespace, account.name);
    this.identity = {
      user: {
        name: accountUser(namespace, account.name),
        uid: account.uid,
        groups: [...accountGroups(namespace), authenticatedGroup],
        extra: {},
      },
    };
  }

  get warning(): string | undefined {
    const secrets = (this.#account.get()?.secrets ?? []) as readonly { name?: string }[];
    return secrets.some(({ name }) => name === this.claims.secretName)
      ? 'Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.'
      : undefined;
  }

  validate(now: number): string | undefined {
    const wrong = missingClaim(this.claims);
    if (wrong !== undefined || !this.#terms.lookup) return wrong;
    const secret = this.#secret.get();
    const problem = this.#secretProblem(secret) ?? this.#accountProblem() ?? this.#invalidProblem(secret);
    if (problem === undefined && secret !== undefined) this.#noteUse(secret, now);
    return problem;
  }

  #secretProblem(secret: ApiObject | undefined): string | undefined {
    if (secret === undefined || secret.metadata.deletionTimestamp) return 'Token has been invalidated';
    const { token } = (secret.data ?? {}) as { token?: string };
    const copy = Buffer.from(token ?? '', 'base64');
    const isSame = copy.length === this.#token.length && timingSafeEqual(copy, this.#token);
    return isSame ? undefined : "Token does not match server's copy";
  }

  #accountProblem(): string | undefined {
    const { namespace, account } = this.claims;
    const metadata = this.#account.get()?.metadata;
    if (metadata === undefined) return `serviceaccounts ${JSON.stringify(account.name)} not found`;
    if (metadata.deletionTimestamp) return `ServiceAccount ${namespace}/${account.name} has been deleted`;
    if (metadata.uid === account.uid) return undefined;
    return `ServiceAccount UID (${metadata.uid}) does not match claim (${account.uid})`;
  }

  #invalidProblem(secret: ApiObject | undefined): string | undefined {
    const label = this.#labels.tokenInvalidSince;
    if (!secret?.metadata.labels?.[label]) return undefined;
    const { namespace, account, secretName } = this.claims;
    return `the token in secret ${namespace}/${secretName} for service account ${namespace}/${account.name} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${label}' label from the secret to temporarily allow use of this token`;
  }

  #noteUse(secret: ApiObject, now: number): void {
    const today = dayOf(now);
    if (this.#notedDay === today) return;
    this.#notedDay = today;
    const noted = secret.metadata.labels?.[this.#labels.tokenLastUsed];
    // Another server's clock may be ahead.
    if (noted !== today && noted !== dayOf(now + day)) this.#terms.recordUse(secret, today);
  }
}

const dayOf = (now: number) => new Date(now * 1000).toISOString().slice(0, 10);

function missingClaim({ subject, namespace, secretName, account }: LegacyClaims): string | undefined {
  if (subject === '') return 'sub claim is missing';
  if (namespace === '') return 'namespace claim is missing';
  if (secretName === '') return 'secretName claim is missing';
  if (account.name === '') return 'serviceAccountName claim is missing';
  if (account.uid === '') return 'serviceAccountUID claim is missing';
  const named = accountOf(subject);
  return named?.namespace === namespace && named.name === account.name ? undefined : 'sub claim is invalid';
}
