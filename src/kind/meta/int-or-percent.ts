import { type FieldError, invalid, ShownAs } from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import { nonNegative } from './non-negative.ts';

/** A number, or a share of all: `25%`. */
export type IntOrPercent = number | string;

const percent = /^[0-9]+%$/;

/** What is wrong with it: a number below 0, or a text that is no percentage. */
export function validateIntOrPercent(value: IntOrPercent, path: string): FieldError[] {
  if (typeof value === 'number') return nonNegative(value, path);
  if (percent.test(value)) return [];
  return [
    invalid(
      path,
      shownIntOrString(value),
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    ),
  ];
}

export function atMostAll(value: IntOrPercent, path: string): FieldError[] {
  if (typeof value === 'number' || !percent.test(value) || Number.parseInt(value, 10) <= 100) return [];
  return [invalid(path, shownIntOrString(value), 'must not be greater than 100%')];
}

/** The number, or that of the percentage. A text that is neither counts as 0. */
export function numberOf(value: IntOrPercent): number {
  if (typeof value === 'number') return value;
  return percent.test(value) || /^[+-]?[0-9]+$/.test(value) ? Number.parseInt(value, 10) : 0;
}

export function shownIntOrString(value: IntOrPercent): ShownAs {
  const [type, number, text] = typeof value === 'number' ? [0, value, ''] : [1, 0, value];
  return new ShownAs(`intstr.IntOrString{Type:${type}, IntVal:${number}, StrVal:${quote(text)}}`);
}
