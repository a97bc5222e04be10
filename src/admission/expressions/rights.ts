// Admission CEL: the variable authorizer, answered by the server's authorizer.
import type { AuthorizationAnswer, AuthorizationQuery, AuthorizerHost } from '../../cel/index.ts';
import type { Decision } from '../../request/authorizer.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import { fieldRestriction, labelRestriction, unrestricted } from '../../request/restrictions.ts';
import { accountGroups, accountUser } from '../../request/service-account-names.ts';
import type { User } from '../../request/user.ts';
import type { Attributes } from '../attributes.ts';

/**
 * Thrown by an expression whose authorization check needs an asynchronous authorizer: it is evaluated again with the
 * decision.
 */
export class PendingDecision {
  readonly answer: Promise<void>;

  constructor(answer: Promise<void>) {
    this.answer = answer;
  }
}

/** Evaluates until every authorization check has a decision. */
export async function evaluateWithDecisions<T>(evaluate: () => T): Promise<T> {
  for (;;) {
    try {
      return evaluate();
    } catch (late) {
      if (!(late instanceof PendingDecision)) throw late;
      await late.answer;
    }
  }
}

/** The authorization decisions of one request, each made once. */
export class RequestAuthorizer implements AuthorizerHost {
  readonly #attributes: Pick<Attributes, 'api' | 'user'>;
  readonly #answers = new Map<string, AuthorizationAnswer>();

  constructor(attributes: Pick<Attributes, 'api' | 'user'>) {
    this.#attributes = attributes;
  }

  authorize(query: AuthorizationQuery): AuthorizationAnswer {
    const key = JSON.stringify(query);
    const known = this.#answers.get(key);
    if (known) return known;
    const { api, user } = this.#attributes;
    const decision = api.authorizer.authorize(askedFor(query, user), requestOf(query));
    if (!(decision instanceof Promise)) return this.#keep(key, decision);
    throw new PendingDecision(
      decision.then(
        (late) => void this.#keep(key, late),
        (error: unknown) => {
          const problem = error instanceof Error ? error.message : String(error);
          this.#answers.set(key, { allowed: false, reason: '', error: problem });
        },
      ),
    );
  }

  #keep(key: string, { allowed, reason }: Decision): AuthorizationAnswer {
    const answer = { allowed, reason };
    this.#answers.set(key, answer);
    return answer;
  }
}

function askedFor({ serviceAccount }: AuthorizationQuery, user: User): User {
  if (!serviceAccount) return user;
  const { namespace, name } = serviceAccount;
  return { name: accountUser(namespace, name), uid: '', groups: [...accountGroups(namespace)], extra: {} };
}

function requestOf(query: AuthorizationQuery): RequestInfo {
  const { verb, path, group = '', resource = '', subresource = '', namespace = '', name = '' } = query;
  const { fieldSelector, labelSelector } = query;
  return {
    path: path ?? '',
    queryAt: -1,
    verb,
    isResource: path === undefined,
    isRoutable: true,
    apiPrefix: group === '' ? 'api' : 'apis',
    group,
    version: '*',
    namespace,
    isInNamespace: namespace !== '',
    resource,
    subresource,
    name,
    isNameInPath: name !== '',
    ...((fieldSelector !== undefined || labelSelector !== undefined) && {
      restrictions: {
        fields: fieldSelector === undefined ? unrestricted : fieldRestriction(fieldSelector),
        labels: labelSelector === undefined ? unrestricted : labelRestriction(labelSelector),
      },
    }),
  };
}
