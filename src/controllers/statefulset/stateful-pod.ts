// statefulset-controller: the pod of an ordinal: its identity, which is stable, and its volumes.
import type { StatefulSet } from '../../apis/apps/statefulset.ts';
import type { Pod } from '../../apis/core/pod.ts';
import type { PodTemplateSpec } from '../../apis/core/pod-template-spec.ts';
import type { Manifest } from '../../client/client.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { OwnerReference } from '../../kind/api-object.ts';
import { podFromTemplate } from '../workload/pod-control.ts';
import { claimName } from './claims.ts';
import { podName } from './ordinals.ts';

/** On a pod: the name of its ControllerRevision. */
export const revisionLabel = 'controller-revision-hash';

export interface StatefulPodOptions {
  readonly ordinal: number;
  readonly template: PodTemplateSpec;
  /** The name of the ControllerRevision with the template. */
  readonly revision: string;
  readonly controller: OwnerReference;
  readonly dialect: Dialect;
}

export function statefulPod(
  { metadata, spec }: StatefulSet,
  { ordinal, template, revision, controller, dialect }: StatefulPodOptions,
): Manifest {
  const { name: setName = '' } = metadata;
  const name = podName(setName, ordinal);
  const pod = podFromTemplate(metadata, controller, template);
  const claimVolumes = (spec.volumeClaimTemplates ?? []).map((claim) => ({
    name: claim.metadata.name ?? '',
    persistentVolumeClaim: { claimName: claimName(setName, claim, ordinal) },
  }));
  const names = new Set(claimVolumes.map((volume) => volume.name));
  const otherVolumes = (template.spec.volumes ?? []).filter((volume) => !names.has(volume.name));
  const volumes = [...claimVolumes, ...otherVolumes];
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      name,
      labels: {
        ...pod.metadata.labels,
        ...identityLabels(name, ordinal, dialect),
        [revisionLabel]: revision,
      },
    },
    spec: {
      ...template.spec,
      hostname: name,
      ...(spec.serviceName && { subdomain: spec.serviceName }),
      ...(volumes.length > 0 && { volumes }),
    },
  };
}

export function identityLabels(name: string, ordinal: number, { labels }: Dialect): Record<string, string> {
  return { [labels.statefulSetPodName]: name, [labels.podIndex]: String(ordinal) };
}

/** Whether a pod, such as an adopted one, has the labels of its identity. */
export function hasIdentity({ metadata }: Pod, ordinal: number, dialect: Dialect): boolean {
  const expected = identityLabels(metadata.name ?? '', ordinal, dialect);
  return Object.entries(expected).every(([label, value]) => metadata.labels?.[label] === value);
}
