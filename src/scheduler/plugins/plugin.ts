// The interfaces of scheduler plugins: filters decide which nodes are feasible for a pod, scores which of those is best.

import type { ResourceClaim } from '../../apis/resource/resourceclaim.ts';
import type { LabelRequirement } from '../../selectors/label-selector.ts';
import type { ClusterCache } from '../cache/cluster-cache.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PendingPod, PodInfo } from '../cache/pod-info.ts';
import type { DeviceObjects } from './device-objects.ts';
import type { VolumeObjects } from './volume-objects.ts';

export type FilterName =
  | 'NodeUnschedulable'
  | 'NodeName'
  | 'TaintToleration'
  | 'NodeAffinity'
  | 'NodePorts'
  | 'NodeResourcesFit'
  | 'VolumeRestrictions'
  | 'NodeVolumeLimits'
  | 'VolumeBinding'
  | 'VolumeZone'
  | 'PodTopologySpread'
  | 'InterPodAffinity'
  | 'DynamicResources';

/** Why a plugin rejects a node for a pod, or a pod altogether. */
export interface Rejection {
  readonly plugin: FilterName;
  /** Upstream's texts, which the message of an unschedulable pod counts. */
  readonly reasons: readonly string[];
  /** UnschedulableAndUnresolvable: the deletion of other pods would not help. */
  readonly isUnresolvable: boolean;
}

/** A plugin cannot decide about a pod: it is tried again after its backoff. */
export class PluginError extends Error {}

/** The state of the cluster that plugins read. */
export interface SchedulingContext {
  readonly cluster: ClusterCache;
  readonly volumes: VolumeObjects;
  /** Undefined without the feature gate DynamicResourceAllocation. */
  readonly devices: DeviceObjects | undefined;
  /** The label of a node with its host name: a topology of single nodes. */
  readonly hostnameLabel: string;
  readonly zoneLabel: string;
  readonly unschedulableTaint: string;
  /** The requirements of the Services and the controller that select a pod; none if nothing selects it. */
  workloadSelector(pod: PendingPod): readonly LabelRequirement[];
}

/** A filter for one pod: the result of PreFilter. */
export interface PodFilter {
  /** The only nodes that are feasible; undefined for all. */
  readonly nodeNames?: ReadonlySet<string>;
  /** Throws PluginError if the pod cannot be checked on any node. */
  check(node: NodeInfo): Rejection | undefined;
  /** A copy that follows other changes. Filters that depend only on the pod and the node need none. */
  clone?(): PodFilter;
  /** A pod is added to (1) or removed from (-1) the node, which is a simulation of preemption or of a nominated pod. */
  changePod?(pod: PodInfo, node: NodeInfo, sign: 1 | -1): void;
  /** A claim whose devices only a node that was rejected can access, and that no other pod uses. */
  claimToDeallocate?(): ResourceClaim | undefined;
}

export interface FilterPlugin {
  readonly name: FilterName;
  /** Upstream's PreFilter: a Rejection rejects all nodes, and undefined rejects none. */
  prepare(pod: PendingPod, context: SchedulingContext): PodFilter | Rejection | undefined;
}

export const isRejection = (result: PodFilter | Rejection): result is Rejection => 'reasons' in result;

/** The scores of the feasible nodes, 0 to 100, in their order; undefined if the plugin has no preference. */
export type ScorePlugin = (
  pod: PendingPod,
  nodes: readonly NodeInfo[],
  context: SchedulingContext,
) => readonly number[] | undefined;

export const maxNodeScore = 100;

/** Scales scores so that the highest is 100, or with `isReverse`, so that the lowest raw score is best. */
export function normalizeScores(scores: readonly number[], isReverse = false): number[] {
  const max = Math.max(0, ...scores);
  if (max === 0) return scores.map(() => (isReverse ? maxNodeScore : 0));
  return scores.map((score) => {
    const scaled = Math.trunc((maxNodeScore * score) / max);
    return isReverse ? maxNodeScore - scaled : scaled;
  });
}
