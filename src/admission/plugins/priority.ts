// Admission plugin Priority: sets the priority of a pod from its PriorityClass, and guards the default and system classes.
import type { Pod } from '../../apis/core/pod.ts';
import { type PriorityClass, systemClasses } from '../../apis/scheduling/priorityclass.ts';
import type { StorageContext } from '../../registry/verb-context.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import { type Attributes, isRequestFor } from '../attributes.ts';
import { ClassCache } from '../class-cache.ts';
import { newForbidden } from '../new-forbidden.ts';
import type { Plugin } from '../plugin.ts';

/** Of several default classes the one with the lowest value counts. */
const lowestValueFirst = (a: PriorityClass, b: PriorityClass) => a.value - b.value;

/** For pods without a class, where no default class exists. */
const noClass = { value: 0, preemptionPolicy: 'PreemptLowerPriority' } as const;

export class Priority implements Plugin<Pod | PriorityClass | undefined> {
  readonly name = 'Priority';
  readonly #classes: ClassCache<PriorityClass>;

  constructor(api: StorageContext) {
    this.#classes = new ClassCache(
      api,
      { group: 'scheduling', plural: 'priorityclasses' },
      { isDefault: ({ globalDefault }) => globalDefault === true, compare: lowestValueFirst },
    );
  }

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (subresource !== '' || operation === 'CONNECT') return false;
    return resource.prefix === 'priorityclasses' || (resource.prefix === 'pods' && operation !== 'DELETE');
  }

  admit(attributes: Attributes<Pod | PriorityClass | undefined>): void {
    if (!isRequestFor<Pod>(attributes, 'pods')) return;
    const { object, oldObject } = attributes;
    if (oldObject) keepPriority(object, oldObject);
    else this.#setPriority(attributes, object);
  }

  validate(attributes: Attributes<Pod | PriorityClass | undefined>): void {
    if (attributes.operation === 'DELETE') rejectDeletionOfSystemClass(attributes);
    else if (isRequestFor<PriorityClass>(attributes, 'priorityclasses'))
      this.#rejectSecondDefault(attributes);
  }

  reset(): void {
    this.#classes.reset();
  }

  #setPriority(attributes: Attributes, { spec }: Pod): void {
    const { value, preemptionPolicy = noClass.preemptionPolicy } = this.#resolveClass(attributes, spec);
    const message = (field: string) =>
      `the ${field} must not be provided in pod spec; priority admission controller computed`;
    if (spec.priority !== undefined && spec.priority !== value) {
      const field = `integer value of priority (${spec.priority})`;
      throw newForbidden(attributes, `${message(field)} ${value} from the given PriorityClass name`);
    }
    spec.priority = value;
    if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
      const field = `string value of PreemptionPolicy (${spec.preemptionPolicy})`;
      throw newForbidden(
        attributes,
        `${message(field)} ${preemptionPolicy} from the given PriorityClass name`,
      );
    }
    spec.preemptionPolicy = preemptionPolicy;
  }

  /** Returns the class of a pod. A pod without a class gets the name of the default class. */
  #resolveClass(
    attributes: Attributes,
    spec: Pod['spec'],
  ): Pick<PriorityClass, 'value' | 'preemptionPolicy'> {
    if (!spec.priorityClassName) {
      const { default: defaultClass } = this.#classes;
      if (defaultClass) spec.priorityClassName = defaultClass.metadata.name!;
      return defaultClass ?? noClass;
    }
    const named = this.#classes.get(spec.priorityClassName);
    if (named) return named;
    throw newForbidden(attributes, `no PriorityClass with name ${spec.priorityClassName} was found`);
  }

  #rejectSecondDefault(attributes: Attributes<PriorityClass>): void {
    const { globalDefault } = attributes.object;
    const name = this.#classes.default?.metadata.name;
    if (!globalDefault || name === undefined || name === attributes.name) return;
    throw newForbidden(
      attributes,
      `PriorityClass ${name} is already marked as default. Only one default can exist`,
    );
  }
}

/** A client that updates a pod need not repeat the values that admission has set. */
function keepPriority({ spec }: Pod, { spec: old }: Pod): void {
  if (spec.priority === undefined && old.priority !== undefined) spec.priority = old.priority;
  if (spec.preemptionPolicy === undefined && old.preemptionPolicy !== undefined) {
    spec.preemptionPolicy = old.preemptionPolicy;
  }
}

function rejectDeletionOfSystemClass(attributes: Attributes): void {
  if (!Object.hasOwn(systemClasses, attributes.name)) return;
  throw newForbidden(attributes, 'this is a system priority class and cannot be deleted');
}
