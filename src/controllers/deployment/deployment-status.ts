// deployment-controller: the status of a Deployment, with the progress of its rollout.
import type { Deployment, DeploymentStatus } from '../../apis/apps/deployment.ts';
import type { ReplicaSet } from '../../apis/apps/replicaset.ts';
import {
  type DeploymentCondition,
  findCondition,
  hasProgressDeadline,
  newCondition,
  progressDeadlineMs,
  progressReasons,
  removeCondition,
  replaceCondition,
  setCondition,
} from './deployment-conditions.ts';
import { replicaLimits } from './replica-limits.ts';
import { sum } from './sized-set.ts';

export interface ObservedSets {
  /** The ReplicaSet with the template of the Deployment. */
  readonly newSet: ReplicaSet | undefined;
  readonly allSets: readonly ReplicaSet[];
  readonly hasTerminatingReplicas: boolean;
  readonly now: number;
  /** The same time as a timestamp. */
  readonly timestamp: string;
}

/** The counts, and the condition Available. Other conditions stay as they are. */
export function computeStatus(deployment: Deployment, observed: ObservedSets): DeploymentStatus {
  const { newSet, allSets, hasTerminatingReplicas, timestamp } = observed;
  const { metadata, status: oldStatus } = deployment;
  const availableReplicas = sum(allSets, ({ status }) => status.availableReplicas ?? 0);
  const desired = sum(allSets, ({ spec }) => spec.replicas ?? 1);
  const status: DeploymentStatus = {
    observedGeneration: metadata.generation ?? 0,
    replicas: sum(allSets, ({ status }) => status.replicas ?? 0),
    updatedReplicas: newSet?.status.replicas ?? 0,
    readyReplicas: sum(allSets, ({ status }) => status.readyReplicas ?? 0),
    availableReplicas,
    unavailableReplicas: Math.max(0, desired - availableReplicas),
    ...(hasTerminatingReplicas && {
      terminatingReplicas: sum(allSets, ({ status }) => status.terminatingReplicas ?? 0),
    }),
    conditions: [...(oldStatus.conditions ?? [])],
    ...(oldStatus.collisionCount !== undefined && { collisionCount: oldStatus.collisionCount }),
  };
  const { replicas, maxUnavailable } = replicaLimits(deployment);
  setCondition(status, availability(availableReplicas >= replicas - maxUnavailable, timestamp));
  return status;
}

function availability(isAvailable: boolean, now: string): DeploymentCondition {
  return isAvailable
    ? newCondition(
        'Available',
        'True',
        'MinimumReplicasAvailable',
        'Deployment has minimum availability.',
        now,
      )
    : newCondition(
        'Available',
        'False',
        'MinimumReplicasUnavailable',
        'Deployment does not have minimum availability.',
        now,
      );
}

/** As computeStatus, with the conditions Progressing and ReplicaFailure of a rollout. */
export function computeRolloutStatus(deployment: Deployment, observed: ObservedSets): DeploymentStatus {
  const status = computeStatus(deployment, observed);
  if (!hasProgressDeadline(deployment)) removeCondition(status, 'Progressing');
  else if (!isRolledOut(deployment, status)) setProgress(deployment, status, observed);
  const failure = replicaFailure(observed);
  if (failure) setCondition(status, failure);
  else removeCondition(status, 'ReplicaFailure');
  return status;
}

/** The rollout was complete before, so nothing is to progress. */
function isRolledOut(deployment: Deployment, { replicas, updatedReplicas }: DeploymentStatus): boolean {
  const current = findCondition(deployment.status, 'Progressing');
  return replicas === updatedReplicas && current?.reason === progressReasons.complete;
}

function setProgress(deployment: Deployment, status: DeploymentStatus, observed: ObservedSets): void {
  const { newSet, now, timestamp } = observed;
  const subject = newSet
    ? `ReplicaSet ${JSON.stringify(newSet.metadata.name)}`
    : `Deployment ${JSON.stringify(deployment.metadata.name)}`;
  const progressing = (isProgressing: 'True' | 'False', reason: string, text: string) =>
    newCondition('Progressing', isProgressing, reason, `${subject} ${text}`, timestamp);
  if (isComplete(deployment, status)) {
    setCondition(status, progressing('True', progressReasons.complete, 'has successfully progressed.'));
  } else if (hasProgressed(deployment.status, status)) {
    // Its lastUpdateTime is the time of the last progress, from which the deadline counts.
    replaceCondition(status, progressing('True', progressReasons.updated, 'is progressing.'));
  } else {
    const deadlineMs = progressDeadlineMs(deployment, status);
    if (deadlineMs !== undefined && deadlineMs <= now)
      setCondition(status, progressing('False', progressReasons.timedOut, 'has timed out progressing.'));
  }
}

/** All desired pods have the current template and are available, and there are no others. */
export function isComplete({ metadata, spec }: Deployment, status: DeploymentStatus): boolean {
  const { replicas = 1 } = spec;
  return (
    status.updatedReplicas === replicas &&
    status.replicas === replicas &&
    status.availableReplicas === replicas &&
    (status.observedGeneration ?? 0) >= (metadata.generation ?? 0)
  );
}

function hasProgressed(before: DeploymentStatus, after: DeploymentStatus): boolean {
  const oldPods = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus) => replicas - updatedReplicas;
  return (
    (after.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    oldPods(after) < oldPods(before) ||
    (after.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

/** The condition of a ReplicaSet that cannot create or delete pods; that of the new one comes first. */
function replicaFailure({ newSet, allSets }: ObservedSets): DeploymentCondition | undefined {
  const conditions = [...(newSet ? [newSet] : []), ...allSets].flatMap(
    ({ status }) => status.conditions ?? [],
  );
  const failure = conditions.find(({ type }) => type === 'ReplicaFailure');
  if (!failure) return undefined;
  const { lastTransitionTime } = failure;
  return {
    ...failure,
    type: 'ReplicaFailure',
    ...(lastTransitionTime !== undefined && { lastUpdateTime: lastTransitionTime }),
  };
}
