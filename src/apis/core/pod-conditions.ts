// Pod: reads and sets status conditions.
import type { PodCondition, PodStatus } from './pod-status.ts';

/** Adds a condition or replaces the one of its type; lastTransitionTime moves only if the status changes. */
export function setCondition(
  status: PodStatus,
  condition: Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>,
  now: string,
): void {
  const conditions = status.conditions ?? [];
  const at = conditions.findIndex(({ type }) => type === condition.type);
  const before = conditions[at];
  const lastTransitionTime = before?.status === condition.status ? before.lastTransitionTime : now;
  const changed: PodCondition = {
    ...condition,
    ...(lastTransitionTime !== undefined && { lastTransitionTime }),
  };
  if (before) conditions[at] = changed;
  else conditions.push(changed);
  status.conditions = conditions;
}

export function isReady({ conditions = [] }: PodStatus): boolean {
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}
