import type { Pod } from '../../apis/core/pod.ts';
import { isReady } from '../../apis/core/pod-conditions.ts';
import type { PodDisruptionBudget } from '../../apis/policy/poddisruptionbudget.ts';
import { userKeyed } from '../../codec/json/json-value.ts';
import type { Expected } from './expected-pods.ts';

type Status = PodDisruptionBudget['status'];

/** An eviction that was allowed so long ago, of a pod that is not even on its way out, has come to nothing. */
const evictionTakes = 2 * 60_000;

export interface Counted {
  readonly status: Status;
  /** When to count again, though nothing may have changed; undefined where there is no need to. */
  readonly again: number | undefined;
}

/** How many of the pods that a budget covers are healthy, and how many of them may be evicted. */
export function countBudget(
  { metadata, status: before }: PodDisruptionBudget,
  pods: readonly Pod[],
  expected: Expected,
  now: number,
): Counted {
  const disruptedPods = userKeyed<string>();
  let currentHealthy = 0;
  let again: number | undefined;
  for (const { metadata: pod, status } of pods) {
    if (pod.deletionTimestamp) continue;
    const evicted = before.disruptedPods?.[pod.name ?? ''];
    const awaitedUntil = evicted === undefined ? 0 : Date.parse(evicted) + evictionTakes;
    if (evicted !== undefined && awaitedUntil > now) {
      disruptedPods[pod.name ?? ''] = evicted;
      again = Math.min(again ?? awaitedUntil, awaitedUntil);
    } else if (isReady(status)) currentHealthy++;
  }
  const spare = Math.max(0, currentHealthy - expected.healthy);
  const status: Status = {
    ...before,
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
