// The scheduling algorithm for one pod: filters nodes, scores the feasible ones and chooses one of the best.
import type { NodeInfo } from './cache/node-info.ts';
import type { NominatedPods } from './cache/nominated-pods.ts';
import type { PendingPod } from './cache/pod-info.ts';
import type { FitError } from './fit-error.ts';
import { NodeFilters } from './node-filters.ts';
import type { Rejection, SchedulingContext } from './plugins/plugin.ts';
import type { Profile } from './profile.ts';

/** With fewer nodes, all of them are checked. */
const minFeasibleNodes = 100;
const minPercentage = 5;

export type SchedulingResult =
  | { readonly node: NodeInfo }
  /** `filters` is undefined if the pod was rejected before any node was checked. */
  | { readonly fitError: FitError; readonly filters: NodeFilters | undefined };

/** The number of feasible nodes after which the search ends: a smaller share of larger clusters, unless it is configured. */
export function feasibleNodesToFind(allNodes: number, configuredPercentage = 0): number {
  if (allNodes < minFeasibleNodes) return allNodes;
  const adaptive = Math.max(minPercentage, 50 - Math.trunc(allNodes / 125));
  const percentage = configuredPercentage > 0 ? configuredPercentage : adaptive;
  return Math.max(minFeasibleNodes, Math.trunc((allNodes * percentage) / 100));
}

export class SchedulingAlgorithm {
  readonly #context: SchedulingContext;
  readonly #nominated: NominatedPods;
  readonly #random: () => number;
  /** Where the next search starts, so that all nodes get the same chance. */
  #nextNode = 0;

  /** `random` returns numbers from 0 to below 1, as Math.random does; it breaks ties. */
  constructor(context: SchedulingContext, nominated: NominatedPods, random: () => number) {
    this.#context = context;
    this.#nominated = nominated;
    this.#random = random;
  }

  schedule(pod: PendingPod, profile: Profile): SchedulingResult {
    const { nodes } = this.#context.cluster;
    const allNodes = nodes.length;
    if (allNodes === 0) return { fitError: { allNodes, rejections: new Map() }, filters: undefined };
    const filters = NodeFilters.prepare(pod, profile, this.#nominated, this.#context);
    if (!(filters instanceof NodeFilters)) {
      return { fitError: { allNodes, podRejection: filters, rejections: new Map() }, filters: undefined };
    }
    if (this.#isNominatedNodeFeasible(pod, filters)) {
      return { node: this.#context.cluster.node(pod.nominatedNodeName)! };
    }
    const rejections = new Map<string, Rejection>();
    const feasible = this.#findFeasible(filters, rejections, profile);
    if (feasible.length > 0) return { node: this.#chooseBest(pod, feasible, profile) };
    const uncheckedReason = filters.nodeNames && "node(s) didn't satisfy plugin(s) [NodeAffinity]";
    const fitError = { allNodes, rejections, ...(uncheckedReason && { uncheckedReason }) };
    return { fitError, filters };
  }

  #isNominatedNodeFeasible({ nominatedNodeName }: PendingPod, filters: NodeFilters): boolean {
    const node = nominatedNodeName === '' ? undefined : this.#context.cluster.node(nominatedNodeName);
    if (!node || filters.nodeNames?.has(node.name) === false) return false;
    return !filters.check(node);
  }

  #findFeasible(
    filters: NodeFilters,
    rejections: Map<string, Rejection>,
    { percentageOfNodesToScore }: Profile,
  ): NodeInfo[] {
    const { cluster } = this.#context;
    const nodes = filters.nodeNames
      ? [...filters.nodeNames].flatMap((name) => cluster.node(name) ?? [])
      : cluster.nodes;
    const maxFeasible = feasibleNodesToFind(nodes.length, percentageOfNodesToScore);
    const feasible: NodeInfo[] = [];
    let checked = 0;
    for (; checked < nodes.length && feasible.length < maxFeasible; checked++) {
      const node = nodes[(this.#nextNode + checked) % nodes.length]!;
      const rejection = filters.check(node);
      if (rejection) rejections.set(node.name, rejection);
      else feasible.push(node);
    }
    if (nodes.length > 0) this.#nextNode = (this.#nextNode + checked) % nodes.length;
    return feasible;
  }

  /** Chooses at random between nodes with the same score. */
  #chooseBest(pod: PendingPod, nodes: readonly NodeInfo[], { scores }: Profile): NodeInfo {
    if (nodes.length === 1) return nodes[0]!;
    const totals = new Array<number>(nodes.length).fill(0);
    for (const { score, weight } of scores) {
      const nodeScores = score(pod, nodes, this.#context);
      if (!nodeScores) continue;
      for (const [i, nodeScore] of nodeScores.entries()) totals[i]! += weight * nodeScore;
    }
    let best = 0;
    let ties = 1;
    for (let i = 1; i < totals.length; i++) {
      if (totals[i]! > totals[best]!) {
        best = i;
        ties = 1;
      } else if (totals[i] === totals[best] && this.#random() * ++ties < 1) {
        best = i;
      }
    }
    return nodes[best]!;
  }
}
