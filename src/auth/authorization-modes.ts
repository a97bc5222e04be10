// Authorization modes (--authorization-mode), and the union of their authorizers. A denial is never final: the next
// authorizer may still allow the request.
import { mastersGroup } from '../request/authenticator.ts';
import { type Authorizer, allow, type Decision, deny, type SubjectRules } from '../request/authorizer.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';

export const authorizationModes = ['RBAC', 'AlwaysAllow', 'AlwaysDeny'] as const;
export type AuthorizationMode = (typeof authorizationModes)[number];

const allRules: SubjectRules = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};
const noRules: SubjectRules = { resourceRules: [], nonResourceRules: [] };
const everythingIsForbidden: Decision = { ...deny, reason: 'Everything is forbidden.' };

const alwaysAllow: Authorizer = { authorize: () => allow, rulesFor: () => allRules };
const alwaysDeny: Authorizer = { authorize: () => everythingIsForbidden, rulesFor: () => noRules };

/** system:masters is allowed everything in every mode, so that administrators cannot lock themselves out. */
const privilegedGroup: Authorizer = {
  authorize: ({ groups }) => (groups.includes(mastersGroup) ? allow : deny),
  rulesFor: ({ groups }) => (groups.includes(mastersGroup) ? allRules : noRules),
};

export function authorizerForModes(modes: readonly AuthorizationMode[], rbac: Authorizer): Authorizer {
  const byMode = { RBAC: rbac, AlwaysAllow: alwaysAllow, AlwaysDeny: alwaysDeny };
  return new UnionAuthorizer([privilegedGroup, ...modes.map((mode) => byMode[mode])]);
}

/** Allows a request if any of its authorizers does. */
export class UnionAuthorizer implements Authorizer {
  readonly #authorizers: readonly Authorizer[];

  constructor(authorizers: readonly Authorizer[]) {
    this.#authorizers = authorizers;
  }

  authorize(user: User, info: RequestInfo): Decision | Promise<Decision> {
    return this.#authorizeFrom(0, deny, user, info);
  }

  /**
   * Continues with the authorizer at index `from`; `previous` joins the denials of those before it. Returns a promise only
   * if an authorizer does: this is on the path of every request.
   */
  #authorizeFrom(
    from: number,
    previous: Decision,
    user: User,
    info: RequestInfo,
  ): Decision | Promise<Decision> {
    let denial = previous;
    for (let n = from; n < this.#authorizers.length; n++) {
      const decision = this.#authorizers[n]!.authorize(user, info);
      if (decision instanceof Promise) {
        return decision.then((awaited) =>
          awaited.allowed ? awaited : this.#authorizeFrom(n + 1, joinDenials(denial, awaited), user, info),
        );
      }
      if (decision.allowed) return decision;
      denial = joinDenials(denial, decision);
    }
    return denial;
  }

  async rulesFor(user: User, namespace: string): Promise<SubjectRules> {
    const results = await Promise.all(
      this.#authorizers.map((authorizer) => authorizer.rulesFor(user, namespace)),
    );
    const evaluationErrors = results.flatMap(({ evaluationError }) => evaluationError ?? []);
    const missingRoles = results.flatMap((rules) => rules.missingRoles ?? []);
    return {
      resourceRules: results.flatMap(({ resourceRules }) => resourceRules),
      nonResourceRules: results.flatMap(({ nonResourceRules }) => nonResourceRules),
      incomplete: results.some(({ incomplete }) => incomplete),
      ...(evaluationErrors.length > 0 && { evaluationError: evaluationErrors.join(', ') }),
      ...(missingRoles.length > 0 && { missingRoles }),
    };
  }
}

/** A denial with the reasons of both; `deny` has none. The joined text is built only when it is read. */
function joinDenials(first: Decision, second: Decision): Decision {
  if (first === deny) return second;
  if (second === deny) return first;
  return {
    allowed: false,
    get reason() {
      return [first.reason, second.reason].filter((reason) => reason !== '').join('\n');
    },
  };
}
