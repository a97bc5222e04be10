// daemonset-controller: on which nodes a DaemonSet runs (upstream: NodeShouldRunDaemonPod).
import { nodeSelectorMatches, type SelectableNode } from '../../apis/core/node-selector-match.ts';
import type { PodTemplateSpec } from '../../apis/core/pod-template-spec.ts';
import type { Taint } from '../../apis/core/taint.ts';
import type { Toleration } from '../../apis/core/toleration.ts';
import { toleratesTaints } from '../../apis/core/toleration-match.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { daemonTolerations } from './daemon-tolerations.ts';

/** What decides about a node. spec.unschedulable does not: daemon pods tolerate its taint. */
export interface EligibleNode extends SelectableNode {
  readonly taints: readonly Taint[];
}

/** What a template says about nodes. */
export interface Placement {
  readonly nodeName: string | undefined;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly required: Parameters<typeof nodeSelectorMatches>[0] | undefined;
  readonly tolerations: readonly Toleration[];
}

export interface Eligibility {
  /** A pod is to be created if there is none. */
  readonly shouldRun: boolean;
  /** An existing pod is to stay. */
  readonly shouldContinue: boolean;
}

export function placementOf({ spec }: PodTemplateSpec, dialect: Dialect): Placement {
  return {
    nodeName: spec.nodeName || undefined,
    nodeSelector: spec.nodeSelector ?? {},
    required: spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution,
    tolerations: daemonTolerations(spec, dialect),
  };
}

export function eligibilityOf(placement: Placement, node: EligibleNode): Eligibility {
  const { nodeName, nodeSelector, required, tolerations } = placement;
  const isSelected =
    (nodeName === undefined || nodeName === node.name) &&
    Object.entries(nodeSelector).every(([label, value]) => node.labels[label] === value) &&
    (required === undefined || nodeSelectorMatches(required, node));
  const tolerates = (...effects: string[]) => toleratesTaints(tolerations, node.taints, effects);
  return {
    shouldRun: isSelected && tolerates('NoSchedule', 'NoExecute'),
    shouldContinue: isSelected && tolerates('NoExecute'),
  };
}
