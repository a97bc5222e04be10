// Pod: printer columns of its Table (upstream: printers/internalversion printPod).

import { age, none, since } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn, wide } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { Pod } from './pod.ts';
import type { ContainerStatus } from './pod-status.ts';

export const podTable: TableLayout<Pod> = {
  columns: [
    nameColumn,
    column('Ready', 'The number of ready containers of all containers.'),
    column('Status', 'The state of the pod, or the reason why it is not running.'),
    column('Restarts', 'The number of container restarts, and the time since the last one.'),
    ageColumn,
    wide('IP', 'The IP address of the pod.'),
    wide('Node', 'The node that the pod is scheduled on.'),
    wide('Nominated Node', 'The node on which other pods are preempted for the pod.'),
    wide('Readiness Gates', 'The number of readiness gates that are true, of all.'),
  ],
  cells(pod, ages) {
    const { ready, total, statusText, restarts, lastRestart } = summarize(pod);
    const { spec, status, metadata } = pod;
    return [
      metadata.name ?? '',
      `${ready}/${total}`,
      statusText,
      restarts > 0 && lastRestart ? `${restarts} (${since(lastRestart, ages)} ago)` : String(restarts),
      age(pod, ages),
      status.podIPs?.[0]?.ip || status.podIP || none,
      spec.nodeName || none,
      status.nominatedNodeName || none,
      readinessGatesCell(pod),
    ];
  },
  conditions({ status }) {
    const completed = { type: 'Completed', status: 'True' };
    if (status.phase === 'Succeeded') {
      return [{ ...completed, reason: 'Succeeded', message: 'The pod has completed successfully.' }];
    }
    if (status.phase === 'Failed') return [{ ...completed, reason: 'Failed', message: 'The pod failed.' }];
    return [];
  },
};

/** What the cells show of all containers together. */
interface Summary {
  ready: number;
  total: number;
  statusText: string;
  restarts: number;
  lastRestart: string | undefined;
}

function summarize(pod: Pod): Summary {
  const { spec, status, metadata } = pod;
  const sidecars = new Set(
    (spec.initContainers ?? [])
      .filter(({ restartPolicy }) => restartPolicy === 'Always')
      .map(({ name }) => name),
  );
  const summary: Summary = {
    ready: 0,
    total: (spec.containers ?? []).length + sidecars.size,
    statusText: status.reason || status.phase || '',
    restarts: 0,
    lastRestart: undefined,
  };
  if (isGated(pod)) summary.statusText = 'SchedulingGated';
  const isInitializing = summarizeInitContainers(pod, sidecars, summary);
  if (!isInitializing || hasCondition(pod, 'Initialized')) summarizeContainers(pod, summary);
  if (metadata.deletionTimestamp) {
    const isTerminal = status.phase === 'Succeeded' || status.phase === 'Failed';
    if (status.reason === 'NodeLost') summary.statusText = 'Unknown';
    else if (!isTerminal) summary.statusText = 'Terminating';
  }
  return summary;
}

/** Adds init containers to the summary; returns true if one is still initializing. */
function summarizeInitContainers(
  { spec, status }: Pod,
  sidecars: ReadonlySet<string>,
  summary: Summary,
): boolean {
  let sidecarRestarts = 0;
  let lastSidecarRestart: string | undefined;
  for (const [i, container] of (status.initContainerStatuses ?? []).entries()) {
    summary.restarts += container.restartCount ?? 0;
    const finishedAt = container.lastState.terminated?.finishedAt;
    summary.lastRestart = laterTime(summary.lastRestart, finishedAt);
    const isSidecar = sidecars.has(container.name);
    if (isSidecar) {
      sidecarRestarts += container.restartCount ?? 0;
      lastSidecarRestart = laterTime(lastSidecarRestart, finishedAt);
    }
    const { terminated, waiting } = container.state;
    if (terminated?.exitCode === 0) continue;
    if (isSidecar && container.started) {
      if (container.ready) summary.ready++;
      continue;
    }
    if (terminated) summary.statusText = `Init:${terminated.reason || terminationText(terminated)}`;
    else if (waiting?.reason && waiting.reason !== 'PodInitializing')
      summary.statusText = `Init:${waiting.reason}`;
    else summary.statusText = `Init:${i}/${(spec.initContainers ?? []).length}`;
    return true;
  }
  // After initialization, of the init containers only sidecars count.
  summary.restarts = sidecarRestarts;
  summary.lastRestart = lastSidecarRestart;
  return false;
}

function summarizeContainers(pod: Pod, summary: Summary): void {
  let isAnyRunning = false;
  // In reverse, so that the first container with a reason determines the status.
  for (const container of [...(pod.status.containerStatuses ?? [])].reverse()) {
    summary.restarts += container.restartCount ?? 0;
    summary.lastRestart = laterTime(summary.lastRestart, container.lastState.terminated?.finishedAt);
    const { waiting, terminated, running } = container.state;
    if (waiting?.reason) summary.statusText = waiting.reason;
    else if (terminated) summary.statusText = terminated.reason || terminationText(terminated);
    else if (container.ready && running) {
      isAnyRunning = true;
      summary.ready++;
    }
  }
  // Some containers have completed while others still run.
  if (summary.statusText === 'Completed' && isAnyRunning)
    summary.statusText = hasCondition(pod, 'Ready') ? 'Running' : 'NotReady';
}

function terminationText({ signal, exitCode }: NonNullable<ContainerStatus['state']['terminated']>): string {
  return signal ? `Signal:${signal}` : `ExitCode:${exitCode ?? 0}`;
}

function laterTime(a: string | undefined, b: string | undefined): string | undefined {
  return b && (!a || b > a) ? b : a;
}

function hasCondition({ status }: Pod, conditionType: string): boolean {
  return (status.conditions ?? []).some(
    ({ type, status: conditionStatus }) => type === conditionType && conditionStatus === 'True',
  );
}

function isGated({ status }: Pod): boolean {
  return (status.conditions ?? []).some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
}

function readinessGatesCell(pod: Pod): string {
  const { readinessGates = [] } = pod.spec;
  if (readinessGates.length === 0) return none;
  const trueCount = readinessGates.filter(({ conditionType }) => hasCondition(pod, conditionType)).length;
  return `${trueCount}/${readinessGates.length}`;
}
