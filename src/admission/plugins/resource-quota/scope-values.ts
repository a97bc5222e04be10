// ResourceQuota: matches a value against the operator of a scope selector.
import type { ScopedResourceSelectorRequirement } from '../../../apis/core/resourcequota.ts';

/** `value`: undefined if the object does not set the field that the scope is about. */
export function scopeMatchesValue(
  { operator, values = [] }: ScopedResourceSelectorRequirement,
  value: string | undefined,
): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    default: // DoesNotExist
      return value === undefined;
  }
}
