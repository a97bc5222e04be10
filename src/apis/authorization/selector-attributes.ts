// Access reviews: validates and parses the field and label selectors of the reviewed request.
// A Restriction is a selector as authorizers see it: the requirements that could be parsed.

import { type FieldError, forbidden, invalid, required } from '../../errors/field-error.ts';
import { parseLabelRequirement, validateRequirement } from '../../kind/meta/label-selector-rules.ts';
import type { FieldSelectorRequirement } from '../../kind/meta/selector-requirements.ts';
import {
  fieldRestriction,
  labelRestriction,
  type Restriction,
  type Restrictions,
  unrestricted,
} from '../../request/restrictions.ts';
import type { FieldRequirement } from '../../selectors/field-selector.ts';
import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  ResourceAttributes,
} from './access-review.ts';

const fieldsPath = 'spec.resourceAttributes.fieldSelector';
const labelsPath = 'spec.resourceAttributes.labelSelector';

/** Validates the selectors. An unknown operator is valid: authorization ignores such a requirement. */
export function validateSelectors({ fieldSelector, labelSelector }: ResourceAttributes): FieldError[] {
  return [
    ...validateSelectorForm(fieldSelector, fieldsPath),
    ...(fieldSelector?.requirements ?? []).flatMap((requirement, i) =>
      validateFieldRequirement(requirement, `${fieldsPath}.requirements[${i}]`),
    ),
    ...validateSelectorForm(labelSelector, labelsPath),
    ...(labelSelector?.requirements ?? []).flatMap((requirement, i) =>
      validateRequirement(requirement, `${labelsPath}.requirements[${i}]`, { anyOperator: true }),
    ),
  ];
}

/** Requires exactly one of rawSelector and requirements. */
function validateSelectorForm(
  selector: FieldSelectorAttributes | LabelSelectorAttributes | undefined,
  path: string,
): FieldError[] {
  if (!selector) return [];
  const { rawSelector = '', requirements = [] } = selector;
  if (rawSelector !== '' && requirements.length > 0) {
    return [
      invalid(`${path}.rawSelector`, rawSelector, 'may not specified at the same time as requirements'),
    ];
  }
  if (rawSelector !== '' || requirements.length > 0) return [];
  const detail = `when ${path} is specified, requirements or rawSelector is required`;
  return [required(`${path}.requirements`, detail)];
}

function validateFieldRequirement(
  { key, operator, values = [] }: FieldSelectorRequirement,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (key === '') errors.push(required(`${path}.key`, 'must be specified'));
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0) {
    errors.push(required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
  }
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0) {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    errors.push(forbidden(`${path}.values`, detail));
  }
  return errors;
}

/**
 * Parses the selectors. Requirements that cannot be parsed are left out, so the reviewed request counts as less
 * restricted.
 */
export function parseSelectors({ fieldSelector, labelSelector }: ResourceAttributes): Restrictions {
  return {
    fields: toRestriction(fieldSelector, fieldRestriction, parseFieldRequirement),
    labels: toRestriction(labelSelector, labelRestriction, parseLabelRequirement),
  };
}

function toRestriction<Sent, Requirement>(
  selector: { rawSelector?: string; requirements?: Sent[] } | undefined,
  parseRaw: (text: string) => Restriction<Requirement>,
  parseRequirement: (requirement: Sent) => Requirement | undefined,
): Restriction<Requirement> {
  if (!selector) return unrestricted;
  if (selector.rawSelector) return parseRaw(selector.rawSelector);
  const sentRequirements = selector.requirements ?? [];
  const requirements = sentRequirements
    .map(parseRequirement)
    .filter((requirement) => requirement !== undefined);
  return { requirements, isMalformed: requirements.length < sentRequirements.length };
}

/** Field selectors only support equality: `In` or `NotIn` with one value. Returns undefined for anything else. */
function parseFieldRequirement({
  key,
  operator,
  values = [],
}: FieldSelectorRequirement): FieldRequirement | undefined {
  const [value] = values;
  if ((operator !== 'In' && operator !== 'NotIn') || value === undefined || values.length > 1) return;
  return { field: key, value, equal: operator === 'In' };
}

/** Returns the evaluationError that names the selectors with parse errors; empty if there are none. */
export function selectorEvaluationError({ fields, labels }: Restrictions): string {
  return [evaluationErrorOf(fields, fieldsPath), evaluationErrorOf(labels, labelsPath)]
    .filter((text) => text !== '')
    .join('; ');
}

function evaluationErrorOf({ requirements, isMalformed }: Restriction<unknown>, path: string): string {
  if (!isMalformed) return '';
  return `${path} ${requirements.length > 0 ? 'partially ignored' : 'ignored'} due to parse error`;
}
