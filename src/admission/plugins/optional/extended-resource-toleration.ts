import type { Pod } from '../../../apis/core/pod.ts';
import { isExtendedResource } from '../../../apis/core/resource-list.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import type { Attributes } from '../../attributes.ts';
import type { Plugin } from '../../plugin.ts';

const effect = 'NoSchedule';
const operator = 'Exists';

/** Lets pods that need special hardware onto the nodes that are kept free for them. */
export class ExtendedResourceToleration implements Plugin {
  readonly name = 'ExtendedResourceToleration';

  concerns({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (resource.prefix !== 'pods' || subresource !== '') return false;
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  admit({ api, object }: Attributes): void {
    const { spec } = object as Pod;
    const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
    const asked = containers.flatMap(({ resources }) => Object.keys(resources.requests ?? {}));
    for (const key of [...new Set(asked)].filter((name) => isExtendedResource(name, api.dialect)).sort()) {
      const tolerations = spec.tolerations ?? [];
      const isThere = tolerations.some(
        (each) => each.key === key && each.operator === operator && each.effect === effect && !each.value,
      );
      if (!isThere) spec.tolerations = [...tolerations, { key, operator, effect }];
    }
  }
}
