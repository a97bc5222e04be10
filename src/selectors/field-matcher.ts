// Field selectors: compiles requirements to a predicate.
import type { FieldRequirement } from './field-selector.ts';

/**
 * Compiles requirements to a predicate on an object, whose fields `read` returns. Merges all requirements of a field,
 * so that evaluation is linear in the number of fields.
 */
export function fieldMatcher(
  requirements: readonly FieldRequirement[],
): (read: (field: string) => string) => boolean {
  const byField = new Map<string, { readonly equal: Set<string>; readonly unequal: Set<string> }>();
  for (const { field, value, equal } of requirements) {
    const values = byField.get(field) ?? { equal: new Set(), unequal: new Set() };
    byField.set(field, values);
    values[equal ? 'equal' : 'unequal'].add(value);
  }
  const conditions = [...byField];
  return (read) =>
    conditions.every(([field, { equal, unequal }]) => {
      const value = read(field);
      if (unequal.has(value)) return false;
      // A field cannot equal two different values: then nothing matches.
      return equal.size === 0 || (equal.size === 1 && equal.has(value));
    });
}
