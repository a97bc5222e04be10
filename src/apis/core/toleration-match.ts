// Toleration: whether taints are tolerated (upstream: component-helpers/scheduling/corev1).
import type { Taint } from './taint.ts';
import type { Toleration } from './toleration.ts';

/** Whether all taints with one of the effects are tolerated. */
export function toleratesTaints(
  tolerations: readonly Toleration[],
  taints: readonly Taint[],
  effects: readonly string[],
): boolean {
  return taints
    .filter(({ effect }) => effects.includes(effect))
    .every((taint) => tolerations.some((toleration) => toleratesTaint(toleration, taint)));
}

function toleratesTaint({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (!operator || operator === 'Equal') && (value ?? '') === (taint.value ?? '');
}
