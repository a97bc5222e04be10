// ResourceClaim (DRA): validation of the spec, of a claim or of a claim template, after conversion to v1beta2.

import {
  addErrors,
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
  tooMany,
} from '../../errors/field-error.ts';
import type { DeviceSelector } from './device-parts.ts';
import {
  validateConfiguration,
  validateFullyQualifiedName,
  validateLabelName,
  validateSubdomain,
  validateTolerations,
} from './device-validation.ts';
import type { DeviceClaimConfiguration, DeviceConstraint } from './resource-claim-spec.ts';
import type {
  DeviceClaimV1beta2,
  DeviceRequestV1beta2,
  DeviceSubRequestV1beta2,
  ExactDeviceRequestV1beta2,
} from './resource-claim-spec-v1beta2.ts';
import type { SelectorValidator } from './selector-rules.ts';

/** The maximum number of requests, constraints and configurations, and of request names in one of them. */
const maxItems = 32;
/** The maximum length of firstAvailable. */
const maxAlternatives = 8;
const allocationModes = ['All', 'ExactCount'];

/** The names of requests, and of subrequests as `request/subrequest`. */
export function requestNames({ requests = [] }: DeviceClaimV1beta2): ReadonlySet<string> {
  return new Set(
    requests.flatMap(({ name, firstAvailable = [] }) => [
      name,
      ...firstAvailable.map((alternative) => `${name}/${alternative.name}`),
    ]),
  );
}

/** All CEL selectors of a claim. */
export function selectorsOf({ requests = [] }: DeviceClaimV1beta2): DeviceSelector[] {
  return requests.flatMap(({ exactly, firstAvailable = [] }) =>
    [...(exactly ? [exactly] : []), ...firstAvailable].flatMap(({ selectors = [] }) => selectors),
  );
}

/** Validates the selectors at a path. */
type ValidateSelectors = (selectors: readonly DeviceSelector[] | undefined, path: string) => FieldError[];

/**
 * Validates spec.devices of a claim or template. `object` is the claim or template that `SelectorValidator.load`
 * received.
 */
export function validateClaim(
  object: object,
  claim: DeviceClaimV1beta2,
  path: string,
  selectorValidator: SelectorValidator,
): FieldError[] {
  const validateSelectors: ValidateSelectors = (selectors, fieldPath) =>
    selectorValidator.validate(object, selectors, fieldPath);
  const { requests = [], constraints = [], config = [] } = claim;
  const names = requestNames(claim);
  const errors: FieldError[] = [];
  const validateMaxItems = (field: string, length: number) => {
    if (length > maxItems) errors.push(tooMany(`${path}.${field}`, length, maxItems));
  };
  for (const [i, request] of requests.entries())
    addErrors(errors, validateRequest(request, `${path}.requests[${i}]`, validateSelectors));
  validateMaxItems('requests', requests.length);
  addErrors(errors, validateNamesUnique(requests, `${path}.requests`));
  for (const [i, constraint] of constraints.entries())
    addErrors(errors, validateConstraint(constraint, `${path}.constraints[${i}]`, names));
  validateMaxItems('constraints', constraints.length);
  for (const [i, entry] of config.entries())
    addErrors(errors, validateClaimConfiguration(entry, `${path}.config[${i}]`, names));
  validateMaxItems('config', config.length);
  return errors;
}

function validateNamesUnique(items: readonly { readonly name: string }[], path: string): FieldError[] {
  const seen = new Set<string>();
  return items.flatMap(({ name }, i) => {
    if (seen.has(name)) return [duplicate(`${path}[${i}].name`, name)];
    seen.add(name);
    return [];
  });
}

const exactlyOneDetail = 'exactly one of `exactly` or `firstAvailable` is required';

function validateRequest(
  { name, exactly, firstAvailable = [] }: DeviceRequestV1beta2,
  path: string,
  validateSelectors: ValidateSelectors,
): FieldError[] {
  const errors = validateLabelName(name, `${path}.name`);
  if (firstAvailable.length > 0) {
    addErrors(errors, validateAlternatives(firstAvailable, `${path}.firstAvailable`, validateSelectors));
  }
  if (exactly) addErrors(errors, validateExact(exactly, `${path}.exactly`, validateSelectors));
  if (exactly && firstAvailable.length > 0) {
    errors.push(invalid(path, 'null', `${exactlyOneDetail}, but multiple fields are set`));
  }
  if (!exactly && firstAvailable.length === 0) errors.push(required(path, exactlyOneDetail));
  return errors;
}

function validateAlternatives(
  alternatives: readonly DeviceSubRequestV1beta2[],
  path: string,
  validateSelectors: ValidateSelectors,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, alternative] of alternatives.entries()) {
    addErrors(errors, validateLabelName(alternative.name, `${path}[${i}].name`));
    addErrors(errors, validateExact(alternative, `${path}[${i}]`, validateSelectors));
  }
  if (alternatives.length > maxAlternatives) {
    errors.push(tooMany(path, alternatives.length, maxAlternatives));
  }
  return [...errors, ...validateNamesUnique(alternatives, path)];
}

function validateExact(
  request: Omit<ExactDeviceRequestV1beta2, 'adminAccess'>,
  path: string,
  validateSelectors: ValidateSelectors,
): FieldError[] {
  const { deviceClassName, allocationMode = '', count = 0 } = request;
  const errors: FieldError[] =
    deviceClassName === ''
      ? [required(`${path}.deviceClassName`)]
      : validateSubdomain(deviceClassName, `${path}.deviceClassName`);
  addErrors(errors, validateSelectors(request.selectors, `${path}.selectors`));
  if (allocationMode === 'All') {
    if (count !== 0) {
      errors.push(invalid(`${path}.count`, count, "must not be specified when allocationMode is 'All'"));
    }
  } else if (allocationMode === 'ExactCount') {
    if (count <= 0) errors.push(invalid(`${path}.count`, count, 'must be greater than zero'));
  } else {
    errors.push(notSupported(`${path}.allocationMode`, allocationMode, allocationModes));
  }
  return [...errors, ...validateTolerations(request.tolerations, `${path}.tolerations`)];
}

function validateConstraint(
  { requests, matchAttribute }: DeviceConstraint,
  path: string,
  names: ReadonlySet<string>,
): FieldError[] {
  const errors = validateRequestNames(requests, `${path}.requests`, names);
  if (matchAttribute === undefined) return [...errors, required(`${path}.matchAttribute`)];
  return [...errors, ...validateFullyQualifiedName(matchAttribute, `${path}.matchAttribute`)];
}

export function validateClaimConfiguration(
  config: DeviceClaimConfiguration,
  path: string,
  names: ReadonlySet<string>,
): FieldError[] {
  return [
    ...validateRequestNames(config.requests, `${path}.requests`, names),
    ...validateConfiguration(config, path),
  ];
}

function validateRequestNames(
  requests: readonly string[] = [],
  path: string,
  names: ReadonlySet<string>,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, name] of requests.entries()) {
    addErrors(errors, validateRequestName(name, `${path}[${i}]`, names));
    if (seen.has(name)) errors.push(duplicate(`${path}[${i}]`, name));
    seen.add(name);
  }
  if (requests.length > maxItems) errors.push(tooMany(path, requests.length, maxItems));
  return errors;
}

/** Requires the name of one of the claim's requests or subrequests. */
export function validateRequestName(name: string, path: string, names: ReadonlySet<string>): FieldError[] {
  const errors = name.split('/').flatMap((part) => validateLabelName(part, path));
  if (names.has(name)) return errors;
  const detail =
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
  return [...errors, invalid(path, name, detail)];
}
