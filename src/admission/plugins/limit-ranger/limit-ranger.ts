import type { LimitRange } from '../../../apis/core/limitrange.ts';
import type { PersistentVolumeClaim } from '../../../apis/core/persistentvolumeclaim.ts';
import type { Pod } from '../../../apis/core/pod.ts';
import { userKeyed } from '../../../codec/json/json-value.ts';
import type { Api } from '../../../registry/api.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import type { Attributes } from '../../attributes.ts';
import { ObjectsByNamespace } from '../../objects-by-namespace.ts';
import type { Plugin } from '../../plugin.ts';
import { refusal, together } from '../../refusal.ts';
import { giveDefaults } from './defaults.ts';
import { violationsOfClaim, violationsOfPod } from './violations.ts';

/** Holds pods and claims to the LimitRanges of their namespace, and gives containers the defaults these have. */
export class LimitRanger implements Plugin {
  readonly name = 'LimitRanger';
  readonly #ranges: ObjectsByNamespace<LimitRange>;

  constructor(api: Api) {
    this.#ranges = new ObjectsByNamespace(api, 'limitranges');
  }

  concerns({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (operation !== 'CREATE' && operation !== 'UPDATE') return false;
    const isLimited =
      resource.prefix === 'pods'
        ? operation === 'CREATE'
          ? subresource === ''
          : subresource === 'resize'
        : resource.prefix === 'persistentvolumeclaims' && subresource === '';
    return isLimited && this.#ranges.any;
  }

  admit(attributes: Attributes): void {
    const { namespace, object, api } = attributes;
    if (attributes.target.resource.prefix !== 'pods' || isEnding(attributes)) return;
    const pod = object as Pod;
    for (const { spec } of this.#ranges.in(namespace)) {
      const given = giveDefaults(pod.spec, spec.limits ?? []);
      if (given.length === 0) continue;
      const note = { [api.dialect.annotations.limitRanger]: `LimitRanger plugin set: ${given.join('; ')}` };
      pod.metadata.annotations = Object.assign(userKeyed<string>(), pod.metadata.annotations, note);
    }
  }

  validate(attributes: Attributes): void {
    const { namespace, object, target } = attributes;
    if (isEnding(attributes)) return;
    for (const { spec } of this.#ranges.in(namespace)) {
      const limits = spec.limits ?? [];
      const wrong =
        target.resource.prefix === 'pods'
          ? violationsOfPod((object as Pod).spec, limits)
          : violationsOfClaim(object as PersistentVolumeClaim, limits);
      if (wrong.length > 0) throw refusal(attributes, together(wrong));
    }
  }

  reset(): void {
    this.#ranges.reset();
  }
}

/** What is on its way out must not be held up by a limit that came later. */
const isEnding = ({ operation, object }: Attributes) =>
  operation === 'UPDATE' && object?.metadata.deletionTimestamp !== undefined;
