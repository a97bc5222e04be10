// PodDisruptionBudgets in preemption: which victims would violate one. Preemption avoids violations but may cause them.

import {
  compileRequirements,
  type LabelMatcher,
  selectorRequirements,
} from '../../apis/core/compiled-selectors.ts';
import type { PodDisruptionBudget } from '../../apis/policy/poddisruptionbudget.ts';
import type { PodInfo } from '../cache/pod-info.ts';

export interface Budget {
  readonly namespace: string;
  readonly disruptionsAllowed: number;
  /** Names of pods whose eviction has already been counted. */
  readonly disruptedPods: ReadonlySet<string>;
  readonly selects: LabelMatcher;
}

export function toBudget({ metadata, spec, status }: PodDisruptionBudget): Budget {
  const requirements = selectorRequirements(spec?.selector);
  return {
    namespace: metadata.namespace ?? '',
    disruptionsAllowed: status?.disruptionsAllowed ?? 0,
    disruptedPods: new Set(Object.keys(status?.disruptedPods ?? {})),
    // As upstream has it, an empty selector selects nothing here.
    selects: compileRequirements(requirements?.length ? requirements : undefined),
  };
}

/** Divides pods into those whose deletion violates a budget, if all before them are deleted too, and others. */
export function splitByViolation(
  pods: readonly PodInfo[],
  budgets: readonly Budget[],
): { readonly violating: PodInfo[]; readonly others: PodInfo[] } {
  const allowed = budgets.map(({ disruptionsAllowed }) => disruptionsAllowed);
  const violating: PodInfo[] = [];
  const others: PodInfo[] = [];
  for (const pod of pods) {
    let isViolation = false;
    for (const [i, { namespace, disruptedPods, selects }] of budgets.entries()) {
      const isCounted =
        namespace === pod.namespace &&
        pod.labels.size > 0 &&
        selects(pod.labels) &&
        !disruptedPods.has(pod.name);
      if (!isCounted) continue;
      allowed[i]! -= 1;
      if (allowed[i]! < 0) isViolation = true;
    }
    (isViolation ? violating : others).push(pod);
  }
  return { violating, others };
}
