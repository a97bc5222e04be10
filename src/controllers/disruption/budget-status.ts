// disruption-controller: the status of a PodDisruptionBudget.
import type { Pod } from '../../apis/core/pod.ts';
import { isReady } from '../../apis/core/pod-conditions.ts';
import type { PodDisruptionBudget } from '../../apis/policy/poddisruptionbudget.ts';
import { nullPrototypeObject } from '../../codec/json/json-value.ts';
import type { Expected } from './expected-pods.ts';

type Status = PodDisruptionBudget['status'];

/** An entry of disruptedPods expires after this time if its pod is not being deleted. */
const evictionTimeoutMs = 2 * 60_000;

export interface Counted {
  readonly status: Status;
  /** When an entry of disruptedPods expires; undefined if there is none. */
  readonly again: number | undefined;
}

/** Computes how many pods of a budget are healthy, and how many may be evicted. */
export function countBudget(
  { metadata, status: oldStatus }: PodDisruptionBudget,
  pods: readonly Pod[],
  expected: Expected,
  now: number,
): Counted {
  const disruptedPods = nullPrototypeObject<string>();
  let currentHealthy = 0;
  let again: number | undefined;
  for (const { metadata: pod, status } of pods) {
    if (pod.deletionTimestamp) continue;
    const evictedAt = oldStatus.disruptedPods?.[pod.name ?? ''];
    const expiresAt = evictedAt === undefined ? 0 : Date.parse(evictedAt) + evictionTimeoutMs;
    if (evictedAt !== undefined && expiresAt > now) {
      disruptedPods[pod.name ?? ''] = evictedAt;
      again = Math.min(again ?? expiresAt, expiresAt);
    } else if (isReady(status)) currentHealthy++;
  }
  const spare = Math.max(0, currentHealthy - expected.healthy);
  const status: Status = {
    ...oldStatus,
    observedGeneration: metadata.generation ?? 0,
    disruptionsAllowed: expected.pods > 0 ? spare : 0,
    currentHealthy,
    desiredHealthy: expected.healthy,
    expectedPods: expected.pods,
    disruptedPods,
  };
  if (again === undefined) delete status.disruptedPods;
  return { status, again };
}
