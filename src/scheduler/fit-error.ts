// The reason why no node is feasible for a pod, upstream's FitError, and its message.
import type { FilterName, Rejection } from './plugins/plugin.ts';

export interface FitError {
  readonly allNodes: number;
  /** A plugin rejected the pod before any node was checked. */
  readonly podRejection?: Rejection;
  /** By node. */
  readonly rejections: ReadonlyMap<string, Rejection>;
  /** The reason for the nodes that were not checked; undefined if all were. */
  readonly uncheckedReason?: string;
}

/** `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable.` */
export function fitErrorMessage({ allNodes, podRejection, rejections, uncheckedReason }: FitError): string {
  // Upstream's ErrNoNodesAvailable.
  if (allNodes === 0) return 'no nodes available to schedule pods';
  if (podRejection) return `${available(allNodes)} ${podRejection.reasons.join(', ')}.`;
  const reasons = [...rejections.values()].map((rejection) => rejection.reasons);
  return nodesMessage(allNodes, reasons, uncheckedReason);
}

const available = (allNodes: number) => `0/${allNodes} nodes are available:`;

/** Counts how many nodes have each reason; `otherReason` is that of nodes without a list. */
export function nodesMessage(
  allNodes: number,
  reasonsByNode: readonly (readonly string[])[],
  otherReason: string | undefined,
): string {
  const counts = new Map<string, number>();
  for (const reason of reasonsByNode.flat()) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const others = allNodes - reasonsByNode.length;
  if (otherReason !== undefined && others > 0)
    counts.set(otherReason, (counts.get(otherReason) ?? 0) + others);
  if (counts.size === 0) return available(allNodes);
  const texts = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  return `${available(allNodes)} ${texts.join(', ')}.`;
}

/** The plugins whose rejections events of the cluster may resolve. */
export function rejectingPlugins({ podRejection, rejections }: FitError): Set<FilterName> {
  const plugins = new Set([...rejections.values()].map(({ plugin }) => plugin));
  return podRejection ? plugins.add(podRejection.plugin) : plugins;
}
