// Validation of service account tokens of the TokenRequest API, which expire and may be bound to a pod, a Secret or a
// node.
import type { Dialect } from '../dialect/dialect.ts';
import { authenticatedGroup, type Identity } from '../request/authenticator.ts';
import { accountGroups, accountUser } from '../request/service-account-names.ts';
import type { BoundObject } from '../request/token-issuer.ts';
import { CurrentObject, identityOf, type ObjectIdentity, type ObjectSources } from './current-object.ts';
import type { BoundClaims, TokenClaims } from './service-account-tokens.ts';

/** Tolerated clock skew, in seconds. */
const leewaySeconds = 60;

/** A token with a valid signature. Whether it is still valid depends on the time and on other objects. */
export interface TokenValidator {
  readonly claims: TokenClaims;
  readonly identity: Identity;
  /** Returns why the token is invalid at this time, in seconds since the epoch; undefined if it is valid. */
  findProblem(nowSeconds: number): string | undefined;
  /** A warning for the client that uses the token; undefined if there is none. */
  readonly warning: string | undefined;
}

/** Where validators read service accounts and bound objects. */
export type TokenObjectSources = ObjectSources & { readonly dialect: Dialect };

/** A bound token is valid while its service account and the bound object exist with the uids that it names. */
export class BoundTokenValidator implements TokenValidator {
  readonly claims: BoundClaims;
  readonly identity: Identity;
  readonly warning = undefined;
  readonly #account: CurrentObject<ObjectIdentity>;
  readonly #boundObjects: readonly BoundObjectCheck[];

  constructor(claims: BoundClaims, sources: TokenObjectSources) {
    const { namespace, account, pod, secret, node } = claims;
    const objectOf = (plural: string, objectNamespace: string, name: string) =>
      new CurrentObject(sources, plural, objectNamespace, name, identityOf);
    this.claims = claims;
    this.identity = { user: tokenUser(claims, sources.dialect.userExtra) };
    this.#account = objectOf('serviceaccounts', namespace, account.name);
    const boundObjects: BoundObjectCheck[] = [];
    if (secret) {
      boundObjects.push(new BoundObjectCheck('secret', secret, objectOf('secrets', namespace, secret.name)));
    }
    if (pod) boundObjects.push(new BoundObjectCheck('pod', pod, objectOf('pods', namespace, pod.name)));
    // The node of a bound pod is informational; only the pod is validated.
    else if (node) boundObjects.push(new BoundObjectCheck('node', node, objectOf('nodes', '', node.name)));
    this.#boundObjects = boundObjects;
  }

  findProblem(nowSeconds: number): string | undefined {
    return (
      timeProblem(this.claims, nowSeconds) ??
      this.#accountProblem(nowSeconds) ??
      this.#boundObjectProblem(nowSeconds)
    );
  }

  #accountProblem(nowSeconds: number): string | undefined {
    const { namespace, account } = this.claims;
    const { name, uid } = account;
    // An incomplete reference cannot be looked up; these are the error texts of such a GET request.
    if (namespace === '' && name !== '') return 'the server could not find the requested resource';
    if (name === '') return 'resource name may not be empty';
    const current = this.#account.get();
    if (current === undefined) return `serviceaccounts ${JSON.stringify(name)} not found`;
    if (current.uid !== uid) return `service account UID (${current.uid}) does not match claim (${uid})`;
    return isDeleted(current, nowSeconds) ? 'service account has been deleted' : undefined;
  }

  #boundObjectProblem(nowSeconds: number): string | undefined {
    for (const boundObject of this.#boundObjects) {
      const problem = boundObject.findProblem(nowSeconds);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
}

function timeProblem(
  { issuedAt, notBefore, expiresAt }: TokenClaims,
  nowSeconds: number,
): string | undefined {
  if (notBefore !== undefined && nowSeconds + leewaySeconds < notBefore)
    return 'service account token is not valid yet';
  if (expiresAt !== undefined && nowSeconds - leewaySeconds > expiresAt)
    return 'service account token has expired';
  if (issuedAt !== undefined && nowSeconds + leewaySeconds < issuedAt)
    return 'service account token is issued in the future';
  return undefined;
}

/** The pod, Secret or node to which a token is bound. */
class BoundObjectCheck {
  readonly #kind: string;
  readonly #claim: BoundObject;
  readonly #object: CurrentObject<ObjectIdentity>;

  constructor(kind: string, claim: BoundObject, object: CurrentObject<ObjectIdentity>) {
    this.#kind = kind;
    this.#claim = claim;
    this.#object = object;
  }

  findProblem(nowSeconds: number): string | undefined {
    const current = this.#object.get();
    if (current === undefined) return 'service account token has been invalidated';
    const { uid } = this.#claim;
    if (current.uid !== uid) {
      return `${this.#kind} UID (${current.uid}) does not match service account ${this.#kind} ref claim (${uid})`;
    }
    return isDeleted(current, nowSeconds) ? 'service account token has been invalidated' : undefined;
  }
}

/** An object that is being deleted counts as existing for the leeway, so that a pod can shut down gracefully. */
function isDeleted({ deletionTimestamp }: ObjectIdentity, nowSeconds: number): boolean {
  return deletionTimestamp ? Date.parse(deletionTimestamp) / 1000 < nowSeconds - leewaySeconds : false;
}

type ExtraKeys = Dialect['userExtra'];

function tokenUser({ namespace, account, pod, node, id }: BoundClaims, keys: ExtraKeys): Identity['user'] {
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
