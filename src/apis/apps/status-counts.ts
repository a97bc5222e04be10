import { type FieldError, invalid } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { validateNonNegative } from '../../kind/meta/non-negative.ts';

/** Rules for the counts of pods in the status of a workload. `K` are its fields that count. */

type Counts<K extends string> = { readonly [name in K]?: number };

export function countsAreNotNegative<K extends string>(status: Counts<K>, names: readonly K[]): FieldError[] {
  return names.flatMap((name) => validateNonNegative(status[name], `status.${name}`));
}

/** Some pods are among others, so there cannot be more of them. `shown` is what the message calls the others. */
export function countIsAtMost<K extends string>(
  status: Counts<K>,
  name: K,
  others: K,
  shown = `status.${others}`,
): FieldError[] {
  const count = status[name] ?? 0;
  if (count <= (status[others] ?? 0)) return [];
  return [invalid(`status.${name}`, count, `cannot be greater than ${shown}`)];
}

/** The count of name collisions goes into names: going back would make them collide again. */
export function collisionsOnlyGrow(
  status: Counts<'collisionCount'>,
  old: Counts<'collisionCount'>,
): FieldError[] {
  const { collisionCount: count = -1 } = status;
  if (old.collisionCount === undefined || count >= old.collisionCount) return [];
  return [invalid('status.collisionCount', status.collisionCount ?? 0, 'cannot be decremented')];
}

/** A status counts the pods that are ending only where that is switched on, or was once. */
export function dropTerminatingReplicas(
  status: { terminatingReplicas?: number },
  old: { terminatingReplicas?: number },
  { features }: KindContext,
): void {
  if (features.enabled('DeploymentReplicaSetTerminatingReplicas')) return;
  if (old.terminatingReplicas === undefined) delete status.terminatingReplicas;
}
