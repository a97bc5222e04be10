// Label selectors: compiles requirements to a predicate.
import { type LabelRequirement, matchesLabels } from './label-selector.ts';

type Labels = ReadonlyMap<string, string>;

/** Up to this many requirements and values, a linear scan is fastest. */
const maxLinearScanSize = 16;

/**
 * Compiles a selector so that evaluation costs depend on the object's labels, not on the size of the selector, which
 * clients control and which is evaluated for every object and every watch event.
 */
export function labelMatcher(requirements: readonly LabelRequirement[]): (labels: Labels) => boolean {
  const size = requirements.reduce((sum, { values }) => sum + 1 + values.length, 0);
  if (size <= maxLinearScanSize) return (labels) => matchesLabels(requirements, labels);
  const conditions = new Map<string, KeyCondition>();
  for (const requirement of requirements) {
    const condition = conditions.get(requirement.key) ?? new KeyCondition();
    conditions.set(requirement.key, condition);
    condition.add(requirement);
  }
  const requiredKeys = [...conditions].flatMap(([key, { isRequired }]) => (isRequired ? [key] : []));
  return (labels) => {
    if (requiredKeys.length > labels.size || !requiredKeys.every((key) => labels.has(key))) return false;
    for (const [key, value] of labels) {
      if (conditions.get(key)?.allows(value) === false) return false;
    }
    return true;
  };
}

/** All requirements of one key. There may be very many keys, so sets are created on demand. */
class KeyCondition {
  isRequired = false;
  #mustBeAbsent = false;
  /** Undefined without an `in` requirement: any value. */
  #allowed: ReadonlySet<string> | undefined;
  #forbidden: Set<string> | undefined;
  /** The tightest `gt` and `lt` bound. */
  #bounds: Map<'gt' | 'lt', LabelRequirement> | undefined;

  add(requirement: LabelRequirement): void {
    const { operator, values } = requirement;
    if (operator !== 'notin' && operator !== 'absent') this.isRequired = true;
    switch (operator) {
      case 'exists':
        return;
      case 'absent':
        this.#mustBeAbsent = true;
        return;
      case 'in': {
        const current = this.#allowed;
        this.#allowed = new Set(current ? values.filter((value) => current.has(value)) : values);
        return;
      }
      case 'notin':
        this.#forbidden ??= new Set();
        for (const value of values) this.#forbidden.add(value);
        return;
      case 'gt':
      case 'lt': {
        this.#bounds ??= new Map();
        const current = this.#bounds.get(operator);
        if (!current || isNarrower(requirement, current)) this.#bounds.set(operator, requirement);
      }
    }
  }

  allows(value: string): boolean {
    if (this.#mustBeAbsent || this.#forbidden?.has(value) || this.#allowed?.has(value) === false)
      return false;
    if (!this.#bounds) return true;
    return [...this.#bounds.values()].every((bound) => matchesLabels([bound], new Map([[bound.key, value]])));
  }
}

function isNarrower({ operator, values }: LabelRequirement, current: LabelRequirement): boolean {
  const [bound, currentBound] = [BigInt(values[0]!), BigInt(current.values[0]!)];
  return operator === 'gt' ? bound > currentBound : bound < currentBound;
}
