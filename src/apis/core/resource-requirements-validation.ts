// ResourceRequirements: validation of limits, requests and claims.
import {
  addErrors,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notFound,
  required,
} from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { dnsLabel } from '../../schema/names.ts';
import { compareQuantities, parseQuantity, type Quantity } from '../../schema/quantity.ts';
import {
  formatQuantity,
  isHugePages,
  isIntegerResource,
  isOvercommitAllowed,
  mustParseQuantity,
  type ResourceList,
  validateContainerResourceName,
} from './resource-list.ts';
import type { ResourceClaim, ResourceRequirements } from './resource-requirements.ts';

type ResourceNameRule = (name: string, path: string, dialect: KindContext['dialect']) => FieldError[];

/**
 * Validates the resources of a container, or of another consumer with its own rule for resource names.
 * `podClaims` are the names in the pod's `resourceClaims`.
 */
export function validateResourceRequirements(
  { limits, requests, claims = [] }: ResourceRequirements,
  podClaims: ReadonlySet<string>,
  path: string,
  { dialect }: KindContext,
  nameRule: ResourceNameRule = validateContainerResourceName,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, text] of Object.entries(limits ?? {})) {
    const fieldPath = `${path}.limits[${name}]`;
    const limit = mustParseQuantity(text);
    addErrors(errors, [
      ...nameRule(name, fieldPath, dialect),
      ...validateResourceQuantity(name, limit, fieldPath, dialect),
      ...validateHugePages(name, limit, fieldPath),
    ]);
  }
  for (const [name, text] of Object.entries(requests ?? {})) {
    const fieldPath = `${path}.requests[${name}]`;
    const request = mustParseQuantity(text);
    const limit = limits?.[name] === undefined ? undefined : mustParseQuantity(limits[name]);
    const mayOvercommit = isOvercommitAllowed(name, dialect);
    addErrors(errors, [
      ...nameRule(name, fieldPath, dialect),
      ...validateResourceQuantity(name, request, fieldPath, dialect),
      ...validateRequestWithinLimit(name, { request, limit, mayOvercommit }, path),
      ...validateHugePages(name, request, fieldPath),
    ]);
  }
  const names = Object.keys({ ...limits, ...requests });
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory')) {
    errors.push(forbidden(path, 'HugePages require cpu or memory'));
  }
  return [...errors, ...validateClaims(claims, podClaims, `${path}.claims`)];
}

/** Validates spec.overhead as if it were limits, hence `limits` in the error paths. */
export function validateOverhead(
  overhead: ResourceList | undefined,
  path: string,
  context: KindContext,
): FieldError[] {
  return validateResourceRequirements({ limits: { ...overhead } }, new Set(), path, context);
}

/** Quantities are not negative, and integer resources have no fraction. */
export function validateResourceQuantity(
  name: string,
  quantity: Quantity,
  path: string,
  dialect: KindContext['dialect'],
): FieldError[] {
  const errors: FieldError[] = [];
  if (quantity.amount < 0n) {
    errors.push(invalid(path, quantity.text, 'must be greater than or equal to 0'));
  }
  if (isIntegerResource(name, dialect) && !isInteger(quantity)) {
    errors.push(invalid(path, formatQuantity(quantity), 'must be an integer'));
  }
  return errors;
}

function isInteger({ amount, scale }: Quantity): boolean {
  return scale >= 0 || amount % 10n ** BigInt(-scale) === 0n;
}

/** A huge page quantity is a multiple of the page size. */
function validateHugePages(name: string, quantity: Quantity, path: string): FieldError[] {
  if (!isHugePages(name)) return [];
  const page = parseQuantity(name.slice('hugepages-'.length));
  if (!('problem' in page) && page.amount > 0n) {
    // Compares both quantities at the smaller scale.
    const scale = Math.min(page.scale, quantity.scale);
    const pageAmount = page.amount * 10n ** BigInt(page.scale - scale);
    if ((quantity.amount * 10n ** BigInt(quantity.scale - scale)) % pageAmount === 0n) return [];
  }
  return [invalid(path, quantity.text, `${quantity.text} is not positive integer multiple of ${name}`)];
}

interface RequestAndLimit {
  readonly request: Quantity;
  readonly limit: Quantity | undefined;
  /** The request may be below the limit, or have none. Otherwise both are equal. */
  readonly mayOvercommit: boolean;
}

function validateRequestWithinLimit(
  name: string,
  { request, limit, mayOvercommit }: RequestAndLimit,
  path: string,
): FieldError[] {
  if (!limit) {
    return mayOvercommit
      ? []
      : [required(`${path}.limits`, 'Limit must be set for non overcommitable resources')];
  }
  const difference = compareQuantities(request, limit);
  const reject = (relation: string) => [
    invalid(`${path}.requests`, request.text, `must be ${relation} to ${name} limit of ${limit.text}`),
  ];
  if (difference !== 0 && !mayOvercommit) return reject('equal');
  return difference > 0 ? reject('less than or equal') : [];
}

function validateClaims(
  claims: readonly ResourceClaim[],
  podClaims: ReadonlySet<string>,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  /** Requests by claim name; '' stands for all requests of the claim. */
  const seen = new Map<string, Set<string>>();
  for (const [i, { name, request = '' }] of claims.entries()) {
    const fieldPath = `${path}[${i}]`;
    if (name === '') {
      errors.push(required(fieldPath));
      continue;
    }
    const requests = seen.get(name) ?? new Set();
    if (requests.has('') || (request === '' && requests.size > 0)) errors.push(duplicate(fieldPath, name));
    else if (request !== '') {
      addErrors(
        errors,
        dnsLabel(request).map((problem) => invalid(`${fieldPath}.request`, request, problem)),
      );
      if (requests.has(request)) errors.push(duplicate(fieldPath, `${name}/${request}`));
    }
    seen.set(name, requests.add(request));
    if (podClaims.has(name)) continue;
    const allowedNames = podClaims.size === 0 ? ' which is empty' : `: ${[...podClaims].sort().join(', ')}`;
    const detail = `must be one of the names in pod.spec.resourceClaims${allowedNames}`;
    errors.push({ ...notFound(fieldPath, name), detail });
  }
  return errors;
}
