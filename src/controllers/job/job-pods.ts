// The pods of a Job with the properties that its controller decides by.
import type { Job } from '../../apis/batch/job.ts';
import type { Pod } from '../../apis/core/pod.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { matchFailurePolicy, type PodFailure } from './pod-failure-policy.ts';

export interface JobPod {
  readonly pod: Pod;
  readonly uid: string;
  /** Whether it has the tracking finalizer: without it, the pod has been counted or must not be. */
  readonly isTracked: boolean;
  /** A terminating pod has not finished. */
  readonly state: 'active' | 'terminating' | 'succeeded' | 'failed';
  /** Set if the pod counts as failed, also one that is terminating unless only failed pods are replaced. */
  readonly failure: PodFailure | undefined;
  /** The completion index; undefined if it has none below `completions`. */
  readonly index: number | undefined;
  /** Earlier failures of the index, if the Job has backoffLimitPerIndex, and those that the podFailurePolicy ignored. */
  readonly indexFailures: number;
  readonly ignoredIndexFailures: number;
}

/** Whether a failed pod counts against the backoff limits. */
export const isCountedFailure = ({ failure }: JobPod) => failure !== undefined && failure.action !== 'Ignore';

export interface JobPodOptions {
  readonly dialect: Pick<Dialect, 'labels' | 'annotations' | 'finalizers'>;
  readonly onlyReplaceFailed: boolean;
}

export function jobPod({ spec }: Job, pod: Pod, { dialect, onlyReplaceFailed }: JobPodOptions): JobPod {
  const { finalizers = [], annotations = {}, uid = '' } = pod.metadata;
  const { jobIndexFailureCount, jobIndexIgnoredFailureCount } = dialect.annotations;
  const state = stateOf(pod);
  const isFailed = state === 'failed' || (state === 'terminating' && !onlyReplaceFailed);
  const index = integerIn(annotations[dialect.labels.jobCompletionIndex]);
  return {
    pod,
    uid,
    isTracked: finalizers.includes(dialect.finalizers.jobTracking),
    state,
    failure: isFailed ? matchFailurePolicy(spec.podFailurePolicy, pod) : undefined,
    index: index !== undefined && index < (spec.completions ?? 0) ? index : undefined,
    indexFailures: integerIn(annotations[jobIndexFailureCount]) ?? 0,
    ignoredIndexFailures: integerIn(annotations[jobIndexIgnoredFailureCount]) ?? 0,
  };
}

function stateOf({ metadata, status }: Pod): JobPod['state'] {
  if (status.phase === 'Succeeded') return 'succeeded';
  if (status.phase === 'Failed') return 'failed';
  return metadata.deletionTimestamp === undefined ? 'active' : 'terminating';
}

const maxInt32 = 2 ** 31 - 1;

/** The value of an annotation; undefined if it is not an integer from 0 to the maximum of int32. */
function integerIn(text: string | undefined): number | undefined {
  if (text === undefined || !/^[0-9]{1,10}$/.test(text) || Number(text) > maxInt32) return undefined;
  return Number(text);
}

/**
 * When a pod finished: when its last container terminated; otherwise since when it is not ready, when its deletion was
 * requested, or when it was created.
 */
export function finishedAtMs({ metadata, status }: Pod): number {
  const ends = (status.containerStatuses ?? []).map(({ state }) => state?.terminated?.finishedAt);
  if (ends.length > 0 && ends.every(Boolean)) return Math.max(...ends.map((end) => Date.parse(end!)));
  const notReady = status.conditions?.find(({ type, status }) => type === 'Ready' && status === 'False');
  if (notReady?.lastTransitionTime) return Date.parse(notReady.lastTransitionTime);
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp } = metadata;
  if (deletionTimestamp) return Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  return creationTimestamp ? Date.parse(creationTimestamp) : 0;
}
