// disruption-controller: the expected and desired number of pods of a PodDisruptionBudget.
import type { PodDisruptionBudget } from '../../apis/policy/poddisruptionbudget.ts';
import type { ObjectMetadata, OwnerReference } from '../../kind/api-object.ts';
import { intOrPercentValue } from '../../kind/meta/int-or-percent.ts';
import type { ScaleClient } from '../runtime/scale-client.ts';

/** The number cannot be computed; the message is shown in the condition of the budget. */
export class UncountablePods extends Error {}

export interface Expected {
  /** status.expectedPods. */
  readonly pods: number;
  /** status.desiredHealthy. */
  readonly healthy: number;
  /** Whether some pods have no controller with a scale. */
  readonly areSomeUnmanaged: boolean;
}

/** Throws UncountablePods. */
export function expectedPods(
  scales: ScaleClient,
  { metadata, spec }: PodDisruptionBudget,
  pods: readonly ObjectMetadata[],
): Expected {
  const { maxUnavailable, minAvailable } = spec;
  if (maxUnavailable === undefined && typeof minAvailable !== 'string') {
    return { pods: pods.length, healthy: minAvailable ?? 0, areSomeUnmanaged: false };
  }
  const { count, areSomeUnmanaged } = controllerReplicas(scales, metadata.namespace ?? '', pods);
  const toPodCount = (value: number | string) =>
    typeof value === 'number' ? value : Math.ceil((intOrPercentValue(value) * count) / 100);
  const healthy =
    maxUnavailable === undefined
      ? toPodCount(minAvailable ?? 0)
      : Math.max(0, count - toPodCount(maxUnavailable));
  return { pods: count, healthy, areSomeUnmanaged };
}

/** Sum of the replicas of the controllers of the pods. */
function controllerReplicas(scales: ScaleClient, namespace: string, pods: readonly ObjectMetadata[]) {
  const replicasByUid = new Map<string, number>();
  let areSomeUnmanaged = false;
  for (const pod of pods) {
    const controller = controllerOf(pod);
    if (!controller) areSomeUnmanaged = true;
    else if (!replicasByUid.has(controller.uid)) {
      const { uid, replicas } = scaleOf(scales, namespace, controller, pod.name ?? '');
      replicasByUid.set(controller.uid, 0);
      replicasByUid.set(uid, replicas);
    }
  }
  const count = [...replicasByUid.values()].reduce((sum, replicas) => sum + replicas, 0);
  return { count, areSomeUnmanaged };
}

/** Follows controllers to the top: a ReplicaSet of a Deployment has the replicas of the Deployment. */
function scaleOf(scales: ScaleClient, namespace: string, controller: OwnerReference, pod: string) {
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
