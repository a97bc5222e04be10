// Which pods of a workload are active, ready and available (upstream: api/v1/pod/util.go and IsPodActive).
import type { Pod } from '../../apis/core/pod.ts';
import { isReady } from '../../apis/core/pod-conditions.ts';

/** A pod that is neither finished nor being deleted. */
export const isActive = ({ metadata, status }: Pod) =>
  status.phase !== 'Succeeded' && status.phase !== 'Failed' && !metadata.deletionTimestamp;

/** A pod that is being deleted and has not finished. */
export const isTerminating = ({ metadata, status }: Pod) =>
  status.phase !== 'Succeeded' && status.phase !== 'Failed' && metadata.deletionTimestamp !== undefined;

/** Since when a pod is ready; undefined if it is not, or if the condition has no time. */
export function readySinceMs({ status }: Pod): number | undefined {
  const ready = status.conditions?.find((condition) => condition.type === 'Ready');
  return ready?.status === 'True' && ready.lastTransitionTime
    ? Date.parse(ready.lastTransitionTime)
    : undefined;
}

export function isAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  const dueMs = availableFromMs(pod, minReadySeconds);
  return dueMs !== undefined && dueMs <= now;
}

/** When the first pod that is not available yet becomes so by staying ready; undefined if there is none. */
export function nextAvailableMs(
  pods: readonly Pod[],
  minReadySeconds: number,
  now: number,
): number | undefined {
  const due = pods
    .map((pod) => availableFromMs(pod, minReadySeconds))
    .filter((dueMs) => dueMs !== undefined && dueMs > now);
  return due.length > 0 ? Math.min(...(due as number[])) : undefined;
}

/** A ready pod becomes available after `minReadySeconds`; undefined if it is not ready. */
function availableFromMs(pod: Pod, minReadySeconds: number): number | undefined {
  if (!isReady(pod.status)) return undefined;
  if (minReadySeconds === 0) return 0;
  const sinceMs = readySinceMs(pod);
  return sinceMs === undefined ? undefined : sinceMs + minReadySeconds * 1000;
}
