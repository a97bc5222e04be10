// Field selectors: compiles requirements to a predicate.
import type { FieldRequirement } from './field-selector.ts';

/** Merges all requirements of a field, so that evaluation is linear in the number of fields. */
export function fieldMatcher(
  requirements: readonly FieldRequirement[],
): (read: (field: string) => string) => boolean {
  const byField = new Map<string, { readonly equal: Set<string>; readonly unequal: Set<string> }>();
  for (const { field, value, equal } of requirements) {
    const values = byField.get(field) ?? { equal: new Set(), unequal: new Set() };
    byField.set(field, values);
    values[equal ? 'equal' : 'unequal'].add(value);
  }
  // A field cannot equal two different values: then nothing matches.
  const conditions = [...byField];
  return (read) =>
    conditions.every(([field, { equal, unequal }]) => {
      const value = read(field);
      return !unequal.has(value) && (equal.size === 0 || (equal.size === 1 && equal.has(value)));
    });
}
