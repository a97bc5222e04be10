// Admission plugin LimitPodHardAntiAffinityTopology: required anti-affinity may only name the topology key of the host.
import type { Pod } from '../../../apis/core/pod.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import type { Attributes } from '../../attributes.ts';
import { newForbidden } from '../../new-forbidden.ts';
import type { Plugin } from '../../plugin.ts';

export class LimitPodHardAntiAffinityTopology implements Plugin<Pod> {
  readonly name = 'LimitPodHardAntiAffinityTopology';

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (resource.prefix !== 'pods' || subresource !== '') return false;
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  validate(attributes: Attributes<Pod>): void {
    const { affinity } = attributes.object.spec;
    const { hostname } = attributes.api.dialect.labels;
    const terms = affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const forbiddenTerm = terms.find(({ topologyKey }) => topologyKey !== hostname);
    if (!forbiddenTerm) return;
    throw newForbidden(
      attributes,
      `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${forbiddenTerm.topologyKey} but only key ${hostname} is allowed`,
    );
  }
}
