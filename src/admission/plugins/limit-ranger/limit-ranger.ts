// Admission plugin LimitRanger: enforces the LimitRanges of a namespace and sets their defaults on containers.
import type { LimitRange, LimitRangeItem } from '../../../apis/core/limitrange.ts';
import type { PersistentVolumeClaim } from '../../../apis/core/persistentvolumeclaim.ts';
import type { Pod } from '../../../apis/core/pod.ts';
import { nullPrototypeObject } from '../../../codec/json/json-value.ts';
import type { AdmissionContext } from '../../../registry/verb-context.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import { type Attributes, isRequestFor } from '../../attributes.ts';
import { aggregateMessages, newForbidden } from '../../new-forbidden.ts';
import { ObjectsByNamespace } from '../../objects-by-namespace.ts';
import type { Plugin } from '../../plugin.ts';
import { setDefaults } from './defaults.ts';
import { violationsOfClaim, violationsOfPod } from './violations.ts';

export class LimitRanger implements Plugin<Pod | PersistentVolumeClaim> {
  readonly name = 'LimitRanger';
  readonly #ranges: ObjectsByNamespace<LimitRange>;

  constructor(api: AdmissionContext) {
    this.#ranges = new ObjectsByNamespace(api, 'limitranges');
  }

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (operation !== 'CREATE' && operation !== 'UPDATE') return false;
    if (resource.prefix === 'pods') {
      // The resources of a pod only change with its subresource `resize`.
      const limitedSubresource = operation === 'CREATE' ? '' : 'resize';
      return subresource === limitedSubresource && this.#ranges.hasAny;
    }
    return resource.prefix === 'persistentvolumeclaims' && subresource === '' && this.#ranges.hasAny;
  }

  admit(attributes: Attributes<Pod | PersistentVolumeClaim>): void {
    if (!isForPod(attributes) || isTerminating(attributes)) return;
    const { namespace, object: pod, api } = attributes;
    for (const { spec } of this.#ranges.in(namespace)) {
      const descriptions = setDefaults(pod.spec, spec.limits ?? []);
      if (descriptions.length === 0) continue;
      const annotations = Object.assign(nullPrototypeObject<string>(), pod.metadata.annotations);
      annotations[api.dialect.annotations.limitRanger] = `LimitRanger plugin set: ${descriptions.join('; ')}`;
      pod.metadata.annotations = annotations;
    }
  }

  validate(attributes: Attributes<Pod | PersistentVolumeClaim>): void {
    if (isTerminating(attributes)) return;
    for (const { spec } of this.#ranges.in(attributes.namespace)) {
      const violations = violationsOf(attributes, spec.limits ?? []);
      if (violations.length > 0) throw newForbidden(attributes, aggregateMessages(violations));
    }
  }

  reset(): void {
    this.#ranges.reset();
  }
}

const isForPod = (attributes: Attributes): attributes is Attributes<Pod> =>
  attributes.target.resource.prefix === 'pods';

function violationsOf(
  attributes: Attributes<Pod | PersistentVolumeClaim>,
  limits: readonly LimitRangeItem[],
): string[] {
  if (isForPod(attributes)) return violationsOfPod(attributes.object.spec, limits);
  if (!isRequestFor<PersistentVolumeClaim>(attributes, 'persistentvolumeclaims')) return [];
  return violationsOfClaim(attributes.object, limits);
}

/** A new limit must not block the deletion of an object. */
const isTerminating = ({ operation, object }: Attributes) =>
  operation === 'UPDATE' && object?.metadata.deletionTimestamp !== undefined;
