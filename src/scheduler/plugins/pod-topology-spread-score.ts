// PodTopologySpread, score: prefers nodes in topology domains with few matching pods.
import type { NodeInfo } from '../cache/node-info.ts';
import type { PendingPod } from '../cache/pod-info.ts';
import { maxNodeScore, type SchedulingContext, type ScorePlugin } from './plugin.ts';
import {
  type DefaultConstraint,
  defaultConstraints,
  listedConstraints,
  type SpreadConstraint,
  spreadConstraints,
} from './spread-constraint.ts';

/** `listed` are the constraints of the profile for pods without their own; undefined for upstream's defaults. */
export const podTopologySpreadScore =
  (listed?: readonly DefaultConstraint[]): ScorePlugin =>
  (pod, nodes, context) => {
    const hasOwn = (pod.spec.topologySpreadConstraints ?? []).length > 0;
    const constraints = hasOwn
      ? spreadConstraints(pod, 'ScheduleAnyway')
      : profileConstraints(pod, listed, context);
    if (constraints.length === 0) return undefined;
    // With upstream's defaults, nodes without a zone are still spread over hosts.
    const needsAllLabels = hasOwn || listed !== undefined;
    const isIgnored = (node: NodeInfo) => needsAllLabels && !hasAllLabels(node, constraints);
    const scored = nodes.filter((node) => !isIgnored(node));
    const scorers = constraints.map((constraint) =>
      constraintScorer(
        constraint,
        scored,
        (node) => !isIgnored(node) && constraint.includesNode(node),
        context,
      ),
    );
    const sums = nodes.map((node) =>
      isIgnored(node) ? undefined : Math.round(scorers.reduce((sum, score) => sum + score(node), 0)),
    );
    const counted = sums.filter((sum) => sum !== undefined);
    const max = Math.max(0, ...counted);
    const min = Math.min(...counted);
    return sums.map((sum) => {
      if (sum === undefined) return 0;
      return max === 0 ? maxNodeScore : Math.trunc((maxNodeScore * (max + min - sum)) / max);
    });
  };

export const scoreTopologySpread = podTopologySpreadScore();

function profileConstraints(
  pod: PendingPod,
  listed: readonly DefaultConstraint[] | undefined,
  context: SchedulingContext,
): SpreadConstraint[] {
  const requirements = context.workloadSelector(pod);
  return listed
    ? listedConstraints(pod, listed, 'ScheduleAnyway', requirements)
    : defaultConstraints(pod, requirements, context);
}

const hasAllLabels = ({ labels }: NodeInfo, constraints: readonly SpreadConstraint[]) =>
  constraints.every(({ topologyKey }) => labels.has(topologyKey));

/** More pods in the domain of a node are a higher, that is worse, raw score. Large topologies weigh more. */
function constraintScorer(
  { topologyKey, maxSkew, query }: SpreadConstraint,
  nodes: readonly NodeInfo[],
  countsNode: (node: NodeInfo) => boolean,
  { cluster, hostnameLabel }: SchedulingContext,
): (node: NodeInfo) => number {
  const byNode = cluster.podCounts.count(query);
  const toScore = (count: number, domainCount: number) => count * Math.log(domainCount + 2) + (maxSkew - 1);
  if (topologyKey === hostnameLabel) {
    return (node) => (node.labels.has(topologyKey) ? toScore(byNode.get(node.name) ?? 0, nodes.length) : 0);
  }
  const counts = new Map(nodes.map(({ labels }) => [labels.get(topologyKey) ?? '', 0]));
  for (const [name, count] of byNode) {
    const node = cluster.node(name);
    const value = node?.labels.get(topologyKey) ?? '';
    const sum = counts.get(value);
    if (node && sum !== undefined && countsNode(node)) counts.set(value, sum + count);
  }
  return ({ labels }) => {
    const value = labels.get(topologyKey);
    return value === undefined ? 0 : toScore(counts.get(value) ?? 0, counts.size);
  };
}
