// pod-garbage-collector-controller: which of too many finished pods are deleted.
import type { Pod } from '../../apis/core/pod.ts';

/** Evicted pods first, so that the results of pods that controllers created are kept longer, then the oldest ones. */
export function surplusPods(finished: readonly Pod[], threshold: number): Pod[] {
  return finished.toSorted(compare).slice(0, Math.max(0, finished.length - threshold));
}

function compare(one: Pod, other: Pod): number {
  const [oneIsEvicted, otherIsEvicted] = [isEvicted(one), isEvicted(other)];
  if (oneIsEvicted !== otherIsEvicted) return oneIsEvicted ? -1 : 1;
  const [oneKey, otherKey] = [ageKey(one), ageKey(other)];
  return oneKey < otherKey ? -1 : oneKey > otherKey ? 1 : 0;
}

/** A kubelet has evicted the pod. */
const isEvicted = ({ status }: Pod) => status.phase === 'Failed' && status.reason === 'Evicted';
const ageKey = ({ metadata }: Pod) => `${metadata.creationTimestamp} ${metadata.name}`;
