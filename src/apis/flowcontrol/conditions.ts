// FlowSchema and PriorityLevelConfiguration: validation of status.conditions.

import type { DialectRules } from '../../dialect/dialect.ts';
import { duplicate, type FieldError, notSupported, required } from '../../errors/field-error.ts';
import { conditionStatuses } from '../../kind/meta/condition-rules.ts';

export interface AnyCondition {
  readonly type?: string;
  readonly status?: string;
}

/**
 * Requires distinct, non-empty types. Unlike in metav1.Condition, the status is optional; kube-apiserver accepts any
 * status, the orch dialect (conditionsAreValidated) only the known ones.
 */
export function validateConditions(
  conditions: readonly AnyCondition[] = [],
  { conditionsAreValidated }: DialectRules,
): FieldError[] {
  const seen = new Set<string>();
  return conditions.flatMap(({ type = '', status = '' }, i) => {
    const path = `status.conditions[${i}]`;
    if (type === '') return [required(`${path}.type`, 'must not be empty')];
    const errors = seen.has(type) ? [duplicate(`${path}.type`, type)] : [];
    seen.add(type);
    if (conditionsAreValidated && status !== '' && !conditionStatuses.includes(status)) {
      errors.push(notSupported(`${path}.status`, status, conditionStatuses));
    }
    return errors;
  });
}
