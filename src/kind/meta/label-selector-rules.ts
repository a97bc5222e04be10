// Validation and parsing of metav1.LabelSelector.

import { addErrors, type FieldError, forbidden, invalid, required } from '../../errors/field-error.ts';
import { qualifiedName, validLabelValue } from '../../schema/names.ts';
import type { LabelRequirement } from '../../selectors/label-selector.ts';
import type { LabelSelector, LabelSelectorRequirement } from './label-selector.ts';
import { validateLabels } from './validation.ts';

/** Validates matchLabels and matchExpressions; an absent selector is valid. */
export function validateLabelSelector(selector: LabelSelector | undefined, path: string): FieldError[] {
  if (!selector) return [];
  const errors: FieldError[] = [];
  validateLabels(selector.matchLabels ?? {}, `${path}.matchLabels`, errors);
  for (const [i, requirement] of (selector.matchExpressions ?? []).entries()) {
    addErrors(errors, validateRequirement(requirement, `${path}.matchExpressions[${i}]`));
  }
  return errors;
}

/** Validates one requirement. `anyOperator` accepts unknown operators, for callers that ignore such requirements. */
export function validateRequirement(
  { key, operator, values = [] }: LabelSelectorRequirement,
  path: string,
  { anyOperator = false } = {},
): FieldError[] {
  const errors: FieldError[] = [];
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      errors.push(required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      const why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      errors.push(forbidden(`${path}.values`, why));
    }
  } else if (!anyOperator) {
    errors.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  }
  for (const problem of qualifiedName(key)) errors.push(invalid(`${path}.key`, key, problem));
  for (const [i, value] of values.entries()) {
    for (const problem of validLabelValue(value))
      errors.push(invalid(`${path}.values[${i}]`, value, problem));
  }
  return errors;
}

const operators: Readonly<Record<string, LabelRequirement['operator']>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: 'absent',
};

/** Converts a LabelSelectorRequirement to a parsed requirement; undefined if its operator is unknown. */
export function parseLabelRequirement(sent: LabelSelectorRequirement): LabelRequirement | undefined {
  const operator = Object.hasOwn(operators, sent.operator) ? operators[sent.operator] : undefined;
  return operator && { key: sent.key, operator, values: [...new Set(sent.values ?? [])].sort() };
}

/** Formats a selector as text sorted by key: `app=web,tier in (back,front),!legacy`. */
export function formatLabelSelector(selector: LabelSelector): string {
  const texts = Object.entries(selector.matchLabels ?? {}).map(
    ([key, value]): [key: string, text: string] => [key, `${key}=${value}`],
  );
  for (const requirement of selector.matchExpressions ?? []) {
    // A requirement with an unknown operator matches nothing: `key in ()`.
    const matchingNothing = { key: requirement.key, operator: 'in' as const, values: [] };
    const { key, operator, values } = parseLabelRequirement(requirement) ?? matchingNothing;
    if (operator === 'exists') texts.push([key, key]);
    else if (operator === 'absent') texts.push([key, `!${key}`]);
    else texts.push([key, `${key} ${operator} (${values.join(',')})`]);
  }
  return texts
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, text]) => text)
    .join(',');
}
