import type { Api } from '../registry/api.ts';
import { authenticatedGroup, type Identity } from '../request/authenticator.ts';
import { accountGroups, accountUser } from '../request/service-account-names.ts';
import type { BoundObject } from '../request/token-issuer.ts';
import { CurrentObject } from './current-object.ts';
import type { BoundClaims, TokenClaims } from './service-account-tokens.ts';

/** Clocks differ: times of a token are taken not too exactly, in seconds. */
const leeway = 60;

/** A token whose signature is right, and who stands behind it as long as all that it needs is there. */
export interface TokenValidator {
  readonly claims: TokenClaims;
  readonly identity: Identity;
  /** Why it is not good now; undefined where it is. */
  validate(now: number): string | undefined;
  /** What to tell who shows it. */
  readonly warning: string | undefined;
}

/** Why a token is not good at a time, by what it says itself. */
function validateTimes({ issuedAt, notBefore, expiresAt }: TokenClaims, now: number): string | undefined {
  if (notBefore !== undefined && now + leeway < notBefore) return 'service account token is not valid yet';
  if (expiresAt !== undefined && now - leeway > expiresAt) return 'service account token has expired';
  if (issuedAt !== undefined && now + leeway < issuedAt)
    return 'service account token is issued in the future';
  return undefined;
}

/** The owner of a token that is bound to its account and perhaps to a pod, a Secret or a node. */
export class BoundTokenValidator implements TokenValidator {
  readonly claims: BoundClaims;
  readonly identity: Identity;
  readonly warning = undefined;
  readonly #account: CurrentObject;
  readonly #bindings: readonly Binding[];

  constructor(claims: BoundClaims, api: Pick<Api, 'store' | 'registry' | 'dialect'>) {
    const { namespace, account, pod, secret, node } = claims;
    this.claims = claims;
    this.identity = { user: userOf(claims, api.dialect.userExtra) };
    this.#account = new CurrentObject(api, 'serviceaccounts', namespace, account.name);
    this.#bindings = [
      ...(secret
        ? [new Binding('secret', secret, new CurrentObject(api, 'secrets', namespace, secret.name))]
        : []),
      ...(pod ? [new Binding('pod', pod, new CurrentObject(api, 'pods', namespace, pod.name))] : []),
      // A pod's node is only told of: it is the pod that counts.
      ...(node && !pod ? [new Binding('node', node, new CurrentObject(api, 'nodes', '', node.name))] : []),
    ];
  }

  validate(now: number): string | undefined {
    return validateTimes(this.claims, now) ?? this.#accountProblem(now) ?? this.#bindingProblem(now);
  }

  #accountProblem(now: number): string | undefined {
    const { namespace, account } = this.claims;
    const { name, uid } = account;
    if (namespace === '' && name !== '') return 'the server could not find the requested resource';
    if (name === '') return 'resource name may not be empty';
    const metadata = this.#account.get()?.metadata;
    if (metadata === undefined) return `serviceaccounts ${JSON.stringify(name)} not found`;
    if (metadata.uid !== uid) return `service account UID (${metadata.uid}) does not match claim (${uid})`;
    return isDeleted(metadata, now) ? 'service account has been deleted' : undefined;
  }

  #bindingProblem(now: number): string | undefined {
    for (const binding of this.#bindings) {
      const problem = binding.problem(now);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
}

class Binding {
  readonly #what: string;
  readonly #claim: BoundObject;
  readonly #object: CurrentObject;

  constructor(what: string, claim: BoundObject, object: CurrentObject) {
    this.#what = what;
    this.#claim = claim;
    this.#object = object;
  }

  problem(now: number): string | undefined {
    const metadata = this.#object.get()?.metadata;
    if (metadata === undefined) return 'service account token has been invalidated';
    const { uid } = this.#claim;
    if (metadata.uid !== uid) {
      return `${this.#what} UID (${metadata.uid}) does not match service account ${this.#what} ref claim (${uid})`;
    }
    return isDeleted(metadata, now) ? 'service account token has been invalidated' : undefined;
  }
}

/** What is being deleted is taken for gone a little later, so that a pod can say goodbye. */
function isDeleted({ deletionTimestamp }: { deletionTimestamp?: string | null }, now: number): boolean {
  return deletionTimestamp ? Date.parse(deletionTimestamp) / 1000 < now - leeway : false;
}

type ExtraKeys = Api['dialect']['userExtra'];

function userOf({ namespace, account, pod, node, id }: BoundClaims, keys: ExtraKeys): Identity['user'] {
  return {
    name: accountUser(namespace, account.name),
    uid: account.uid,
    groups: [...accountGroups(namespace), authenticatedGroup],
    extra: {
      ...(id && { [keys.credentialId]: [`JTI=${id}`] }),
      ...(node && { [keys.nodeName]: [node.name] }),
      ...(node?.uid && { [keys.nodeUid]: [node.uid] }),
      ...(pod && { [keys.podName]: [pod.name], [keys.podUid]: [pod.uid] }),
    },
  };
}
