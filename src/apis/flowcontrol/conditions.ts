import type { DialectRules } from '../../dialect/dialect.ts';
import { duplicate, type FieldError, notSupported, required } from '../../errors/field-error.ts';
import { conditionStatuses } from '../../kind/meta/condition-rules.ts';

interface SomeCondition {
  readonly type?: string;
  readonly status?: string;
}

/** Every condition has a type, and there is one of each. A status need not be given. */
export function validateConditions(
  conditions: readonly SomeCondition[] = [],
  { conditionStatusesAreKnown }: DialectRules,
): FieldError[] {
  const seen = new Set<string>();
  return conditions.flatMap(({ type = '', status = '' }, i) => {
    const path = `status.conditions[${i}]`;
    if (type === '') return [required(`${path}.type`, 'must not be empty')];
    const errors = seen.has(type) ? [duplicate(`${path}.type`, type)] : [];
    seen.add(type);
    if (conditionStatusesAreKnown && status !== '' && !conditionStatuses.includes(status)) {
      errors.push(notSupported(`${path}.status`, status, conditionStatuses));
    }
    return errors;
  });
}
