// Which cluster events a change of a node or of an assigned pod is.

import type { LabelMap } from '../../apis/core/compiled-selectors.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import type { ResourceAmounts } from '../resources.ts';
import type { ClusterEvent } from './cluster-event.ts';

export type ObservedNode = Pick<
  NodeInfo,
  'labels' | 'taints' | 'isUnschedulable' | 'allocatable' | 'allowedPods'
>;

/** `old` is undefined for a new node. */
export function nodeEvents(old: ObservedNode | undefined, node: ObservedNode): ClusterEvent[] {
  if (!old) return ['NodeAdd'];
  const events: ClusterEvent[] = [];
  const isAllocatableSame =
    old.allowedPods === node.allowedPods && hasSameResources(old.allocatable, node.allocatable);
  if (!isAllocatableSame) events.push('NodeUpdateAllocatable');
  if (!hasSameLabels(old.labels, node.labels)) events.push('NodeUpdateLabels');
  const areTaintsSame =
    old.isUnschedulable === node.isUnschedulable &&
    JSON.stringify(old.taints) === JSON.stringify(node.taints);
  if (!areTaintsSame) events.push('NodeUpdateTaints');
  return events;
}

/** `old` is undefined for a pod that was not assigned before. */
export function podEvents(old: PodInfo | undefined, pod: PodInfo): ClusterEvent[] {
  if (!old || old.uid !== pod.uid) return ['AssignedPodAdd'];
  const events: ClusterEvent[] = [];
  if (!hasSameLabels(old.labels, pod.labels)) events.push('AssignedPodUpdateLabels');
  if (isScaledDown(old.requests, pod.requests)) events.push('AssignedPodScaleDown');
  if (old.isTerminating !== pod.isTerminating) events.push('AssignedPodTerminating');
  return events;
}

const hasSameLabels = (one: LabelMap, other: LabelMap) =>
  one.size === other.size && [...one].every(([key, value]) => other.get(key) === value);

const hasSameResources = (one: ResourceAmounts, other: ResourceAmounts) =>
  !isScaledDown(one, other) && !isScaledDown(other, one);

/** Whether an amount is smaller in `resources` than in `old`. */
function isScaledDown(old: ResourceAmounts, resources: ResourceAmounts): boolean {
  return (
    resources.milliCpu < old.milliCpu ||
    resources.memory < old.memory ||
    resources.ephemeralStorage < old.ephemeralStorage ||
    [...old.scalars].some(([name, amount]) => (resources.scalars.get(name) ?? 0) < amount)
  );
}
