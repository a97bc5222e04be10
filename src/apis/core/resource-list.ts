// ResourceList: schema, and rules for resource names and quantities.
// Dialect: the names of native resources in Kubernetes' domain, or in Orch's own.
import type { Dialect } from '../../dialect/dialect.ts';
import { type FieldError, FormattedValue, invalid } from '../../errors/field-error.ts';
import { mapOf } from '../../schema/collections.ts';
import { qualifiedName } from '../../schema/names.ts';
import { parseQuantity, type Quantity } from '../../schema/quantity.ts';
import { milliQuantity } from '../../schema/quantity-type.ts';

export const resourceList = mapOf(milliQuantity, { name: 'v1.ResourceList' });
export type ResourceList = Readonly<Record<string, string>>;

const containerResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);
const standardResources: ReadonlySet<string> = new Set([
  ...containerResources,
  ...['cpu', 'memory', 'ephemeral-storage'].flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  'storage',
  'requests.storage',
  'pods',
  'services',
  'services.nodeports',
  'services.loadbalancers',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
]);

export const isHugePages = (name: string) => name.startsWith('hugepages-');

/** A resource name is either a standard resource or qualified with a domain. */
export function validateResourceName(name: string, path: string): FieldError[] {
  const badValue = new FormattedValue(name);
  const problems = qualifiedName(name);
  if (problems.length > 0) return problems.map((problem) => invalid(path, badValue, problem));
  const isStandard =
    standardResources.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-');
  if (name.includes('/') || isStandard) return [];
  return [invalid(path, badValue, 'must be a standard resource type or fully qualified')];
}

/** As validateResourceName, and restricted to resources that containers can request. */
export function validateContainerResourceName(name: string, path: string, dialect: Dialect): FieldError[] {
  const errors = validateResourceName(name, path);
  const badValue = new FormattedValue(name);
  if (!name.includes('/')) {
    if (containerResources.has(name) || isHugePages(name)) return errors;
    return [...errors, invalid(path, badValue, 'must be a standard resource for containers')];
  }
  if (isNativeResource(name, dialect) || fitsRequestsPrefix(name)) return errors;
  return [...errors, invalid(path, badValue, "doesn't follow extended resource name standard")];
}

/** Upstream's IsNativeResource: unqualified, or in the `kubernetes.io/` domain. */
export function isNativeResource(name: string, dialect: Dialect): boolean {
  return !name.includes('/') || name.includes(`${dialect.resourceDomain}/`);
}

/** Upstream's IsExtendedResourceName: a qualified resource outside the native domain, such as a device. */
export function isExtendedResource(name: string, dialect: Dialect): boolean {
  return !isNativeResource(name, dialect) && fitsRequestsPrefix(name);
}

/** Whether `requests.<name>` is still a valid quota key. */
function fitsRequestsPrefix(name: string): boolean {
  if (name.startsWith('requests.')) return false;
  return qualifiedName(`requests.${name}`).length === 0;
}

const integerResources: ReadonlySet<string> = new Set([
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);

/** Upstream's IsIntegerResourceName: a count of objects or devices, so without a fraction. */
export function isIntegerResource(name: string, dialect: Dialect): boolean {
  return integerResources.has(name) || isExtendedResource(name, dialect);
}

/** Upstream's IsOvercommitAllowed: requests may be below limits. */
export function isOvercommitAllowed(name: string, dialect: Dialect): boolean {
  return isNativeResource(name, dialect) && !isHugePages(name);
}

/** Parses a quantity that validation has already accepted. */
export function mustParseQuantity(text: string): Quantity {
  const parsed = parseQuantity(text);
  if ('problem' in parsed) throw new Error(`${JSON.stringify(text)} is no quantity: ${parsed.problem}`);
  return parsed;
}

/** Formats a quantity as Go's %#v prints it in error messages. */
export function formatQuantity(quantity: Quantity): FormattedValue {
  const { amount, scale, format, text } = quantity;
  // Go keeps an amount that does not fit into an int64 behind a pointer, whose address it prints.
  const fitsInt64 = amount >= -(2n ** 63n) && amount < 2n ** 63n;
  const int64Amount = fitsInt64 ? `{value:${amount}, scale:${scale}}` : '{value:0, scale:0}';
  const decimalPointer = fitsInt64 ? 'nil' : '0xc000000000';
  return new FormattedValue(
    `resource.Quantity{i:resource.int64Amount${int64Amount}, d:resource.infDecAmount{Dec:(*inf.Dec)(${decimalPointer})}, ` +
      `s:${JSON.stringify(text)}, Format:${JSON.stringify(format)}}`,
  );
}
