// Pod: reads and sets status conditions.
import type { PodCondition, PodStatus } from './pod-status.ts';

/** Adds a condition or replaces the one of its type; lastTransitionTime moves only if the status changes. */
export function setCondition(
  status: PodStatus,
  condition: Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>,
  now: string,
): void {
  const conditions = status.conditions ?? [];
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const oldCondition = conditions[index];
  const lastTransitionTime =
    oldCondition?.status === condition.status ? oldCondition.lastTransitionTime : now;
  const newCondition: PodCondition = {
    ...condition,
    ...(lastTransitionTime !== undefined && { lastTransitionTime }),
  };
  if (oldCondition) conditions[index] = newCondition;
  else conditions.push(newCondition);
  status.conditions = conditions;
}

export function isReady({ conditions = [] }: PodStatus): boolean {
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}
