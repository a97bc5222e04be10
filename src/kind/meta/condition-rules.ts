// Validation of metav1.Condition (upstream: ValidateConditions of apimachinery).

import {
  addErrors,
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
} from '../../errors/field-error.ts';
import { qualifiedName } from '../../schema/names.ts';
import type { Condition } from './condition.ts';

export const conditionStatuses = ['False', 'True', 'Unknown'];
const reasonPattern = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const reasonRule =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', " +
  "and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or " +
  "'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";
const maxReasonBytes = 1024;
const maxMessageBytes = 32 * 1024;

/** Validates the conditions of an object's status; each type may occur once. */
export function validateConditions(conditions: readonly Condition[], path: string): FieldError[] {
  const seen = new Set<string>();
  return conditions.flatMap((condition, i) => {
    const { type } = condition;
    const repeated = seen.has(type) ? [duplicate(`${path}[${i}].type`, type)] : [];
    seen.add(type);
    return [...repeated, ...validateCondition(condition, `${path}[${i}]`)];
  });
}

function validateCondition(condition: Condition, path: string): FieldError[] {
  const { type, status, observedGeneration = 0, lastTransitionTime, reason, message } = condition;
  const errors = qualifiedName(type).map((problem) => invalid(`${path}.type`, type, problem));
  if (!conditionStatuses.includes(status)) {
    errors.push(notSupported(`${path}.status`, status, conditionStatuses));
  }
  if (observedGeneration < 0) {
    const why = 'must be greater than or equal to zero';
    errors.push(invalid(`${path}.observedGeneration`, observedGeneration, why));
  }
  if (!lastTransitionTime) errors.push(required(`${path}.lastTransitionTime`, 'must be set'));
  addErrors(errors, validateReason(reason, `${path}.reason`));
  if (Buffer.byteLength(message) > maxMessageBytes) errors.push(tooLong(`${path}.message`, maxMessageBytes));
  return errors;
}

export function validateReason(reason: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (reason === '') errors.push(required(path, 'must be set'));
  else if (!reasonPattern.test(reason)) errors.push(invalid(path, reason, reasonRule));
  if (Buffer.byteLength(reason) > maxReasonBytes) errors.push(tooLong(path, maxReasonBytes));
  return errors;
}

/** Requires a type and a known status. For kinds whose conditions kube-apiserver does not validate. */
export function validateTypeAndStatus(
  conditions: readonly Pick<Condition, 'type' | 'status'>[] = [],
): FieldError[] {
  return conditions.flatMap(({ type, status }, i) => {
    const path = `status.conditions[${i}]`;
    const errors = type === '' ? [required(`${path}.type`)] : [];
    if (status === '') errors.push(required(`${path}.status`));
    else if (!conditionStatuses.includes(status)) {
      errors.push(notSupported(`${path}.status`, status, conditionStatuses));
    }
    return errors;
  });
}
