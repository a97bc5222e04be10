import type { Dialect } from '../../dialect/dialect.ts';
import { type FieldError, FormattedValue, invalid } from '../../errors/field-error.ts';
import { mapOf } from '../../schema/collections.ts';
import { qualifiedName } from '../../schema/names.ts';
import { parseQuantity, type Quantity } from '../../schema/quantity.ts';
import { milliQuantity } from '../../schema/quantity-type.ts';

/** Amounts by the name of the resource. */
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

/** A resource is one that the service knows, or says whose it is. */
export function validateResourceName(name: string, path: string): FieldError[] {
  const shown = new FormattedValue(name);
  const problems = qualifiedName(name);
  if (problems.length > 0) return problems.map((problem) => invalid(path, shown, problem));
  const isKnown = standardResources.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-');
  if (name.includes('/') || isKnown) return [];
  return [invalid(path, shown, 'must be a standard resource type or fully qualified')];
}

/** As validateResourceName, and a container can ask for it. */
export function validateContainerResourceName(name: string, path: string, dialect: Dialect): FieldError[] {
  const errors = validateResourceName(name, path);
  const shown = new FormattedValue(name);
  if (!name.includes('/')) {
    if (containerResources.has(name) || isHugePages(name)) return errors;
    return [...errors, invalid(path, shown, 'must be a standard resource for containers')];
  }
  if (isNative(name, dialect) || isExtended(name)) return errors;
  return [...errors, invalid(path, shown, "doesn't follow extended resource name standard")];
}

/** The service's own, beside those that only it counts. */
export function isNative(name: string, dialect: Dialect): boolean {
  return !name.includes('/') || name.includes(`${dialect.resourceDomain}/`);
}

/** Whether it is no resource of the service's own, but of some hardware. */
export function isExtendedResource(name: string, dialect: Dialect): boolean {
  return !isNative(name, dialect) && isExtended(name);
}

/** A resource of somebody else's making, such as a device. */
function isExtended(name: string): boolean {
  if (name.startsWith('requests.')) return false;
  return qualifiedName(`requests.${name}`).length === 0;
}

const countedInWhole: ReadonlySet<string> = new Set([
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

/** Whether there are no fractions of it. */
export function isCountedInWhole(name: string, dialect: Dialect): boolean {
  return countedInWhole.has(name) || isExtendedResource(name, dialect);
}

/** Whether containers may be promised more of it than there is. */
export function mayBeOvercommitted(name: string, dialect: Dialect): boolean {
  return isNative(name, dialect) && !isHugePages(name);
}

/** A quantity that has been read before, so that it is one. */
export function quantityOf(text: string): Quantity {
  const parsed = parseQuantity(text);
  if ('problem' in parsed) throw new Error(`${JSON.stringify(text)} is no quantity: ${parsed.problem}`);
  return parsed;
}

/** A quantity as messages show it. */
export function shownQuantity(quantity: Quantity): FormattedValue {
  const { amount, scale, format, text } = quantity;
  const fits = amount >= -(2n ** 63n) && amount < 2n ** 63n;
  const parts = fits ? [`{value:${amount}, scale:${scale}}`, 'nil'] : ['{value:0, scale:0}', '0xc000000000'];
  return new FormattedValue(
    `resource.Quantity{i:resource.int64Amount${parts[0]}, d:resource.infDecAmount{Dec:(*inf.Dec)(${parts[1]})}, ` +
      `s:${JSON.stringify(text)}, Format:${JSON.stringify(format)}}`,
  );
}
