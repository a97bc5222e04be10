// statefulset-controller: the status of a StatefulSet.
import type { StatefulSet, StatefulSetStatus } from '../../apis/apps/statefulset.ts';
import type { Pod } from '../../apis/core/pod.ts';
import { isReady } from '../../apis/core/pod-conditions.ts';
import { isAvailable } from '../workload/pod-availability.ts';
import { revisionLabel } from './stateful-pod.ts';

export interface ObservedRevisions {
  readonly currentRevision: string;
  readonly updateRevision: string;
  readonly collisionCount: number;
}

export const isRunningAndReady = ({ status }: Pod) => status.phase === 'Running' && isReady(status);

export function computeStatus(
  { metadata, spec, status }: StatefulSet,
  pods: readonly Pod[],
  { currentRevision, updateRevision, collisionCount }: ObservedRevisions,
  now: number,
): StatefulSetStatus {
  const { replicas = 1, minReadySeconds = 0, updateStrategy } = spec;
  const ready = pods.filter(isRunningAndReady);
  const available = ready.filter((pod) => isAvailable(pod, minReadySeconds, now));
  const countOf = (revision: string) =>
    pods.filter((pod) => !pod.metadata.deletionTimestamp && pod.metadata.labels?.[revisionLabel] === revision)
      .length;
  const updatedReplicas = countOf(updateRevision);
  const isUpdateComplete =
    updateStrategy.type === 'RollingUpdate' &&
    [updatedReplicas, ready.length, pods.length].every((count) => count === replicas);
  return {
    observedGeneration: metadata.generation ?? 0,
    replicas: pods.length,
    readyReplicas: ready.length,
    availableReplicas: available.length,
    currentReplicas: isUpdateComplete ? updatedReplicas : countOf(currentRevision),
    updatedReplicas,
    currentRevision: isUpdateComplete ? updateRevision : currentRevision,
    updateRevision,
    collisionCount,
    ...(status.conditions && { conditions: status.conditions }),
  };
}
