// Preemption: the pods of lower priority on a node that must be deleted so that a pod fits on it.
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import type { NodeFilters } from '../node-filters.ts';
import { type Budget, splitByViolation } from './disruption-budgets.ts';

export interface Candidate {
  readonly nodeName: string;
  /** Most important first. */
  readonly victims: readonly PodInfo[];
  /** The number of victims whose deletion violates a PodDisruptionBudget. */
  readonly violations: number;
}

const noVictimsReason = 'No preemption victims found for incoming pod';

/** Returns the reasons if the pod would not fit even without all pods of lower priority. */
export function selectVictims(
  { priority }: PodInfo,
  node: NodeInfo,
  filters: NodeFilters,
  budgets: () => readonly Budget[],
): Candidate | { readonly reasons: readonly string[] } {
  const potential = [...node.pods.values()].filter((pod) => pod.priority < priority);
  if (potential.length === 0) return { reasons: [noVictimsReason] };
  const simulation = filters.simulate(node);
  for (const pod of potential) simulation.remove(pod);
  const rejection = simulation.check();
  if (rejection) return rejection;
  const { violating, others } = splitByViolation(potential.sort(byImportance), budgets());
  const victims: PodInfo[] = [];
  let violations = 0;
  /** Keeps a pod if the preemptor fits beside it. */
  const reprieve = (pod: PodInfo): boolean => {
    simulation.add(pod);
    if (!simulation.check()) return true;
    simulation.remove(pod);
    victims.push(pod);
    return false;
  };
  for (const pod of violating) if (!reprieve(pod)) violations++;
  for (const pod of others) reprieve(pod);
  return { nodeName: node.name, victims: victims.sort(byImportance), violations };
}

/** Higher priority first, then the pod that has run longer. */
function byImportance(one: PodInfo, other: PodInfo): number {
  if (one.priority !== other.priority) return other.priority - one.priority;
  return one.startedAtMs === other.startedAtMs ? 0 : one.startedAtMs - other.startedAtMs;
}
