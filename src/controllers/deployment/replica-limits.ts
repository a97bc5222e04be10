// deployment-controller: how many pods a rolling update may have above the desired number, and how many may be unavailable.
import type { Deployment } from '../../apis/apps/deployment.ts';
import type { IntOrPercent } from '../../kind/meta/int-or-percent.ts';
import { scaled } from '../workload/scaled-value.ts';

export interface ReplicaLimits {
  /** The desired number of pods. */
  readonly replicas: number;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** A strategy other than RollingUpdate allows neither. */
export function replicaLimits({ spec }: Deployment): ReplicaLimits {
  const { replicas = 1, strategy } = spec;
  if (strategy.type === 'Recreate') return { replicas, maxSurge: 0, maxUnavailable: 0 };
  const { maxSurge = '25%', maxUnavailable = '25%' } = strategy.rollingUpdate ?? {};
  return resolveLimits(replicas, maxSurge, maxUnavailable);
}

/** Percentages of the surge round up, those of unavailable pods down. If both are 0, one pod may be unavailable. */
export function resolveLimits(
  replicas: number,
  maxSurge: IntOrPercent,
  maxUnavailable: IntOrPercent,
): ReplicaLimits {
  const surge = Math.ceil(scaled(maxSurge, replicas));
  const unavailable = Math.floor(scaled(maxUnavailable, replicas));
  return {
    replicas,
    maxSurge: surge,
    maxUnavailable: Math.min(replicas, surge === 0 && unavailable === 0 ? 1 : unavailable),
  };
}
