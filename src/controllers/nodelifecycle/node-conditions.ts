// node-lifecycle-controller: the conditions of nodes, and what becomes of them when a kubelet does not report.
import type { Node, NodeStatus } from '../../apis/core/node.ts';

type NodeCondition = NonNullable<NodeStatus['conditions']>[number];

/** The conditions that a kubelet reports. NetworkUnavailable is not among them: the control plane sets it. */
const kubeletConditions: readonly NodeCondition['type'][] = [
  'Ready',
  'MemoryPressure',
  'DiskPressure',
  'PIDPressure',
];

export const readyConditionOf = ({ status }: Pick<Node, 'status'>) =>
  status.conditions?.find(({ type }) => type === 'Ready');

/** Sets the conditions of a silent kubelet to Unknown. Nothing changes if its Ready condition is already Unknown. */
export function setConditionsUnknown({ metadata, status }: Node, now: string): void {
  if (readyConditionOf({ status })?.status === 'Unknown') return;
  const conditions = status.conditions ?? [];
  for (const type of kubeletConditions) {
    const condition = conditions.find((each) => each.type === type);
    if (!condition) {
      conditions.push({
        type,
        status: 'Unknown',
        reason: 'NodeStatusNeverUpdated',
        message: 'Kubelet never posted node status.',
        lastHeartbeatTime: metadata.creationTimestamp!,
        lastTransitionTime: now,
      });
    } else if (condition.status !== 'Unknown') {
      condition.status = 'Unknown';
      condition.reason = 'NodeStatusUnknown';
      condition.message = 'Kubelet stopped posting node status.';
      condition.lastTransitionTime = now;
    }
  }
  status.conditions = conditions;
}
