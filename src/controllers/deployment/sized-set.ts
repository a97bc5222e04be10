// deployment-controller: a ReplicaSet as the arithmetic of rolling updates and scaling sees it.

export interface SizedSet {
  readonly name: string;
  readonly creationTimestamp: string;
  /** spec.replicas. */
  readonly replicas: number;
  /** status.replicas: after a scale-down it is higher than `replicas` until the ReplicaSet controller has deleted pods. */
  readonly currentReplicas: number;
  /** status.availableReplicas, of which a scale-down may still delete some. */
  readonly availableReplicas: number;
  /** The annotations of the last scaling; undefined if they are absent. */
  readonly desiredReplicas: number | undefined;
  readonly maxReplicas: number | undefined;
}

/** A ReplicaSet to scale, and its new size. */
export interface Scaling<S extends SizedSet> {
  readonly set: S;
  readonly replicas: number;
}

export const isActiveSet = ({ replicas }: SizedSet) => replicas > 0;

/** The available pods that stay available whatever pods the ReplicaSet controller still deletes. */
export const stableAvailable = ({ replicas, availableReplicas }: SizedSet) =>
  Math.min(replicas, availableReplicas);

/** The pods that exist or will exist. */
export const podCount = ({ replicas, currentReplicas }: SizedSet) => Math.max(replicas, currentReplicas);

export const sum = <S>(sets: readonly S[], numberOf: (set: S) => number) =>
  sets.reduce((total, set) => total + numberOf(set), 0);

/** Oldest first. */
export function compareByCreation(
  a: Pick<SizedSet, 'name' | 'creationTimestamp'>,
  b: Pick<SizedSet, 'name' | 'creationTimestamp'>,
): number {
  if (a.creationTimestamp !== b.creationTimestamp) return a.creationTimestamp < b.creationTimestamp ? -1 : 1;
  return a.name < b.name ? -1 : 1;
}
