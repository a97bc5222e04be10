// Preemption, upstream's DefaultPreemption: finds a node on which an unschedulable pod would fit without some pods of lower
// priority. The decision only; the scheduler deletes the victims.
import type { ClusterCache } from '../cache/cluster-cache.ts';
import type { PendingPod } from '../cache/pod-info.ts';
import { type FitError, nodesMessage } from '../fit-error.ts';
import type { NodeFilters } from '../node-filters.ts';
import type { Budget } from './disruption-budgets.ts';
import { pickCandidate } from './pick-candidate.ts';
import { defaultPreemptionArgs, type PreemptionArgs } from './preemption-args.ts';
import { type Candidate, selectVictims } from './select-victims.ts';

export interface PreemptionInput {
  readonly pod: PendingPod;
  /** The node to which the pod is nominated; '' if none. */
  readonly nominatedNodeName: string;
  readonly fitError: FitError;
  /** Undefined if the pod was rejected before any node was checked. */
  readonly filters: NodeFilters | undefined;
  readonly cluster: ClusterCache;
  readonly args?: PreemptionArgs;
  budgets(): readonly Budget[];
  random(): number;
}

export type PreemptionResult =
  | { readonly candidate: Candidate }
  /** `keepsNomination`: the pod still waits for the victims of an earlier preemption. */
  | { readonly message: string; readonly keepsNomination: boolean };

export function preempt(input: PreemptionInput): PreemptionResult {
  const ineligible = ineligibleReason(input);
  if (ineligible !== undefined) return { message: `preemption: ${ineligible}`, keepsNomination: true };
  const { candidates, reasons } = findCandidates(input);
  if (candidates.length > 0) return { candidate: pickCandidate(candidates) };
  const { allNodes } = input.fitError;
  const message = nodesMessage(allNodes, reasons, 'Preemption is not helpful for scheduling');
  return { message: `preemption: ${message}`, keepsNomination: false };
}

function ineligibleReason({
  pod,
  nominatedNodeName,
  fitError,
  cluster,
}: PreemptionInput): string | undefined {
  if (pod.spec.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const isUnresolvable = fitError.rejections.get(nominatedNodeName)?.isUnresolvable ?? false;
  if (nominatedNodeName === '' || isUnresolvable) return undefined;
  const pods = [...(cluster.node(nominatedNodeName)?.pods.values() ?? [])];
  const isWaiting = pods.some(({ priority, isPreempted }) => priority < pod.priority && isPreempted);
  return isWaiting ? 'not eligible due to a terminating pod on the nominated node.' : undefined;
}

/** Simulates preemption on the nodes that could become feasible, starting at a random one. */
function findCandidates({
  pod,
  fitError,
  filters,
  cluster,
  args = defaultPreemptionArgs,
  budgets,
  random,
}: PreemptionInput): {
  readonly candidates: Candidate[];
  readonly reasons: (readonly string[])[];
} {
  const candidates: Candidate[] = [];
  const reasons: (readonly string[])[] = [];
  const nodes = [...fitError.rejections].flatMap(([name, { isUnresolvable }]) =>
    isUnresolvable ? [] : (cluster.node(name) ?? []),
  );
  if (!filters || nodes.length === 0) return { candidates, reasons };
  const { minCandidateNodesPercentage, minCandidateNodesAbsolute } = args;
  const share = Math.trunc((nodes.length * minCandidateNodesPercentage) / 100);
  const atLeast = Math.max(minCandidateNodesAbsolute, share);
  const offset = Math.trunc(random() * nodes.length);
  let loadedBudgets: readonly Budget[] | undefined;
  const loadBudgets = () => {
    loadedBudgets ??= budgets();
    return loadedBudgets;
  };
  for (let i = 0; i < nodes.length; i++) {
    const result = selectVictims(pod, nodes[(offset + i) % nodes.length]!, filters, loadBudgets);
    if ('reasons' in result) reasons.push(result.reasons);
    else candidates.push(result);
    if (candidates.length >= atLeast && candidates.some(({ violations }) => violations === 0)) break;
  }
  return { candidates, reasons };
}
