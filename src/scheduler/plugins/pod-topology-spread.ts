// PodTopologySpread, filter: the skew of matching pods between topology domains must not exceed maxSkew.
import type { ClusterCache } from '../cache/cluster-cache.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PendingPod, PodInfo } from '../cache/pod-info.ts';
import type { FilterPlugin, PodFilter, Rejection } from './plugin.ts';
import {
  type DefaultConstraint,
  listedConstraints,
  type SpreadConstraint,
  spreadConstraints,
} from './spread-constraint.ts';

const mismatchReason = "node(s) didn't match pod topology spread constraints";
const mismatch: Rejection = { plugin: 'PodTopologySpread', reasons: [mismatchReason], isUnresolvable: false };
const missingLabel: Rejection = {
  plugin: 'PodTopologySpread',
  reasons: [`${mismatchReason} (missing required label)`],
  isUnresolvable: true,
};

/** `listed` are the constraints of the profile for pods without their own. */
export const podTopologySpreadFilter = (listed: readonly DefaultConstraint[] = []): FilterPlugin => ({
  name: 'PodTopologySpread',
  prepare(pod, context) {
    const hasOwn = (pod.spec.topologySpreadConstraints ?? []).length > 0;
    const usesListed = listed.length > 0 && !hasOwn;
    const constraints = usesListed
      ? listedConstraints(pod, listed, 'DoNotSchedule', context.workloadSelector(pod))
      : spreadConstraints(pod, 'DoNotSchedule');
    if (constraints.length === 0) return undefined;
    return new SpreadFilter(pod, countDomains(constraints, context.cluster));
  },
});

export const podTopologySpread = podTopologySpreadFilter();

/** The matching pods of each eligible domain of a constraint. */
interface DomainCounts {
  readonly constraint: SpreadConstraint;
  readonly counts: Map<string, number>;
  /** The lowest count; undefined after a change. */
  min: number | undefined;
}

function countDomains(constraints: readonly SpreadConstraint[], cluster: ClusterCache): DomainCounts[] {
  const eligible = cluster.nodes.filter((node) => hasAllLabels(node, constraints));
  return constraints.map((constraint) => {
    const byNode = cluster.podCounts.count(constraint.query);
    const counts = new Map<string, number>();
    for (const node of eligible) {
      if (!constraint.includesNode(node)) continue;
      const value = node.labels.get(constraint.topologyKey)!;
      counts.set(value, (counts.get(value) ?? 0) + (byNode.get(node.name) ?? 0));
    }
    return { constraint, counts, min: undefined };
  });
}

const hasAllLabels = ({ labels }: NodeInfo, constraints: readonly SpreadConstraint[]) =>
  constraints.every(({ topologyKey }) => labels.has(topologyKey));

class SpreadFilter implements PodFilter {
  readonly #pod: PendingPod;
  readonly #domains: readonly DomainCounts[];

  constructor(pod: PendingPod, domains: readonly DomainCounts[]) {
    this.#pod = pod;
    this.#domains = domains;
  }

  check({ labels }: NodeInfo): Rejection | undefined {
    for (const domain of this.#domains) {
      const { constraint, counts } = domain;
      const value = labels.get(constraint.topologyKey);
      if (value === undefined) return missingLabel;
      const own = constraint.matches(this.#pod.labels) ? 1 : 0;
      const skew = (counts.get(value) ?? 0) + own - globalMinimum(domain);
      if (skew > constraint.maxSkew) return mismatch;
    }
    return undefined;
  }

  clone(): SpreadFilter {
    const domains = this.#domains.map(({ counts, ...rest }) => ({ ...rest, counts: new Map(counts) }));
    return new SpreadFilter(this.#pod, domains);
  }

  changePod(pod: PodInfo, node: NodeInfo, sign: 1 | -1): void {
    const constraints = this.#domains.map(({ constraint }) => constraint);
    if (!hasAllLabels(node, constraints)) return;
    for (const domain of this.#domains) {
      const { constraint, counts } = domain;
      const isCounted = constraint.query.selects(pod) && constraint.includesNode(node);
      if (!isCounted) continue;
      const value = node.labels.get(constraint.topologyKey)!;
      counts.set(value, (counts.get(value) ?? 0) + sign);
      domain.min = undefined;
    }
  }
}

/** The lowest count of the eligible domains; 0 if there are fewer than minDomains. */
function globalMinimum(domain: DomainCounts): number {
  const { counts, constraint } = domain;
  if (counts.size < constraint.minDomains) return 0;
  domain.min ??= Math.min(...counts.values());
  return domain.min;
}
