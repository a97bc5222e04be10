// Dynamic resource allocation: the constraint matchAttribute, while devices are added to and removed from a claim.
import type { AttributeConstraint, RequestedDevices } from './claim-requests.ts';
import type { PooledDevice } from './pools.ts';

export class MatchAttribute {
  readonly #constraint: AttributeConstraint;
  /** The common value as text with its type; undefined without devices. */
  #value: string | undefined;
  #count = 0;

  constructor(constraint: AttributeConstraint) {
    this.#constraint = constraint;
  }

  /** Returns false, and adds nothing, if the device violates the constraint. */
  add({ name }: RequestedDevices, device: PooledDevice): boolean {
    if (!this.#covers(name)) return true;
    const value = attributeText(device, this.#constraint.attribute);
    if (value === undefined || (this.#count > 0 && value !== this.#value)) return false;
    this.#value = value;
    this.#count++;
    return true;
  }

  remove({ name }: RequestedDevices): void {
    if (this.#covers(name)) this.#count--;
  }

  /** A constraint of a request covers its subrequests. */
  #covers(name: string): boolean {
    const { requests } = this.#constraint;
    return requests.length === 0 || requests.includes(name) || requests.includes(name.split('/')[0]!);
  }
}

/** The value of an attribute with its type; undefined if the device lacks it. Names without a domain are in that of the driver. */
function attributeText({ driver, attributes = {} }: PooledDevice, qualifiedName: string): string | undefined {
  const slash = qualifiedName.indexOf('/');
  const isOfDriver = qualifiedName.slice(0, slash) === driver;
  const own = Object.hasOwn(attributes, qualifiedName) ? attributes[qualifiedName] : undefined;
  const shortName = qualifiedName.slice(slash + 1);
  const value =
    own ?? (isOfDriver && Object.hasOwn(attributes, shortName) ? attributes[shortName] : undefined);
  return value && JSON.stringify(value);
}
