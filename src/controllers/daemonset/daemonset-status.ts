// daemonset-controller: the status of a DaemonSet. The oldest pod of a node represents it.
import type { DaemonSet, DaemonSetStatus } from '../../apis/apps/daemonset.ts';
import { compareByAge, type PlannedNode, type PlannedPod } from './daemonset-plan.ts';

/** `isObserved` is false if the controller has not acted on the current generation. */
export function computeStatus<P extends PlannedPod>(
  { metadata, status }: DaemonSet,
  nodes: readonly PlannedNode<P>[],
  isObserved: boolean,
): DaemonSetStatus {
  const existing = nodes.filter(({ exists }) => exists);
  const desired = existing.filter(({ shouldRun }) => shouldRun);
  const pods = desired.flatMap((node) => node.pods.toSorted(compareByAge).slice(0, 1));
  const misscheduled = existing.filter((node) => !node.shouldRun && node.pods.length > 0);
  const available = pods.filter(({ isAvailable }) => isAvailable).length;
  const { collisionCount, conditions } = status;
  return {
    currentNumberScheduled: pods.length,
    numberMisscheduled: misscheduled.length,
    desiredNumberScheduled: desired.length,
    numberReady: pods.filter(({ isReady }) => isReady).length,
    observedGeneration: (isObserved ? metadata.generation : status.observedGeneration) ?? 0,
    updatedNumberScheduled: pods.filter(({ isUpdated }) => isUpdated).length,
    numberAvailable: available,
    numberUnavailable: desired.length - available,
    ...(collisionCount !== undefined && { collisionCount }),
    ...(conditions && { conditions }),
  };
}
