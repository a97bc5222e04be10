// IntOrString fields that hold a number or a percentage.

import { type FieldError, FormattedValue, invalid } from '../../errors/field-error.ts';

import { quote } from '../../errors/quote.ts';
import { validateNonNegative } from './non-negative.ts';

/** A number, or a percentage such as `25%`. */
export type IntOrPercent = number | string;

const percent = /^[0-9]+%$/;

/** Requires a non-negative number or a percentage (upstream: ValidatePositiveIntOrPercent). */
export function validateIntOrPercent(value: IntOrPercent, path: string): FieldError[] {
  if (typeof value === 'number') return validateNonNegative(value, path);
  if (percent.test(value)) return [];
  return [
    invalid(
      path,
      formattedIntOrString(value),
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    ),
  ];
}

export function validateAtMost100Percent(value: IntOrPercent, path: string): FieldError[] {
  if (typeof value === 'number' || !percent.test(value) || Number.parseInt(value, 10) <= 100) return [];
  return [invalid(path, formattedIntOrString(value), 'must not be greater than 100%')];
}

/** Returns the number, or the number before the `%`. Any other text counts as 0. */
export function intOrPercentValue(value: IntOrPercent): number {
  if (typeof value === 'number') return value;
  return percent.test(value) || /^[+-]?[0-9]+$/.test(value) ? Number.parseInt(value, 10) : 0;
}

/** Formats the value with Go syntax (%#v) for error messages. */
export function formattedIntOrString(value: IntOrPercent): FormattedValue {
  const [type, number, text] = typeof value === 'number' ? [0, value, ''] : [1, 0, value];
  return new FormattedValue(`intstr.IntOrString{Type:${type}, IntVal:${number}, StrVal:${quote(text)}}`);
}
