import type { Pod } from '../../../apis/core/pod.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import type { Attributes } from '../../attributes.ts';
import type { Plugin } from '../../plugin.ts';
import { refusal } from '../../refusal.ts';

/** Lets a pod keep others from its node, but from nothing larger. */
export class LimitPodHardAntiAffinityTopology implements Plugin {
  readonly name = 'LimitPodHardAntiAffinityTopology';

  concerns({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (resource.prefix !== 'pods' || subresource !== '') return false;
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  validate(attributes: Attributes): void {
    const { affinity } = (attributes.object as Pod).spec;
    const { hostname } = attributes.api.dialect.labels;
    const terms = affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const other = terms.find(({ topologyKey }) => topologyKey !== hostname);
    if (!other) return;
    throw refusal(
      attributes,
      `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${other.topologyKey} but only key ${hostname} is allowed`,
    );
  }
}
