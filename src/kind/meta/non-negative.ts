// Validation of counts (upstream: ValidateNonnegativeField).

import { type FieldError, invalid } from '../../errors/field-error.ts';
import { formattedInteger } from './validation.ts';

/** Rejects a negative number; an absent one is valid. */
export function validateNonNegative(value: number | undefined, path: string): FieldError[] {
  if (value === undefined || value >= 0) return [];
  return [invalid(path, formattedInteger(value), 'must be greater than or equal to 0')];
}
