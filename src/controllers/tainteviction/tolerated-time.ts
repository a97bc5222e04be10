// taint-eviction-controller: how long a pod tolerates the NoExecute taints of its node.
import type { Taint } from '../../apis/core/taint.ts';
import { tolerates } from '../../apis/core/taint-toleration.ts';
import type { Toleration } from '../../apis/core/toleration.ts';

/** In milliseconds: Infinity if nothing limits it, and 0 if a taint is not tolerated. */
export function toleratedMs(taints: readonly Taint[], tolerations: readonly Toleration[]): number {
  // Of several tolerations of a taint the first counts.
  const limits = taints.map((taint) => limitMs(tolerations.find((each) => tolerates(each, taint))));
  return Math.max(0, Math.min(Number.POSITIVE_INFINITY, ...limits));
}

function limitMs(toleration: Toleration | undefined): number {
  if (!toleration) return 0;
  const { tolerationSeconds } = toleration;
  return tolerationSeconds === undefined ? Number.POSITIVE_INFINITY : Number(tolerationSeconds) * 1000;
}
