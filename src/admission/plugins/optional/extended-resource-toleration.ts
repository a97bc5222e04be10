// Admission plugin ExtendedResourceToleration: lets pods that request extended resources tolerate the taints named
// after them.
import type { Pod } from '../../../apis/core/pod.ts';
import { isExtendedResource } from '../../../apis/core/resource-list.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import type { Attributes } from '../../attributes.ts';
import type { Plugin } from '../../plugin.ts';

const effect = 'NoSchedule';
const operator = 'Exists';

export class ExtendedResourceToleration implements Plugin<Pod> {
  readonly name = 'ExtendedResourceToleration';

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (resource.prefix !== 'pods' || subresource !== '') return false;
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  admit({ api, object }: Attributes<Pod>): void {
    const { spec } = object;
    const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
    const requested = containers.flatMap(({ resources }) => Object.keys(resources.requests ?? {}));
    for (const key of [...new Set(requested)]
      .filter((name) => isExtendedResource(name, api.dialect))
      .sort()) {
      const tolerations = spec.tolerations ?? [];
      const isTolerated = tolerations.some(
        (each) => each.key === key && each.operator === operator && each.effect === effect && !each.value,
      );
      if (!isTolerated) spec.tolerations = [...tolerations, { key, operator, effect }];
    }
  }
}
