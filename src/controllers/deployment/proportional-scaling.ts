// deployment-controller: scaling of a Deployment whose replicas have changed, or that is paused. While a rolling update runs, all active
// ReplicaSets are scaled in proportion to their size, so that the rollout is as far as before.
import type { ReplicaLimits } from './replica-limits.ts';
import { compareByCreation, isActiveSet, type Scaling, type SizedSet, sum } from './sized-set.ts';

export interface ScalingTarget extends ReplicaLimits {
  readonly isRollingUpdate: boolean;
  /** status.replicas of the Deployment. */
  readonly currentReplicas: number;
}

/** Whether the replicas of the Deployment have changed since its ReplicaSets were scaled. */
export function isScalingEvent({ replicas }: ScalingTarget, sets: readonly SizedSet[]): boolean {
  return sets.some(
    (set) => isActiveSet(set) && set.desiredReplicas !== undefined && set.desiredReplicas !== replicas,
  );
}

/** The sizes of ReplicaSets. Those that stay as they are may be included: their annotations may need an update. */
export function planScaling<S extends SizedSet>(
  target: ScalingTarget,
  newSet: S | undefined,
  oldSets: readonly S[],
): Scaling<S>[] {
  const { replicas, isRollingUpdate } = target;
  const only = activeOrLatest(newSet, oldSets);
  if (only) return [{ set: only, replicas }];
  const activeOldSets = oldSets.filter(isActiveSet);
  if (newSet && isSaturated(target, newSet)) return activeOldSets.map((set) => ({ set, replicas: 0 }));
  if (!isRollingUpdate) return [];
  return scaleProportionally(
    target,
    newSet && isActiveSet(newSet) ? [...activeOldSets, newSet] : activeOldSets,
  );
}

/** The only active ReplicaSet; if none is active, the new or else the youngest one; undefined if several are active. */
function activeOrLatest<S extends SizedSet>(newSet: S | undefined, oldSets: readonly S[]): S | undefined {
  const active = [...oldSets, ...(newSet ? [newSet] : [])].filter(isActiveSet);
  if (active.length > 0) return active.length === 1 ? active[0] : undefined;
  return newSet ?? oldSets.toSorted(compareByCreation).at(-1);
}

/** All pods of the Deployment are of the new ReplicaSet and available. */
const isSaturated = ({ replicas }: ScalingTarget, set: SizedSet) =>
  set.replicas === replicas && set.desiredReplicas === replicas && set.availableReplicas === replicas;

/** Distributes the difference from the largest to the smallest set; what rounding leaves goes to the largest one. */
function scaleProportionally<S extends SizedSet>(target: ScalingTarget, sets: readonly S[]): Scaling<S>[] {
  const { replicas, maxSurge } = target;
  const allowed = replicas > 0 ? replicas + maxSurge : 0;
  const toAdd = allowed - sum(sets, (set) => set.replicas);
  const age = toAdd > 0 ? -1 : 1;
  const largestFirst = sets.toSorted((a, b) => b.replicas - a.replicas || age * compareByCreation(a, b));
  let left = toAdd;
  const sizes = largestFirst.map((set) => {
    const share = shareOf(target, set);
    const added = toAdd > 0 ? Math.min(share, left) : Math.max(share, left);
    left -= toAdd === 0 ? 0 : added;
    return set.replicas + (toAdd === 0 ? 0 : added);
  });
  return largestFirst.map((set, index) => ({
    set,
    replicas: Math.max(0, sizes[index]! + (index === 0 ? left : 0)),
  }));
}

/** What a ReplicaSet would gain or lose if it kept its part of the Deployment. */
function shareOf({ replicas, maxSurge, currentReplicas }: ScalingTarget, set: SizedSet): number {
  if (replicas === 0) return -set.replicas;
  const before = set.maxReplicas || currentReplicas;
  if (before === 0) return 0;
  return Math.round((set.replicas * (replicas + maxSurge)) / before) - set.replicas;
}
