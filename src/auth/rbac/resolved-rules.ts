// RBAC: the rules that apply to a user in one namespace or cluster-wide.
import type { RequestAttributes } from '../../apis/rbac/rule-evaluation.ts';
import type { Grant, RoleReference } from './grant.ts';
import { noRule, RuleIndex } from './rule-index.ts';

export class ResolvedRules {
  readonly grants: readonly Grant[];
  /** Bound roles that do not exist. */
  readonly missingRoles: readonly RoleReference[];
  /** Built on the first request. */
  #index: RuleIndex | undefined;

  constructor(grants: readonly Grant[], missing: readonly RoleReference[]) {
    this.grants = grants;
    this.missingRoles = missing;
  }

  /** The first grant that allows the request. */
  findGrant(attributes: RequestAttributes): Grant | undefined {
    this.#index ??= buildIndex(this.grants);
    const position = this.#index.find(attributes);
    return position === noRule ? undefined : this.grants[position];
  }
}

function buildIndex(grants: readonly Grant[]): RuleIndex {
  const index = new RuleIndex();
  grants.forEach(({ rules }, position) => {
    for (const rule of rules) index.add(rule, position);
  });
  return index;
}
