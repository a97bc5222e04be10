import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notFound,
  required,
} from '../../errors/field-error.ts';
import { compareQuantities, type Quantity } from '../../schema/quantity.ts';
import type { KindContext } from '../context.ts';
import {
  isCountedInWhole,
  isHugePages,
  mayBeOvercommitted,
  quantityOf,
  type ResourceList,
  shownQuantity,
  validateContainerResourceName,
} from './resource-list.ts';
import type { ResourceClaim, ResourceRequirements } from './resource-requirements.ts';

/** What is wrong with what a container asks for. `claims` are the names of the pod's resource claims. */
export function validateResourceRequirements(
  { limits, requests, claims = [] }: ResourceRequirements,
  podClaims: ReadonlySet<string>,
  path: string,
  context: KindContext,
): FieldError[] {
  const errors = validateAmounts(limits, `${path}.limits`, context);
  errors.push(...validateRequests(requests, limits, path, context));
  const names = Object.keys({ ...limits, ...requests });
  if (names.some(isHugePages) && !names.includes('cpu') && !names.includes('memory')) {
    errors.push(forbidden(path, 'HugePages require cpu or memory'));
  }
  return [...errors, ...validateClaims(claims, podClaims, `${path}.claims`)];
}

/** What is wrong with amounts of resources that a container can have. */
export function validateAmounts(
  amounts: ResourceList | undefined,
  path: string,
  context: KindContext,
): FieldError[] {
  return Object.entries(amounts ?? {}).flatMap(([name, text]) =>
    validateAmount(name, quantityOf(text), `${path}[${name}]`, context),
  );
}

function validateAmount(
  name: string,
  amount: Quantity,
  path: string,
  { dialect }: KindContext,
): FieldError[] {
  return [
    ...validateContainerResourceName(name, path, dialect),
    ...validateResourceQuantity(name, amount, path, dialect),
    ...validateHugePages(name, amount, path),
  ];
}

/** No amount is below zero, and of things that are counted there are no fractions. */
export function validateResourceQuantity(
  name: string,
  amount: Quantity,
  path: string,
  dialect: KindContext['dialect'],
): FieldError[] {
  const errors: FieldError[] = [];
  if (amount.amount < 0n) {
    errors.push(invalid(path, amount.text, 'must be greater than or equal to 0'));
  }
  if (isCountedInWhole(name, dialect) && !isWhole(amount)) {
    errors.push(invalid(path, shownQuantity(amount), 'must be an integer'));
  }
  return errors;
}

function isWhole({ amount, scale }: Quantity): boolean {
  return scale >= 0 || amount % 10n ** BigInt(-scale) === 0n;
}

/** Pages are there as a whole or not at all. */
function validateHugePages(name: string, amount: Quantity, path: string): FieldError[] {
  if (!isHugePages(name)) return [];
  const size = pageSize(name);
  if (size === undefined) return [];
  const bytes = amount.scale >= 0 ? amount.amount * 10n ** BigInt(amount.scale) : undefined;
  const whole = bytes ?? (isWhole(amount) ? amount.amount / 10n ** BigInt(-amount.scale) : undefined);
  if (whole !== undefined && whole % size.bytes === 0n) return [];
  return [invalid(path, amount.text, `${name} must be an integer multiple of the page size ${size.text}`)];
}

function pageSize(name: string): { bytes: bigint; text: string } | undefined {
  try {
    const { amount, scale, text } = quantityOf(name.slice('hugepages-'.length));
    if (amount <= 0n || scale < 0) return undefined;
    return { bytes: amount * 10n ** BigInt(scale), text };
  } catch {
    return undefined;
  }
}

function validateRequests(
  requests: ResourceList | undefined,
  limits: ResourceList | undefined,
  path: string,
  context: KindContext,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, text] of Object.entries(requests ?? {})) {
    const request = quantityOf(text);
    const at = `${path}.requests[${name}]`;
    const { dialect } = context;
    errors.push(
      ...validateContainerResourceName(name, at, dialect),
      ...validateResourceQuantity(name, request, at, dialect),
    );
    const limit = limits?.[name] === undefined ? undefined : quantityOf(limits[name]);
    const elastic = mayBeOvercommitted(name, dialect);
    if (limit) {
      const difference = compareQuantities(request, limit);
      if (difference !== 0 && !elastic) {
        const why = `must be equal to ${name} limit of ${limit.text}`;
        errors.push(invalid(`${path}.requests`, request.text, why));
      } else if (difference > 0) {
        const why = `must be less than or equal to ${name} limit of ${limit.text}`;
        errors.push(invalid(`${path}.requests`, request.text, why));
      }
    } else if (!elastic) {
      errors.push(required(`${path}.limits`, 'Limit must be set for non overcommitable resources'));
    }
    errors.push(...validateHugePages(name, request, at));
  }
  return errors;
}

function validateClaims(
  claims: readonly ResourceClaim[],
  podClaims: ReadonlySet<string>,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { name }] of claims.entries()) {
    const at = `${path}[${i}]`;
    if (name === '') {
      errors.push(required(at));
      continue;
    }
    if (seen.has(name)) errors.push(duplicate(at, name));
    seen.add(name);
    if (podClaims.has(name)) continue;
    const known = podClaims.size === 0 ? ' which is empty' : `: ${[...podClaims].sort().join(', ')}`;
    const detail = `must be one of the names in pod.spec.resourceClaims${known}`;
    errors.push({ ...notFound(at, name), detail });
  }
  return errors;
}
