// Authorization filter: 403 unless the authorizer allows the request.
import { type Authorizer, type Decision, forbiddenError } from '../../request/authorizer.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import type { User } from '../../request/user.ts';
import type { HttpExchange } from '../../transport/exchange.ts';
import { sendError } from '../../transport/response.ts';

/**
 * Applies the latest acknowledged revision to this replica. Resolves to false if the local state is always the latest (a
 * store that one server uses): deciding again would give the same result.
 *
 * The filters refresh and decide again before they reject a request, so a token or role binding that another replica stored
 * is valid at once. A revocation takes effect once this replica has applied it.
 */
export type Refresh = () => Promise<boolean>;

export class Authorization {
  readonly #authorizer: Authorizer;
  readonly #refresh: Refresh;

  constructor(authorizer: Authorizer, refresh: Refresh) {
    this.#authorizer = authorizer;
    this.#refresh = refresh;
  }

  authorize(user: User, info: RequestInfo): Promise<Decision> {
    return this.confirm(this.#authorizer.authorize(user, info), user, info);
  }

  /** Returns the authorizer's decision, or if it is a denial, the decision after a refresh. */
  async confirm(
    firstDecision: Decision | Promise<Decision>,
    user: User,
    info: RequestInfo,
  ): Promise<Decision> {
    const decision = await firstDecision;
    if (decision.allowed || !(await this.#refresh())) return decision;
    return this.#authorizer.authorize(user, info);
  }
}

export function sendForbidden(exchange: HttpExchange, user: User, info: RequestInfo, reason: string): void {
  sendError(exchange, forbiddenError(user, info, reason), ['X-Content-Type-Options', 'nosniff']);
}
