// Workload status: validation of replica counts and collisionCount.
import { type FieldError, invalid } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { validateNonNegative } from '../../kind/meta/non-negative.ts';

type Counts<K extends string> = { readonly [name in K]?: number };

export function validateNonNegativeCounts<K extends string>(
  status: Counts<K>,
  names: readonly K[],
): FieldError[] {
  return names.flatMap((name) => validateNonNegative(status[name], `status.${name}`));
}

/**
 * The count of a subset cannot exceed its limit (readyReplicas <= replicas). `limitText` names the limit in the
 * message.
 */
export function validateCountAtMost<K extends string>(
  status: Counts<K>,
  name: K,
  limit: K,
  limitText = `status.${limit}`,
): FieldError[] {
  const count = status[name] ?? 0;
  if (count <= (status[limit] ?? 0)) return [];
  return [invalid(`status.${name}`, count, `cannot be greater than ${limitText}`)];
}

/** collisionCount is part of the hash in generated names: decreasing it would repeat collisions. */
export function validateCollisionCount(
  status: Counts<'collisionCount'>,
  old: Counts<'collisionCount'>,
): FieldError[] {
  // An absent count is lower than every stored one.
  const { collisionCount: count = -1 } = status;
  if (old.collisionCount === undefined || count >= old.collisionCount) return [];
  return [invalid('status.collisionCount', status.collisionCount ?? 0, 'cannot be decremented')];
}

/** Drops terminatingReplicas if its feature gate is disabled and the old status does not use it. */
export function dropTerminatingReplicas(
  status: { terminatingReplicas?: number },
  old: { terminatingReplicas?: number },
  { features }: KindContext,
): void {
  if (features.enabled('DeploymentReplicaSetTerminatingReplicas')) return;
  if (old.terminatingReplicas === undefined) delete status.terminatingReplicas;
}
