// deployment-controller: the conditions of a Deployment. Reasons and messages are those of upstream.
import type { Deployment, DeploymentStatus } from '../../apis/apps/deployment.ts';
import { addSeconds } from '../../base/clock.ts';

export type DeploymentCondition = NonNullable<DeploymentStatus['conditions']>[number];

export const progressReasons = {
  newSet: 'NewReplicaSetCreated',
  foundSet: 'FoundNewReplicaSet',
  updated: 'ReplicaSetUpdated',
  createFailed: 'ReplicaSetCreateError',
  complete: 'NewReplicaSetAvailable',
  timedOut: 'ProgressDeadlineExceeded',
  paused: 'DeploymentPaused',
  resumed: 'DeploymentResumed',
} as const;

/** A progressDeadlineSeconds of this value means that there is no deadline. */
const noDeadline = 2 ** 31 - 1;

export const hasProgressDeadline = ({ spec }: Deployment) =>
  spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== noDeadline;

export const findCondition = ({ conditions = [] }: DeploymentStatus, type: DeploymentCondition['type']) =>
  conditions.find((condition) => condition.type === type);

export function newCondition(
  type: DeploymentCondition['type'],
  status: DeploymentCondition['status'],
  reason: string,
  message: string,
  now: string,
): DeploymentCondition {
  return { type, status, reason, message, lastUpdateTime: now, lastTransitionTime: now };
}

/** Adds or replaces a condition. One with the same status and reason stays as it is. */
export function setCondition(status: DeploymentStatus, condition: DeploymentCondition): void {
  const current = findCondition(status, condition.type);
  if (current?.status === condition.status && current.reason === condition.reason) return;
  replaceCondition(status, condition);
}

/** As setCondition, but replaces one with the same status and reason too. */
export function replaceCondition(status: DeploymentStatus, condition: DeploymentCondition): void {
  const current = findCondition(status, condition.type);
  const isTransition = current?.status !== condition.status;
  const { lastTransitionTime } = isTransition ? condition : current;
  removeCondition(status, condition.type);
  status.conditions = [
    ...(status.conditions ?? []),
    { ...condition, ...(lastTransitionTime !== undefined && { lastTransitionTime }) },
  ];
}

export function removeCondition(status: DeploymentStatus, type: DeploymentCondition['type']): void {
  status.conditions = (status.conditions ?? []).filter((condition) => condition.type !== type);
}

/** When a rollout without progress exceeds its deadline; undefined if it has none, is complete or has exceeded it already. */
export function progressDeadlineMs(deployment: Deployment, status: DeploymentStatus): number | undefined {
  const condition = findCondition(status, 'Progressing');
  const { progressDeadlineSeconds = 0 } = deployment.spec;
  if (!hasProgressDeadline(deployment) || !condition?.lastUpdateTime) return undefined;
  if (condition.reason === progressReasons.complete || condition.reason === progressReasons.timedOut)
    return undefined;
  return Date.parse(addSeconds(condition.lastUpdateTime, progressDeadlineSeconds));
}
