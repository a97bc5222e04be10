// disruption-controller: the status of a PodDisruptionBudget.
import type { Pod } from '../../apis/core/pod.ts';
import { isReady } from '../../apis/core/pod-conditions.ts';
import type { PodDisruptionBudget } from '../../apis/policy/poddisruptionbudget.ts';
import { nullPrototypeObject } from '../../codec/json/json-value.ts';
import type { ExpectedCounts } from './expected-pods.ts';

type Status = PodDisruptionBudget['status'];

/**
 * The eviction subresource records a pod in disruptedPods before it is deleted. The entry expires after this time if the pod
 * is not being deleted by then.
 */
const evictionTimeoutMs = 2 * 60_000;

export interface ComputedBudget {
  readonly status: Status;
  /** When the first entry of disruptedPods expires, and the status must be computed again; undefined without entries. */
  readonly nextExpiryMs: number | undefined;
}

/**
 * Computes how many pods of a budget are healthy, and how many may be evicted. A pod that is being evicted or deleted does
 * not count as healthy.
 */
export function computeBudgetStatus(
  { metadata, status: oldStatus }: PodDisruptionBudget,
  pods: readonly Pod[],
  expected: ExpectedCounts,
  now: number,
): ComputedBudget {
  const disruptedPods = nullPrototypeObject<string>();
  let currentHealthy = 0;
  let nextExpiryMs: number | undefined;
  for (const { metadata: pod, status } of pods) {
    if (pod.deletionTimestamp) continue;
    const evictedAt = oldStatus.disruptedPods?.[pod.name ?? ''];
    const expiryMs = evictedAt === undefined ? 0 : Date.parse(evictedAt) + evictionTimeoutMs;
    if (evictedAt !== undefined && expiryMs > now) {
      disruptedPods[pod.name ?? ''] = evictedAt;
      nextExpiryMs = Math.min(nextExpiryMs ?? expiryMs, expiryMs);
    } else if (isReady(status)) {
      currentHealthy++;
    }
  }
  const spare = Math.max(0, currentHealthy - expected.desiredHealthy);
  const status: Status = {
    ...oldStatus,
    observedGeneration: metadata.generation ?? 0,
    disruptionsAllowed: expected.expectedPods > 0 ? spare : 0,
    currentHealthy,
    desiredHealthy: expected.desiredHealthy,
    expectedPods: expected.expectedPods,
    disruptedPods,
  };
  if (nextExpiryMs === undefined) delete status.disruptedPods;
  return { status, nextExpiryMs };
}
