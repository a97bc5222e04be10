// Computes the status of a pod after a stage.
import type { Pod } from '../../apis/core/pod.ts';
import { setCondition } from '../../apis/core/pod-conditions.ts';
import type { PodStatus } from '../../apis/core/pod-status.ts';
import type { JsonValue } from '../../codec/json/json-value.ts';
import { applyMergePatch } from '../../patch/merge-patch.ts';
import {
  ephemeralStatuses,
  finishedInitStatuses,
  nextContainerStatuses,
  nextInitStatuses,
} from './container-statuses.ts';
import { derivedConditions } from './derived-conditions.ts';
import type { NextState } from './stage.ts';
import { fillTemplate, fillText, type TemplateValues } from './template.ts';

/** Whether the next state changes the status; otherwise it is an event, a deletion or finalizers only. */
export const changesStatus = ({
  phase,
  reason,
  message,
  containers,
  initContainers,
  conditions,
  status,
}: NextState) =>
  [phase, reason, message, containers, initContainers, conditions, status].some((part) => part !== undefined);

/** `pod` is not changed. */
export function nextStatus(pod: Pod, next: NextState, values: TemplateValues): PodStatus {
  const { now, nodeIP, podIP } = values;
  const status: PodStatus = { ...structuredClone(pod.status) };
  status.startTime ??= now;
  status.hostIP = nodeIP;
  status.hostIPs = [{ ip: nodeIP }];
  setContainers(pod, next, status, now);
  const hasStarted = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].some(
    ({ containerID }) => containerID !== undefined,
  );
  if (hasStarted && podIP !== '') {
    status.podIP = podIP;
    status.podIPs = [{ ip: podIP }];
  }
  const phase = next.phase ?? derivedPhase(pod, status);
  status.phase = phase as NonNullable<PodStatus['phase']>;
  if (next.reason !== undefined) status.reason = fillText(next.reason, values);
  if (next.message !== undefined) status.message = fillText(next.message, values);
  for (const condition of derivedConditions(pod, status)) setCondition(status, condition, now);
  for (const condition of next.conditions ?? []) {
    setCondition(status, condition as Parameters<typeof setCondition>[1], now);
  }
  if (next.status === undefined) return status;
  const patch = fillTemplate(next.status, values);
  return applyMergePatch(status as unknown as JsonValue, patch) as unknown as PodStatus;
}

function setContainers(pod: Pod, next: NextState, status: PodStatus, now: string): void {
  const { containers, initContainers } = next;
  if (containers) status.containerStatuses = nextContainerStatuses(pod, containers, now);
  else if (initContainers) {
    const waiting = { state: 'waiting', reason: 'PodInitializing' } as const;
    status.containerStatuses ??= nextContainerStatuses(pod, waiting, now);
  }
  if ((pod.spec.initContainers ?? []).length > 0) {
    if (initContainers) status.initContainerStatuses = nextInitStatuses(pod, initContainers, now);
    else if (containers) status.initContainerStatuses = finishedInitStatuses(pod, containers, now);
  }
  if ((pod.spec.ephemeralContainers ?? []).length > 0) {
    status.ephemeralContainerStatuses = ephemeralStatuses(pod, now);
  }
}

/** As a kubelet does: terminal once all containers have ended and none restarts, or the pod is being deleted. */
function derivedPhase({ metadata, spec, status: previous }: Pod, status: PodStatus): string {
  const { containerStatuses = [] } = status;
  if (previous.phase === 'Succeeded' || previous.phase === 'Failed') return previous.phase;
  const exitCodes = containerStatuses.map(({ state }) => state.terminated?.exitCode);
  const hasEnded = exitCodes.length > 0 && exitCodes.every((exitCode) => exitCode !== undefined);
  const hasFailure = exitCodes.some((exitCode) => exitCode !== 0);
  const isRestarted = spec.restartPolicy === 'Always' || (spec.restartPolicy === 'OnFailure' && hasFailure);
  if (hasEnded && (!isRestarted || metadata.deletionTimestamp !== undefined)) {
    return hasFailure ? 'Failed' : 'Succeeded';
  }
  const hasStarted = containerStatuses.some(({ containerID }) => containerID !== undefined);
  return hasStarted ? 'Running' : 'Pending';
}
