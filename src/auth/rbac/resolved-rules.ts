import type { RequestAttributes } from '../../apis/rbac/rule-evaluation.ts';
import type { Grant, RoleReference } from './grant.ts';
import { noRule, RuleIndex } from './rule-index.ts';

/** What somebody is given in one place: by the bindings of a namespace, or by those of the whole cluster. */
export class ResolvedRules {
  readonly grants: readonly Grant[];
  /** Roles that are bound but not there. */
  readonly missing: readonly RoleReference[];
  #index: RuleIndex | undefined;

  constructor(grants: readonly Grant[], missing: readonly RoleReference[]) {
    this.grants = grants;
    this.missing = missing;
  }

  /** The first grant that allows this, if one does. */
  find(asked: RequestAttributes): Grant | undefined {
    this.#index ??= indexOf(this.grants);
    const place = this.#index.find(asked);
    return place === noRule ? undefined : this.grants[place];
  }
}

function indexOf(grants: readonly Grant[]): RuleIndex {
  const index = new RuleIndex();
  grants.forEach(({ rules }, place) => {
    for (const rule of rules) index.add(rule, place);
  });
  return index;
}
