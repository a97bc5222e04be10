// InterPodAffinity: affinity and anti-affinity between pods in the same topology domain.
import { type AffinityTerm, termSelects } from '../cache/affinity-term.ts';
import type { ClusterCache } from '../cache/cluster-cache.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodQuery, TermCounts } from '../cache/pod-counts.ts';
import type { PendingPod, PodInfo } from '../cache/pod-info.ts';
import {
  type FilterPlugin,
  maxNodeScore,
  type PodFilter,
  type Rejection,
  type ScorePlugin,
} from './plugin.ts';
import { TopologyCounts } from './topology-counts.ts';

const reject = (reason: string, isUnresolvable: boolean): Rejection => ({
  plugin: 'InterPodAffinity',
  reasons: [reason],
  isUnresolvable,
});
const affinityMismatch = reject("node(s) didn't match pod affinity rules", true);
const antiAffinityMismatch = reject("node(s) didn't match pod anti-affinity rules", false);
const existingAntiAffinity = reject("node(s) didn't satisfy existing pods anti-affinity rules", false);

export const interPodAffinity: FilterPlugin = {
  name: 'InterPodAffinity',
  prepare(pod, { cluster }) {
    const filter = new InterPodAffinityFilter(pod, cluster);
    return filter.canReject ? filter : undefined;
  },
};

class InterPodAffinityFilter implements PodFilter {
  readonly #pod: PendingPod;
  readonly #cluster: ClusterCache;
  /** Pods that match all affinity terms of the pod, by the topology of each. */
  readonly #affinity: TopologyCounts;
  /** By anti-affinity term of the pod. */
  readonly #antiAffinity: TopologyCounts;
  /** Pods with an anti-affinity term that selects the pod. */
  readonly #existing: TopologyCounts;

  constructor(pod: PendingPod, cluster: ClusterCache, original?: InterPodAffinityFilter) {
    this.#pod = pod;
    this.#cluster = cluster;
    this.#affinity = original ? original.#affinity.clone() : new TopologyCounts();
    this.#antiAffinity = original ? original.#antiAffinity.clone() : new TopologyCounts();
    this.#existing = original ? original.#existing.clone() : new TopologyCounts();
    if (!original) this.#count();
  }

  get canReject(): boolean {
    const { requiredAffinity, requiredAntiAffinity } = this.#pod.terms;
    return requiredAffinity.length > 0 || requiredAntiAffinity.length > 0 || !this.#existing.isEmpty;
  }

  check(node: NodeInfo): Rejection | undefined {
    const { requiredAffinity, requiredAntiAffinity } = this.#pod.terms;
    if (!this.#satisfiesAffinity(node, requiredAffinity)) return affinityMismatch;
    if (requiredAntiAffinity.some(({ topologyKey }) => this.#antiAffinity.count(topologyKey, node) > 0)) {
      return antiAffinityMismatch;
    }
    return this.#existing.some(node) ? existingAntiAffinity : undefined;
  }

  clone(): InterPodAffinityFilter {
    return new InterPodAffinityFilter(this.#pod, this.#cluster, this);
  }

  changePod(other: PodInfo, node: NodeInfo, sign: 1 | -1): void {
    const { requiredAffinity, requiredAntiAffinity } = this.#pod.terms;
    const selects = (term: AffinityTerm, pod: PodInfo) =>
      termSelects(term, pod, this.#cluster.namespaceLabels);
    for (const term of other.terms.requiredAntiAffinity) {
      if (selects(term, this.#pod)) this.#existing.add(term.topologyKey, node, sign);
    }
    if (requiredAffinity.length > 0 && requiredAffinity.every((term) => selects(term, other))) {
      for (const { topologyKey } of requiredAffinity) this.#affinity.add(topologyKey, node, sign);
    }
    for (const term of requiredAntiAffinity) {
      if (selects(term, other)) this.#antiAffinity.add(term.topologyKey, node, sign);
    }
  }

  #count(): void {
    const cluster = this.#cluster;
    const { podCounts, antiAffinityTerms, namespaceLabels } = cluster;
    const { requiredAffinity, requiredAntiAffinity } = this.#pod.terms;
    if (requiredAffinity.length > 0) {
      const byNode = podCounts.count(queryOf(requiredAffinity, cluster));
      for (const { topologyKey } of requiredAffinity) this.#affinity.addByNode(topologyKey, byNode, cluster);
    }
    for (const term of requiredAntiAffinity) {
      const byNode = podCounts.count(queryOf([term], cluster));
      this.#antiAffinity.addByNode(term.topologyKey, byNode, cluster);
    }
    for (const { term, byNode } of antiAffinityTerms.values()) {
      if (termSelects(term, this.#pod, namespaceLabels)) {
        this.#existing.addByNode(term.topologyKey, byNode, cluster);
      }
    }
  }

  #satisfiesAffinity(node: NodeInfo, terms: readonly AffinityTerm[]): boolean {
    if (terms.some(({ topologyKey }) => !node.labels.has(topologyKey))) return false;
    if (terms.every(({ topologyKey }) => this.#affinity.count(topologyKey, node) > 0)) return true;
    // The first pod of a group with affinity to itself may be placed anywhere.
    return (
      this.#affinity.isEmpty &&
      terms.every((term) => termSelects(term, this.#pod, this.#cluster.namespaceLabels))
    );
  }
}

/** Selects the pods that all terms select. */
function queryOf(terms: readonly AffinityTerm[], { namespaceLabels }: ClusterCache): PodQuery {
  const [first] = terms;
  const isInOneNamespace = terms.length === 1 && !first!.selectsNamespace && first!.namespaces.size === 1;
  const [namespace] = first!.namespaces;
  return {
    key: terms.map(({ key }) => key).join('\n'),
    namespace: isInOneNamespace ? namespace : undefined,
    selects: (pod) => terms.every((term) => termSelects(term, pod, namespaceLabels)),
  };
}

/** Upstream's InterPodAffinityArgs. */
export interface InterPodAffinityArgs {
  /** The weight of required affinity of assigned pods. */
  readonly hardPodAffinityWeight: number;
  /** Pods without preferred terms of their own have no preference. */
  readonly ignorePreferredTermsOfExistingPods: boolean;
}

/** Preferred terms of the pod, and the terms of assigned pods that select it. */
export const interPodAffinityScore =
  ({ hardPodAffinityWeight, ignorePreferredTermsOfExistingPods }: InterPodAffinityArgs): ScorePlugin =>
  (pod, nodes, { cluster }) => {
    if (ignorePreferredTermsOfExistingPods && pod.terms.preferred.length === 0) return undefined;
    const counts = new TopologyCounts();
    for (const { term, weight } of pod.terms.preferred) {
      counts.addByNode(term.topologyKey, cluster.podCounts.count(queryOf([term], cluster)), cluster, weight);
    }
    const addTerm = ({ term, byNode }: TermCounts, weight: number) => {
      if (weight === 0 || !termSelects(term, pod, cluster.namespaceLabels)) return;
      counts.addByNode(term.topologyKey, byNode, cluster, weight);
    };
    for (const terms of cluster.requiredAffinityTerms.values()) addTerm(terms, hardPodAffinityWeight);
    for (const terms of cluster.preferredTerms.values()) addTerm(terms, terms.weight);
    if (counts.isEmpty) return undefined;
    const sums = nodes.map((node) => counts.sum(node));
    const max = Math.max(...sums);
    const min = Math.min(...sums);
    return sums.map((sum) => (max === min ? 0 : Math.trunc((maxNodeScore * (sum - min)) / (max - min))));
  };

export const defaultInterPodAffinityArgs: InterPodAffinityArgs = {
  hardPodAffinityWeight: 1,
  ignorePreferredTermsOfExistingPods: false,
};

export const scoreInterPodAffinity = interPodAffinityScore(defaultInterPodAffinityArgs);
