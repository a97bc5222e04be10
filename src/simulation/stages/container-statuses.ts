// The container statuses of a simulated pod, as a kubelet reports them.
import { createHash } from 'node:crypto';
import type { Pod } from '../../apis/core/pod.ts';
import { isSidecar } from '../../apis/core/pod-resources.ts';
import type { ContainerStatus } from '../../apis/core/pod-status.ts';
import type { NextContainers } from './stage.ts';

type SpecContainer = NonNullable<Pod['spec']['containers']>[number];
type Terminated = NonNullable<ContainerStatus['state']['terminated']>;

const running: NextContainers = { state: 'running' };
const completed: NextContainers = { state: 'terminated' };
const initializing: NextContainers = { state: 'waiting', reason: 'PodInitializing' };

/** Statuses of the containers. Those that `next` does not name keep their status. */
export function nextContainerStatuses(pod: Pod, next: NextContainers, now: string): ContainerStatus[] {
  const { containers = [] } = pod.spec;
  return containers.map((container) => {
    const previous = previousStatus(pod.status.containerStatuses, container);
    const isNamed = next.names?.includes(container.name) ?? true;
    return isNamed ? transition(pod, container, previous, next, now) : previous;
  });
}

/** Init containers before the containers get a state: each has completed, and sidecars run until the containers end. */
export function finishedInitStatuses(pod: Pod, containers: NextContainers, now: string): ContainerStatus[] {
  const sidecars = containers.state === 'terminated' ? completed : running;
  return (pod.spec.initContainers ?? []).map((container) =>
    transitionInit(pod, container, isSidecar(container) ? sidecars : completed, now),
  );
}

/** Init containers run in order: those before the named ones have completed, those after them wait. */
export function nextInitStatuses(pod: Pod, next: NextContainers, now: string): ContainerStatus[] {
  const { initContainers = [] } = pod.spec;
  const { names = initContainers.map(({ name }) => name) } = next;
  const first = initContainers.findIndex(({ name }) => names.includes(name));
  return initContainers.map((container, index) => {
    if (names.includes(container.name)) return transitionInit(pod, container, next, now);
    if (index > first) return transitionInit(pod, container, initializing, now);
    return transitionInit(pod, container, isSidecar(container) ? running : completed, now);
  });
}

/** Ephemeral containers start once; they never restart. */
export function ephemeralStatuses(pod: Pod, now: string): ContainerStatus[] {
  return (pod.spec.ephemeralContainers ?? []).map((container) => {
    const previous = previousStatus(pod.status.ephemeralContainerStatuses, container);
    const isNew = previous.containerID === undefined;
    return isNew ? transition(pod, container as SpecContainer, previous, running, now) : previous;
  });
}

/** A container that has never run. */
function previousStatus(
  statuses: readonly ContainerStatus[] | undefined,
  { name, image = '' }: { readonly name: string; readonly image?: string },
): ContainerStatus {
  const waiting = { reason: 'ContainerCreating' };
  return (
    statuses?.find((status) => status.name === name) ?? {
      name,
      state: { waiting },
      lastState: {},
      ready: false,
      started: false,
      restartCount: 0,
      image,
      imageID: '',
    }
  );
}

function transitionInit(pod: Pod, container: SpecContainer, next: NextContainers, now: string) {
  const previous = previousStatus(pod.status.initContainerStatuses, container);
  const status = transition(pod, container, previous, next, now);
  // An init container that has completed is ready, as a kubelet reports it.
  const isDone = !isSidecar(container) && status.state.terminated?.exitCode === 0;
  return isDone ? { ...status, ready: next.ready ?? true } : status;
}

/** The status after a change of state. A container that has run before counts a restart when it starts again. */
function transition(
  pod: Pod,
  container: SpecContainer,
  previous: ContainerStatus,
  next: NextContainers,
  now: string,
): ContainerStatus {
  const { image = '' } = container;
  const endedRun = endOfRun(pod, previous, next, now);
  const lastState = endedRun ? { terminated: endedRun } : previous.lastState;
  const { reason, message } = next;
  switch (next.state) {
    case 'running': {
      const isRunning = previous.state.running !== undefined;
      const ready = next.ready ?? true;
      if (isRunning && !next.restart) return { ...previous, ready, started: true };
      const hasRun = lastState.terminated !== undefined;
      const restartCount = previous.restartCount + (hasRun ? 1 : 0);
      const containerID = containerIdOf(pod, container, restartCount);
      const state = { running: { startedAt: now } };
      const imageID = imageIdOf(image);
      return {
        ...previous,
        image,
        imageID,
        containerID,
        state,
        lastState,
        ready,
        started: true,
        restartCount,
      };
    }
    case 'waiting': {
      const waiting = { ...(reason !== undefined && { reason }), ...(message !== undefined && { message }) };
      return { ...previous, state: { waiting }, lastState, ready: false, started: false };
    }
    case 'terminated': {
      const { containerID = containerIdOf(pod, container, previous.restartCount) } = previous;
      const terminated: Terminated = endedRun ?? {
        ...terminationOf(pod, next),
        startedAt: now,
        finishedAt: now,
        containerID,
      };
      const imageID = previous.imageID || imageIdOf(image);
      const state = { terminated };
      return { ...previous, image, imageID, containerID, state, ready: false, started: false };
    }
  }
}

/** How the run of a container that runs or has ended, ended; undefined if it has not run since its last state. */
function endOfRun(
  pod: Pod,
  { state, containerID }: ContainerStatus,
  next: NextContainers,
  now: string,
): Terminated | undefined {
  if (!state.running) return state.terminated;
  const { startedAt } = state.running;
  return {
    ...terminationOf(pod, next),
    ...(startedAt !== undefined && { startedAt }),
    finishedAt: now,
    ...(containerID !== undefined && { containerID }),
  };
}

function terminationOf(pod: Pod, next: NextContainers): Pick<Terminated, 'exitCode' | 'reason' | 'message'> {
  const exitCode = exitCodeOf(pod, next);
  const isState = next.state === 'terminated';
  const reason = (isState ? next.reason : undefined) ?? (exitCode === 0 ? 'Completed' : 'Error');
  return { exitCode, reason, ...(isState && next.message !== undefined && { message: next.message }) };
}

function exitCodeOf({ metadata }: Pod, { exitCode = 0, exitCodeAnnotation }: NextContainers): number {
  const text = exitCodeAnnotation === undefined ? undefined : metadata.annotations?.[exitCodeAnnotation];
  return text !== undefined && /^[0-9]{1,3}$/.test(text) ? Number(text) : exitCode;
}

const hexDigest = (text: string) => createHash('sha256').update(text).digest('hex');

const containerIdOf = ({ metadata }: Pod, { name }: SpecContainer, restartCount: number) =>
  `simulated://${hexDigest(`${metadata.uid}/${name}/${restartCount}`)}`;

const imageIdOf = (image: string) => `${image}@sha256:${hexDigest(image)}`;
