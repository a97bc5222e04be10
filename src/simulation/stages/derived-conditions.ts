// The conditions of a pod that follow from the statuses of its containers, as a kubelet computes them.
import type { Pod } from '../../apis/core/pod.ts';
import { isSidecar } from '../../apis/core/pod-resources.ts';
import type { PodCondition, PodStatus } from '../../apis/core/pod-status.ts';

type Condition = Pick<PodCondition, 'type' | 'status' | 'reason' | 'message'>;

/** In the order in which a kubelet writes them. */
export function derivedConditions(pod: Pod, status: PodStatus): Condition[] {
  const isTerminal = status.phase === 'Succeeded' || status.phase === 'Failed';
  const hasSandbox = status.podIP !== undefined && !isTerminal;
  const containersReady = containersReadyCondition(pod, status);
  return [
    { type: 'PodReadyToStartContainers', status: hasSandbox ? 'True' : 'False' },
    initializedCondition(pod, status),
    readyCondition(pod, status, containersReady),
    containersReady,
    { type: 'PodScheduled', status: 'True' },
  ];
}

const completed = { reason: 'PodCompleted' } as const;

function initializedCondition({ spec }: Pod, { phase, initContainerStatuses = [] }: PodStatus): Condition {
  const type = 'Initialized';
  if (phase === 'Succeeded') return { type, status: 'True', ...completed };
  const incomplete = (spec.initContainers ?? []).filter((container) => {
    const status = initContainerStatuses.find(({ name }) => name === container.name);
    return isSidecar(container)
      ? !status?.started && phase !== 'Failed'
      : status?.state.terminated?.exitCode !== 0;
  });
  if (incomplete.length === 0) return { type, status: 'True' };
  const message = `containers with incomplete status: [${namesOf(incomplete)}]`;
  return { type, status: 'False', reason: 'ContainersNotInitialized', message };
}

function containersReadyCondition({ spec }: Pod, status: PodStatus): Condition {
  const type = 'ContainersReady';
  if (status.phase === 'Succeeded') return { type, status: 'False', ...completed };
  if (status.phase === 'Failed') return { type, status: 'False', reason: 'PodFailed' };
  const statuses = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const unready = [...(spec.initContainers ?? []).filter(isSidecar), ...(spec.containers ?? [])].filter(
    (container) => !statuses.find(({ name }) => name === container.name)?.ready,
  );
  if (unready.length === 0) return { type, status: 'True' };
  const message = `containers with unready status: [${namesOf(unready)}]`;
  return { type, status: 'False', reason: 'ContainersNotReady', message };
}

/** Ready: the containers are ready, and the conditions of the readiness gates are true. */
function readyCondition(
  { spec }: Pod,
  { conditions = [] }: PodStatus,
  containersReady: Condition,
): Condition {
  if (containersReady.status !== 'True') return { ...containersReady, type: 'Ready' };
  const messages = (spec.readinessGates ?? []).flatMap(({ conditionType }) => {
    const gate = conditions.find(({ type }) => type === conditionType);
    if (!gate) return `corresponding condition of pod readiness gate "${conditionType}" does not exist.`;
    if (gate.status === 'True') return [];
    return `the status of pod readiness gate "${conditionType}" is not "True", but ${gate.status}`;
  });
  if (messages.length === 0) return { type: 'Ready', status: 'True' };
  return { type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady', message: messages.join(', ') };
}

const namesOf = (containers: readonly { readonly name: string }[]) =>
  containers.map(({ name }) => name).join(' ');
