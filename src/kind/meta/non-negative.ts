import { type FieldError, invalid } from '../../errors/field-error.ts';
import { shownInteger } from './validation.ts';

/** What is wrong with a count: it is below 0. */
export function nonNegative(value: number | undefined, path: string): FieldError[] {
  if (value === undefined || value >= 0) return [];
  return [invalid(path, shownInteger(value), 'must be greater than or equal to 0')];
}
