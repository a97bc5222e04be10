import { duplicate, type FieldError, required } from '../../errors/field-error.ts';

/** Every condition has a type, and there is one of each. */
export function validateConditions(conditions: readonly { type?: string }[] = []): FieldError[] {
  const seen = new Set<string>();
  return conditions.flatMap(({ type = '' }, i) => {
    const path = `status.conditions[${i}].type`;
    if (type === '') return [required(path, 'must not be empty')];
    if (seen.has(type)) return [duplicate(path, type)];
    seen.add(type);
    return [];
  });
}
