// PodTopologySpread: a topology spread constraint of a pod, compiled.
import type { TopologySpreadConstraint } from '../../apis/core/affinity.ts';
import {
  compileRequirements,
  type LabelMatcher,
  selectorRequirements,
} from '../../apis/core/compiled-selectors.ts';
import { findUntolerated } from '../../apis/core/taint-toleration.ts';
import type { LabelRequirement } from '../../selectors/label-selector.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodQuery } from '../cache/pod-counts.ts';
import type { PendingPod, PodInfo } from '../cache/pod-info.ts';

export interface SpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly minDomains: number;
  readonly matches: LabelMatcher;
  /** Selects the pods that count. */
  readonly query: PodQuery;
  /** Whether the pods of a node count. */
  includesNode(node: NodeInfo): boolean;
}

/** The constraints of a pod with this `whenUnsatisfiable`. */
export function spreadConstraints(
  pod: PendingPod,
  whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway',
): SpreadConstraint[] {
  const { topologySpreadConstraints = [] } = pod.spec;
  return topologySpreadConstraints
    .filter((constraint) => constraint.whenUnsatisfiable === whenUnsatisfiable)
    .map((constraint) => compileConstraint(pod, constraint, mergedRequirements(pod, constraint)));
}

/** Upstream's defaultConstraints of PodTopologySpreadArgs. */
export type DefaultConstraint = Pick<
  TopologySpreadConstraint,
  'maxSkew' | 'topologyKey' | 'whenUnsatisfiable'
>;

/** The constraints of a profile for pods without their own, with this `whenUnsatisfiable`. */
export function listedConstraints(
  pod: PendingPod,
  listed: readonly DefaultConstraint[],
  whenUnsatisfiable: DefaultConstraint['whenUnsatisfiable'],
  requirements: readonly LabelRequirement[],
): SpreadConstraint[] {
  if (requirements.length === 0) return [];
  return listed
    .filter((constraint) => constraint.whenUnsatisfiable === whenUnsatisfiable)
    .map((constraint) => compileConstraint(pod, constraint, requirements));
}

/** The default constraints of pods without their own: the pods of a workload spread over hosts and zones. */
export function defaultConstraints(
  pod: PendingPod,
  requirements: readonly LabelRequirement[],
  { hostnameLabel, zoneLabel }: { readonly hostnameLabel: string; readonly zoneLabel: string },
): SpreadConstraint[] {
  if (requirements.length === 0) return [];
  return [
    compileConstraint(pod, { maxSkew: 3, topologyKey: hostnameLabel }, requirements),
    compileConstraint(pod, { maxSkew: 5, topologyKey: zoneLabel }, requirements),
  ];
}

/** The selector with the pod's own values of matchLabelKeys. */
function mergedRequirements(
  { labels }: PodInfo,
  { labelSelector, matchLabelKeys = [] }: TopologySpreadConstraint,
): LabelRequirement[] | undefined {
  const requirements = selectorRequirements(labelSelector);
  if (!requirements) return undefined;
  const ownValues = matchLabelKeys.flatMap((key): LabelRequirement[] => {
    const value = labels.get(key);
    return value === undefined ? [] : [{ key, operator: 'in', values: [value] }];
  });
  return [...requirements, ...ownValues];
}

function compileConstraint(
  { namespace, requiredNodeAffinity, tolerations }: PendingPod,
  constraint: Pick<TopologySpreadConstraint, 'maxSkew' | 'topologyKey'> &
    Partial<Pick<TopologySpreadConstraint, 'minDomains' | 'nodeAffinityPolicy' | 'nodeTaintsPolicy'>>,
  requirements: readonly LabelRequirement[] | undefined,
): SpreadConstraint {
  const { maxSkew, topologyKey, minDomains = 1, nodeAffinityPolicy, nodeTaintsPolicy } = constraint;
  const matches = compileRequirements(requirements);
  return {
    maxSkew,
    topologyKey,
    minDomains,
    matches,
    query: {
      key: `spread ${JSON.stringify([namespace, requirements])}`,
      namespace,
      selects: (pod) => pod.namespace === namespace && !pod.isTerminating && matches(pod.labels),
    },
    includesNode(node) {
      const isSelected = nodeAffinityPolicy === 'Ignore' || (requiredNodeAffinity?.(node) ?? true);
      const isTolerated = nodeTaintsPolicy !== 'Honor' || !findUntolerated(node.taints, tolerations);
      return isSelected && isTolerated;
    },
  };
}
