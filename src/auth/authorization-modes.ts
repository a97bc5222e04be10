import { mastersGroup } from '../request/authenticator.ts';
import { type Authorizer, allow, type Decision, deny, type SubjectRules } from '../request/authorizer.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';

/** As `--authorization-mode` names them. */
export const authorizationModes = ['RBAC', 'AlwaysAllow', 'AlwaysDeny'] as const;
export type AuthorizationMode = (typeof authorizationModes)[number];

const everything: SubjectRules = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};
const nothing: SubjectRules = { resourceRules: [], nonResourceRules: [] };
const everythingIsForbidden: Decision = { ...deny, reason: 'Everything is forbidden.' };

const alwaysAllow: Authorizer = { authorize: () => allow, rulesFor: () => everything };
const alwaysDeny: Authorizer = { authorize: () => everythingIsForbidden, rulesFor: () => nothing };

/** Masters may do everything, whatever else decides: somebody must be able to put things right. */
const masters: Authorizer = {
  authorize: ({ groups }) => (groups.includes(mastersGroup) ? allow : deny),
  rulesFor: ({ groups }) => (groups.includes(mastersGroup) ? everything : nothing),
};

export function authorizerForModes(modes: readonly AuthorizationMode[], rbac: Authorizer): Authorizer {
  const byMode = { RBAC: rbac, AlwaysAllow: alwaysAllow, AlwaysDeny: alwaysDeny };
  return new UnionAuthorizer([masters, ...modes.map((mode) => byMode[mode])]);
}

/** Allows what any of several allows. */
export class UnionAuthorizer implements Authorizer {
  readonly #authorizers: readonly Authorizer[];

  constructor(authorizers: readonly Authorizer[]) {
    this.#authorizers = authorizers;
  }

  authorize(user: User, info: RequestInfo): Decision | Promise<Decision> {
    return this.#ask(0, deny, user, info);
  }

  /** Asks from the nth on. All that there are decide at once; only one that takes its time is awaited. */
  #ask(from: number, before: Decision, user: User, info: RequestInfo): Decision | Promise<Decision> {
    let denial = before;
    for (let n = from; n < this.#authorizers.length; n++) {
      const decision = this.#authorizers[n]!.authorize(user, info);
      if (decision instanceof Promise) {
        return decision.then((late) =>
          late.allowed ? late : this.#ask(n + 1, bothDeny(denial, late), user, info),
        );
      }
      if (decision.allowed) return decision;
      denial = bothDeny(denial, decision);
    }
    return denial;
  }

  async rulesFor(user: User, namespace: string): Promise<SubjectRules> {
    const all = await Promise.all(this.#authorizers.map((one) => one.rulesFor(user, namespace)));
    const problems = all.flatMap(({ evaluationError }) => evaluationError ?? []);
    const missingRoles = all.flatMap((rules) => rules.missingRoles ?? []);
    return {
      resourceRules: all.flatMap(({ resourceRules }) => resourceRules),
      nonResourceRules: all.flatMap(({ nonResourceRules }) => nonResourceRules),
      incomplete: all.some(({ incomplete }) => incomplete),
      ...(problems.length > 0 && { evaluationError: problems.join(', ') }),
      ...(missingRoles.length > 0 && { missingRoles }),
    };
  }
}

/** A refusal for the reasons of both. */
function bothDeny(one: Decision, other: Decision): Decision {
  if (one === deny) return other;
  if (other === deny) return one;
  return {
    allowed: false,
    get reason() {
      return [one.reason, other.reason].filter((reason) => reason !== '').join('\n');
    },
  };
}
