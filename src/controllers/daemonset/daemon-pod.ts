// daemonset-controller: the pod for a node. Its node affinity makes the scheduler bind it to that node.
import type { DaemonSet } from '../../apis/apps/daemonset.ts';
import { templateGenerationOf } from '../../apis/apps/template-generation.ts';
import type { Pod } from '../../apis/core/pod.ts';
import type { Manifest } from '../../client/client.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { OwnerReference } from '../../kind/api-object.ts';
import { podFromTemplate } from '../workload/pod-control.ts';
import { daemonTolerations } from './daemon-tolerations.ts';

/** On a pod and its ControllerRevision: the hash of the template. */
export const hashLabel = 'controller-revision-hash';
const generationLabel = 'pod-template-generation';
const nameField = 'metadata.name';

export interface DaemonPodOptions {
  readonly nodeName: string;
  readonly hash: string;
  readonly controller: OwnerReference;
  readonly dialect: Dialect;
}

export function daemonPod(
  set: DaemonSet,
  { nodeName, hash, controller, dialect }: DaemonPodOptions,
): Manifest {
  const { metadata, spec } = set;
  const pod = podFromTemplate(metadata, controller, spec.template);
  const generation = templateGenerationOf(set);
  const { affinity } = spec.template.spec;
  const matchFields = [{ key: nameField, operator: 'In', values: [nodeName] }];
  const required = { nodeSelectorTerms: [{ matchFields }] };
  const nodeAffinity = {
    ...affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: required,
  };
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: {
        ...pod.metadata.labels,
        ...(generation !== undefined && { [generationLabel]: generation }),
        [hashLabel]: hash,
      },
    },
    spec: {
      ...spec.template.spec,
      affinity: { ...affinity, nodeAffinity },
      tolerations: daemonTolerations(spec.template.spec, dialect),
    },
  };
}

/** The node that a pod runs on or was created for; undefined if it has none. */
export function targetNodeOf({ spec }: Pod): string | undefined {
  if (spec.nodeName) return spec.nodeName;
  const { nodeSelectorTerms = [] } =
    spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? {};
  const requirement = nodeSelectorTerms
    .flatMap(({ matchFields = [] }) => matchFields)
    .find(({ key, operator, values }) => key === nameField && operator === 'In' && values?.length === 1);
  return requirement?.values?.[0];
}

/** Whether a pod has the template of the DaemonSet. */
export function isUpdated({ metadata }: Pod, set: DaemonSet, hash: string): boolean {
  const { [hashLabel]: podHash, [generationLabel]: podGeneration } = metadata.labels ?? {};
  const generation = templateGenerationOf(set);
  return podHash === hash || (generation !== undefined && podGeneration === generation);
}
