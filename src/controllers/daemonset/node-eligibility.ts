// daemonset-controller: on which nodes a DaemonSet runs (upstream: NodeShouldRunDaemonPod).
import {
  compileRequiredNodeAffinity,
  type LabelledNode,
  type NodeMatcher,
} from '../../apis/core/compiled-selectors.ts';
import type { PodTemplateSpec } from '../../apis/core/pod-template-spec.ts';
import type { Taint } from '../../apis/core/taint.ts';
import { tolerates } from '../../apis/core/taint-toleration.ts';
import type { Toleration } from '../../apis/core/toleration.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { daemonTolerations } from './daemon-tolerations.ts';

/** What decides about a node. spec.unschedulable does not: daemon pods tolerate its taint. */
export interface EligibleNode extends LabelledNode {
  readonly taints: readonly Taint[];
}

/** What a template says about nodes. */
export interface Placement {
  readonly nodeName: string | undefined;
  /** The node selector and the required node affinity. */
  readonly matches: NodeMatcher | undefined;
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
    matches: compileRequiredNodeAffinity(spec),
    tolerations: daemonTolerations(spec, dialect),
  };
}

export function eligibilityOf(
  { nodeName, matches, tolerations }: Placement,
  node: EligibleNode,
): Eligibility {
  const isSelected =
    (nodeName === undefined || nodeName === node.name) && (matches === undefined || matches(node));
  const toleratesAll = (...effects: string[]) =>
    node.taints
      .filter(({ effect }) => effects.includes(effect))
      .every((taint) => tolerations.some((toleration) => tolerates(toleration, taint)));
  return {
    shouldRun: isSelected && toleratesAll('NoSchedule', 'NoExecute'),
    shouldContinue: isSelected && toleratesAll('NoExecute'),
  };
}
