import type { Pod } from '../../apis/core/pod.ts';
import { type PriorityClass, systemClasses } from '../../apis/scheduling/priorityclass.ts';
import type { Api } from '../../registry/api.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import type { Attributes } from '../attributes.ts';
import { Classes } from '../classes.ts';
import type { Plugin } from '../plugin.ts';
import { refusal } from '../refusal.ts';

/** Of several defaults the least important counts. */
const leastFirst = (one: PriorityClass, other: PriorityClass) => one.value - other.value;

/** What a pod of no class gets. */
const ofNoClass = { value: 0, preemptionPolicy: 'PreemptLowerPriority' } as const;

/** Gives pods the priority of the class that they name, or of the one for those that name none. */
export class Priority implements Plugin {
  readonly name = 'Priority';
  readonly #classes: Classes<PriorityClass>;

  constructor(api: Api) {
    this.#classes = new Classes(
      api,
      { group: 'scheduling', plural: 'priorityclasses' },
      { isDefault: ({ globalDefault }) => globalDefault === true, compare: leastFirst },
    );
  }

  concerns({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (subresource !== '' || operation === 'CONNECT') return false;
    return resource.prefix === 'priorityclasses' || (resource.prefix === 'pods' && operation !== 'DELETE');
  }

  admit(attributes: Attributes): void {
    if (attributes.target.resource.prefix !== 'pods') return;
    const pod = attributes.object as Pod;
    if (attributes.operation === 'CREATE') this.#settle(attributes, pod);
    else keep(pod, attributes.old as Pod);
  }

  validate(attributes: Attributes): void {
    if (attributes.target.resource.prefix !== 'priorityclasses') return;
    if (attributes.operation === 'DELETE') refuseToDeleteSystemClass(attributes);
    else this.#refuseSecondDefault(attributes, attributes.object as PriorityClass);
  }

  reset(): void {
    this.#classes.reset();
  }

  #settle(attributes: Attributes, { spec }: Pod): void {
    const { value, preemptionPolicy = ofNoClass.preemptionPolicy } = this.#classOf(attributes, spec);
    const why = (given: string) =>
      `the ${given} must not be provided in pod spec; priority admission controller computed`;
    if (spec.priority !== undefined && spec.priority !== value) {
      const given = `integer value of priority (${spec.priority})`;
      throw refusal(attributes, `${why(given)} ${value} from the given PriorityClass name`);
    }
    spec.priority = value;
    if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
      const given = `string value of PreemptionPolicy (${spec.preemptionPolicy})`;
      throw refusal(attributes, `${why(given)} ${preemptionPolicy} from the given PriorityClass name`);
    }
    spec.preemptionPolicy = preemptionPolicy;
  }

  #classOf(attributes: Attributes, spec: Pod['spec']): Pick<PriorityClass, 'value' | 'preemptionPolicy'> {
    if (!spec.priorityClassName) {
      const { default: usual } = this.#classes;
      if (usual) spec.priorityClassName = usual.metadata.name!;
      return usual ?? ofNoClass;
    }
    const named = this.#classes.get(spec.priorityClassName);
    if (named) return named;
    throw refusal(attributes, `no PriorityClass with name ${spec.priorityClassName} was found`);
  }

  #refuseSecondDefault(attributes: Attributes, { globalDefault }: PriorityClass): void {
    const name = this.#classes.default?.metadata.name;
    if (!globalDefault || name === undefined || name === attributes.name) return;
    throw refusal(
      attributes,
      `PriorityClass ${name} is already marked as default. Only one default can exist`,
    );
  }
}

/** Who changes a pod need not repeat what it was given. */
function keep({ spec }: Pod, { spec: old }: Pod): void {
  if (spec.priority === undefined && old.priority !== undefined) spec.priority = old.priority;
  if (spec.preemptionPolicy === undefined && old.preemptionPolicy !== undefined) {
    spec.preemptionPolicy = old.preemptionPolicy;
  }
}

function refuseToDeleteSystemClass(attributes: Attributes): void {
  if (!Object.hasOwn(systemClasses, attributes.name)) return;
  throw refusal(attributes, 'this is a system priority class and cannot be deleted');
}
