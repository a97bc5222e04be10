// disruption-controller: the expected and desired number of pods of a PodDisruptionBudget. A percentage, or maxUnavailable,
// refers to the replicas of the controllers of the selected pods.
import type { PodDisruptionBudget } from '../../apis/policy/poddisruptionbudget.ts';
import type { ObjectMetadata, OwnerReference } from '../../kind/api-object.ts';
import { intOrPercentValue } from '../../kind/meta/int-or-percent.ts';
import type { ScaleClient } from '../runtime/scale-client.ts';

/** The replicas of a controller cannot be determined; the message is shown in the condition of the budget. */
export class UncountablePods extends Error {}

export interface ExpectedCounts {
  /** status.expectedPods. */
  readonly expectedPods: number;
  /** status.desiredHealthy. */
  readonly desiredHealthy: number;
  /** Whether a selected pod has no controller, so that its number of replicas is unknown. */
  readonly hasUnmanagedPods: boolean;
}

/** Throws UncountablePods. */
export function computeExpectedCounts(
  scales: ScaleClient,
  { metadata, spec }: PodDisruptionBudget,
  pods: readonly ObjectMetadata[],
): ExpectedCounts {
  const { maxUnavailable, minAvailable } = spec;
  if (maxUnavailable === undefined && typeof minAvailable !== 'string') {
    return { expectedPods: pods.length, desiredHealthy: minAvailable ?? 0, hasUnmanagedPods: false };
  }
  const { replicas, hasUnmanagedPods } = sumReplicas(scales, metadata.namespace ?? '', pods);
  const toPodCount = (intOrPercent: number | string) =>
    typeof intOrPercent === 'number'
      ? intOrPercent
      : Math.ceil((intOrPercentValue(intOrPercent) * replicas) / 100);
  const desiredHealthy =
    maxUnavailable === undefined
      ? toPodCount(minAvailable ?? 0)
      : Math.max(0, replicas - toPodCount(maxUnavailable));
  return { expectedPods: replicas, desiredHealthy, hasUnmanagedPods };
}

/** Sums the replicas of the controllers of the pods, each controller once. */
function sumReplicas(scales: ScaleClient, namespace: string, pods: readonly ObjectMetadata[]) {
  const replicasByUid = new Map<string, number>();
  let hasUnmanagedPods = false;
  for (const pod of pods) {
    const controller = controllerOf(pod);
    if (!controller) {
      hasUnmanagedPods = true;
    } else if (!replicasByUid.has(controller.uid)) {
      const { uid, replicas } = requireScale(scales, namespace, controller, pod.name ?? '');
      // A ReplicaSet counts as 0, and is not looked up again; its Deployment, with another uid, has the replicas.
      replicasByUid.set(controller.uid, 0);
      replicasByUid.set(uid, replicas);
    }
  }
  const sum = [...replicasByUid.values()].reduce((total, replicas) => total + replicas, 0);
  return { replicas: sum, hasUnmanagedPods };
}

/**
 * Returns the replicas of a controller, with its uid. For a ReplicaSet of a Deployment they are those of the Deployment.
 * Throws UncountablePods.
 */
function requireScale(scales: ScaleClient, namespace: string, controller: OwnerReference, pod: string) {
  const scalable = scales.find(namespace, controller);
  if (!scalable) throw new UncountablePods(`found no controllers for pod ${JSON.stringify(pod)}`);
  const owner = controllerOf(scalable.metadata);
  const { group, resource } = scalable.subject;
  const isReplicaSet = group === 'apps' && resource === 'replicasets';
  const isOfDeployment = isReplicaSet && owner?.kind === 'Deployment';
  const top = (isOfDeployment && scales.find(namespace, owner)) || scalable;
  const replicas = top.replicas();
  if (replicas === undefined) {
    const { group, resource } = top.subject;
    const name = group === '' ? resource : `${resource}.${group}`;
    throw new UncountablePods(`${name} does not implement the scale subresource`);
  }
  return { uid: top.metadata.uid ?? '', replicas };
}

const controllerOf = ({ ownerReferences = [] }: ObjectMetadata) =>
  ownerReferences.find(({ controller }) => controller);
