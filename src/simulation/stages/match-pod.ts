// Selects the stage of a pod.
import type { Pod } from '../../apis/core/pod.ts';
import type { ContainerStatus } from '../../apis/core/pod-status.ts';
import type { ContainerStateName, PodMatch, Stage } from './stage.ts';

/** The first stage that matches. */
export const stageFor = (stages: readonly Stage[], pod: Pod) =>
  stages.find(({ match }) => matchesPod(match, pod));

export function matchesPod(match: PodMatch, pod: Pod): boolean {
  const { metadata, spec, status } = pod;
  const isOneOf = (values: readonly string[] | undefined, value: string | undefined) =>
    values === undefined || values.includes(value ?? '');
  const isDeleting = metadata.deletionTimestamp !== undefined;
  return (
    isDeleting === (match.deleting ?? false) &&
    isOneOf(match.phase, status.phase ?? 'Pending') &&
    isOneOf(match.restartPolicy, spec.restartPolicy) &&
    isOneOf(match.owner, metadata.ownerReferences?.find(({ controller }) => controller)?.kind) &&
    (match.labels === undefined || match.labels(new Map(Object.entries(metadata.labels ?? {})))) &&
    matchesAnnotations(match.annotations, metadata.annotations ?? {}) &&
    (match.preStop === undefined || match.preStop === hasPreStop(pod)) &&
    matchesContainers(match.containers, pod) &&
    (match.condition === undefined || match.condition(pod))
  );
}

function matchesAnnotations(
  expected: PodMatch['annotations'] = {},
  annotations: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(expected).every(([key, value]) => {
    const actual = annotations[key];
    if (actual === undefined) return false;
    if (value.startsWith('!')) return actual !== value.slice(1);
    return value === '*' || actual === value;
  });
}

const hasPreStop = ({ spec }: Pod) =>
  [...(spec.containers ?? []), ...(spec.initContainers ?? [])].some(
    ({ lifecycle }) => lifecycle?.preStop !== undefined,
  );

function matchesContainers(expected: PodMatch['containers'], { status }: Pod): boolean {
  if (expected === undefined) return true;
  const { state, reason } = expected;
  return [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].some(
    (container) => isInState(container, state) && (reason === undefined || reasonOf(container) === reason),
  );
}

const isInState = ({ state }: ContainerStatus, name: ContainerStateName) => state[name] !== undefined;
const reasonOf = ({ state }: ContainerStatus) => state.waiting?.reason ?? state.terminated?.reason;
