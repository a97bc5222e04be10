// RBAC: the rules that apply to a user in one namespace or cluster-wide.
import type { RequestAttributes } from '../../apis/rbac/rule-evaluation.ts';
import type { Grant, RoleReference } from './grant.ts';
import { estimateIndexBytes, noRule, RuleIndex } from './rule-index.ts';

/** Approximate memory of a grant, without the rules that it shares with the role. */
export const grantBytes = 100;

export class ResolvedRules {
  readonly grants: readonly Grant[];
  /** Approximate memory in bytes, with the index. */
  readonly weight: number;
  /** Whether the cache has evicted these rules: they must be resolved again. */
  #isEvicted = false;
  /** Bound roles that do not exist. */
  readonly missingRoles: readonly RoleReference[];
  /** Built on the first request. */
  #index: RuleIndex | undefined;

  constructor(grants: readonly Grant[], missing: readonly RoleReference[]) {
    this.grants = grants;
    this.missingRoles = missing;
    this.weight =
      grantBytes * (1 + grants.length + missing.length) +
      estimateIndexBytes(grants.map(({ rules }) => rules));
  }

  get isEvicted(): boolean {
    return this.#isEvicted;
  }

  /** Frees the index. A request that still uses the rules gets the right answer. */
  evict(): void {
    this.#isEvicted = true;
    this.#index = undefined;
  }

  /** The first grant that allows the request. */
  findGrant(attributes: RequestAttributes): Grant | undefined {
    const index = this.#index ?? buildIndex(this.grants);
    if (!this.#isEvicted) this.#index = index;
    const position = index.find(attributes);
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
