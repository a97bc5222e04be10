// Toleration: merges the lists of two sources, for admission plugins that add tolerations to pods.
import type { Toleration } from './toleration.ts';

/** Merges two lists in order and drops tolerations that another one in the result covers. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const tolerations = [...first, ...second];
  const merged: Toleration[] = [];
  for (const [i, toleration] of tolerations.entries()) {
    if (merged.some((kept) => isSame(kept, toleration) || isSuperset(kept, toleration))) continue;
    if (tolerations.slice(i + 1).some((later) => !isSame(later, toleration) && isSuperset(later, toleration)))
      continue;
    merged.push(toleration);
  }
  return merged;
}

function isSame(a: Toleration, b: Toleration): boolean {
  return (
    (a.key ?? '') === (b.key ?? '') &&
    (a.operator ?? '') === (b.operator ?? '') &&
    (a.value ?? '') === (b.value ?? '') &&
    (a.effect ?? '') === (b.effect ?? '') &&
    a.tolerationSeconds === b.tolerationSeconds
  );
}

/** Whether `superset` tolerates every taint that `other` tolerates, by kube-apiserver's `isSuperset`. */
function isSuperset(superset: Toleration, other: Toleration): boolean {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = superset;
  if (key !== (other.key ?? '') && !(key === '' && operator === 'Exists')) return false;
  if (effect !== '' && effect !== (other.effect ?? '')) return false;
  if (effect === 'NoExecute' && tolerationSeconds !== undefined) {
    if (other.tolerationSeconds === undefined || other.tolerationSeconds > tolerationSeconds) return false;
  }
  return operator === 'Exists' || (other.operator === 'Equal' && value === (other.value ?? ''));
}
