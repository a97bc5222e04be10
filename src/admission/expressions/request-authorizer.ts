// Admission CEL: the variable `authorizer`, backed by the server's authorizer, and the re-evaluation of expressions whose
// inputs (authorization decisions, converted objects, parameters) arrive asynchronously.
import type { AuthorizationAnswer, AuthorizationQuery, AuthorizerHost } from '../../cel/index.ts';
import type { Decision } from '../../request/authorizer.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import { fieldRestriction, labelRestriction, unrestricted } from '../../request/restrictions.ts';
import { accountGroups, accountUser } from '../../request/service-account-names.ts';
import type { User } from '../../request/user.ts';
import type { Attributes } from '../attributes.ts';

/**
 * Thrown by an expression that needs an authorization decision, a converted object or a parameter that is not available
 * yet. CEL evaluates synchronously, so the expression is evaluated again once `ready` resolves.
 */
export class PendingInput {
  readonly ready: Promise<void>;

  constructor(ready: Promise<void>) {
    this.ready = ready;
  }
}

/** Calls `evaluate` again each time it has thrown PendingInput, once that input is ready. */
export async function evaluateWhenReady<T>(evaluate: () => T): Promise<T> {
  for (;;) {
    try {
      return evaluate();
    } catch (pending) {
      if (!(pending instanceof PendingInput)) throw pending;
      await pending.ready;
    }
  }
}

/** Authorizes the queries of one request's expressions. A repeated evaluation reads the cached decisions. */
export class RequestAuthorizer implements AuthorizerHost {
  readonly #attributes: Pick<Attributes, 'api' | 'user'>;
  readonly #answers = new Map<string, AuthorizationAnswer>();

  constructor(attributes: Pick<Attributes, 'api' | 'user'>) {
    this.#attributes = attributes;
  }

  authorize(query: AuthorizationQuery): AuthorizationAnswer {
    const key = JSON.stringify(query);
    const cached = this.#answers.get(key);
    if (cached) return cached;
    const { api, user } = this.#attributes;
    const decision = api.authorizer.authorize(userOf(query, user), requestInfoOf(query));
    if (!(decision instanceof Promise)) return this.#cache(key, decision);
    throw new PendingInput(
      decision.then(
        (decided) => void this.#cache(key, decided),
        // A failed authorization is an answer: the expression reads it with `error()`.
        (error: unknown) => {
          const problem = error instanceof Error ? error.message : String(error);
          this.#answers.set(key, { allowed: false, reason: '', error: problem });
        },
      ),
    );
  }

  #cache(key: string, { allowed, reason }: Decision): AuthorizationAnswer {
    const answer = { allowed, reason };
    this.#answers.set(key, answer);
    return answer;
  }
}

/** The user of the request, unless the expression asks for a service account (`authorizer.serviceAccount`). */
function userOf({ serviceAccount }: AuthorizationQuery, user: User): User {
  if (!serviceAccount) return user;
  const { namespace, name } = serviceAccount;
  return { name: accountUser(namespace, name), uid: '', groups: [...accountGroups(namespace)], extra: {} };
}

function requestInfoOf(query: AuthorizationQuery): RequestInfo {
  const { verb, path, group = '', resource = '', subresource = '', namespace = '', name = '' } = query;
  const { fieldSelector, labelSelector } = query;
  return {
    path: path ?? '',
    queryOffset: -1,
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
