// deployment-controller: one step of a rolling update. Steps keep two invariants, whenever the ReplicaSet controller executes them:
// there are never more than `replicas + maxSurge` pods that are not terminating, and a step never makes fewer than
// `replicas - maxUnavailable` pods available.
import type { ReplicaLimits } from './replica-limits.ts';
import {
  compareByCreation,
  isActiveSet,
  podCount,
  type Scaling,
  type SizedSet,
  stableAvailable,
  sum,
} from './sized-set.ts';

/** The next scalings: of the new ReplicaSet if it can be scaled, else of the old ones. */
export function planRollingUpdate<S extends SizedSet>(
  limits: ReplicaLimits,
  newSet: S,
  oldSets: readonly S[],
): Scaling<S>[] {
  const replicas = newSetReplicas(limits, newSet, oldSets);
  if (replicas !== newSet.replicas) return [{ set: newSet, replicas }];
  return planScaleDown(limits, newSet, oldSets.filter(isActiveSet).toSorted(compareByCreation));
}

/** The size of the new ReplicaSet, which exists or will be created with it. */
export function newSetReplicas(
  { replicas, maxSurge }: ReplicaLimits,
  newSet: SizedSet,
  oldSets: readonly SizedSet[],
): number {
  if (newSet.replicas >= replicas) return replicas;
  const room = replicas + maxSurge - podCount(newSet) - sum(oldSets, podCount);
  return Math.min(replicas, newSet.replicas + Math.max(0, room));
}

/** Scales old ReplicaSets down, oldest first: those with unavailable pods by these, then all by available pods. */
function planScaleDown<S extends SizedSet>(
  { replicas, maxUnavailable }: ReplicaLimits,
  newSet: S,
  oldSets: readonly S[],
): Scaling<S>[] {
  const minAvailable = replicas - maxUnavailable;
  // Unavailable pods of the new ReplicaSet do not count, as they may never become available.
  const maxScaledDown = sum(oldSets, (set) => set.replicas) + stableAvailable(newSet) - minAvailable;
  if (maxScaledDown <= 0) return [];
  let cleanupBudget = maxScaledDown;
  let availableBudget = stableAvailable(newSet) + sum(oldSets, stableAvailable) - minAvailable;
  const cleaned = oldSets.map((set) => {
    const cut = Math.min(cleanupBudget, set.replicas - stableAvailable(set));
    cleanupBudget -= cut;
    return { set, replicas: set.replicas - cut };
  });
  const scaledDown = cleaned.map(({ set, replicas: left }) => {
    const cut = Math.max(0, Math.min(left, availableBudget));
    availableBudget -= cut;
    return { set, replicas: left - cut };
  });
  return scaledDown.filter(({ set, replicas: size }) => size !== set.replicas);
}
