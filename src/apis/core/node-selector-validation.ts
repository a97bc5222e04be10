// NodeSelector: validation, for node affinity of pods and PersistentVolumes (upstream: ValidateNodeSelector).
import { addErrors, type FieldError, forbidden, invalid, required } from '../../errors/field-error.ts';
import { nameIsSubdomain, qualifiedName, validLabelValue } from '../../schema/names.ts';
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from './node-selector.ts';

export function validateNodeSelector(selector: NodeSelector, path: string): FieldError[] {
  const terms = selector.nodeSelectorTerms ?? [];
  const fieldPath = `${path}.nodeSelectorTerms`;
  if (terms.length === 0) return [required(fieldPath, 'must have at least one node selector term')];
  return terms.flatMap((term, i) => validateNodeSelectorTerm(term, `${fieldPath}[${i}]`));
}

/** `allowAnyValue` skips the check that values are valid label values; callers only warn about them. */
export function validateNodeSelectorTerm(
  term: NodeSelectorTerm,
  path: string,
  { allowAnyValue = false } = {},
): FieldError[] {
  return [
    ...(term.matchExpressions ?? []).flatMap((requirement, i) =>
      validateLabelRequirement(requirement, `${path}.matchExpressions[${i}]`, { allowAnyValue }),
    ),
    ...(term.matchFields ?? []).flatMap((requirement, i) =>
      validateFieldRequirement(requirement, `${path}.matchFields[${i}]`),
    ),
  ];
}

function validateLabelRequirement(
  { key, operator, values = [] }: NodeSelectorRequirement,
  path: string,
  { allowAnyValue }: { allowAnyValue: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) {
        errors.push(required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
      }
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) {
        const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
        errors.push(forbidden(`${path}.values`, detail));
      }
      break;
    case 'Gt':
    case 'Lt':
      if (values.length !== 1) {
        const detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
        errors.push(required(`${path}.values`, detail));
      }
      break;
    default:
      errors.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  }
  addErrors(
    errors,
    qualifiedName(key).map((problem) => invalid(`${path}.key`, key, problem)),
  );
  if (allowAnyValue) return errors;
  for (const [i, value] of values.entries()) {
    addErrors(
      errors,
      validLabelValue(value).map((problem) => invalid(`${path}.values[${i}]`, value, problem)),
    );
  }
  return errors;
}

/** matchFields supports only `metadata.name`, with exactly one value. */
function validateFieldRequirement(
  { key, operator, values = [] }: NodeSelectorRequirement,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn') {
    errors.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  } else if (values.length !== 1) {
    const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(required(`${path}.values`, detail));
  }
  if (key !== 'metadata.name') {
    return [...errors, invalid(`${path}.key`, key, 'not a valid field selector key')];
  }
  for (const [i, value] of values.entries()) {
    addErrors(
      errors,
      nameIsSubdomain(value).map((problem) => invalid(`${path}.values[${i}]`, value, problem)),
    );
  }
  return errors;
}
