// Job controller: how far a Job is, from its status and its pods.
import type { Job } from '../../apis/batch/job.ts';
import { isReady } from '../../apis/core/pod-conditions.ts';
import { IndexRanges } from './index-ranges.ts';
import { finishedAtMs, isCountedFailure, type JobPod } from './job-pods.ts';

export interface JobProgress {
  readonly job: Job;
  readonly pods: readonly JobPod[];
  readonly active: readonly JobPod[];
  readonly ready: number;
  readonly terminating: number;
  /** Finished pods that the status does not include yet. */
  readonly newSucceeded: readonly JobPod[];
  readonly newFailed: readonly JobPod[];
  /** All succeeded pods, or completed indexes, and all failed pods that count. */
  readonly succeeded: number;
  readonly failed: number;
  /** Undefined if the Job is not Indexed. */
  readonly indexes: IndexProgress | undefined;
}

export interface IndexProgress {
  readonly completions: number;
  /** According to the status, and with the pods that have succeeded since. */
  readonly counted: IndexRanges;
  readonly completed: IndexRanges;
  /** Undefined without backoffLimitPerIndex. */
  readonly failed: IndexRanges | undefined;
  /**
   * With backoffLimitPerIndex, the last failed pod of each index that has no other. It keeps its finalizer until it is replaced,
   * because the new pod takes over its failure count.
   */
  readonly toReplace: ReadonlyMap<number, JobPod>;
}

export function jobProgress(job: Job, pods: readonly JobPod[]): JobProgress {
  const { status } = job;
  const isIndexed = job.spec.completionMode === 'Indexed';
  const { succeeded: uncountedSucceeded = [], failed: uncountedFailed = [] } =
    status.uncountedTerminatedPods ?? {};
  const active = pods.filter(({ state }) => state === 'active');
  const candidates = pods.filter(({ isTracked, index }) => isTracked && !(isIndexed && index === undefined));
  const newSucceeded = without(uncountedSucceeded, candidates).filter(({ state }) => state === 'succeeded');
  const newFailed = without(uncountedFailed, candidates).filter(({ failure }) => failure !== undefined);
  const indexes = isIndexed ? indexProgress(job, pods, active) : undefined;
  return {
    job,
    pods,
    active,
    ready: active.filter(({ pod }) => isReady(pod.status)).length,
    terminating: pods.filter(({ state }) => state === 'terminating').length,
    newSucceeded,
    newFailed,
    succeeded:
      indexes?.completed.count ?? (status.succeeded ?? 0) + newSucceeded.length + uncountedSucceeded.length,
    failed: (status.failed ?? 0) + newFailed.filter(isCountedFailure).length + uncountedFailed.length,
    indexes,
  };
}

function without(uids: readonly string[], pods: readonly JobPod[]): readonly JobPod[] {
  const excluded = new Set(uids);
  return pods.filter(({ uid }) => !excluded.has(uid));
}

function indexProgress(
  { spec, status }: Job,
  pods: readonly JobPod[],
  active: readonly JobPod[],
): IndexProgress {
  const { completions = 0, backoffLimitPerIndex } = spec;
  const tracked = pods.filter(({ isTracked }) => isTracked);
  const counted = IndexRanges.parse(status.completedIndexes ?? '', completions);
  const countedFailed = IndexRanges.parse(status.failedIndexes ?? '', completions);
  const succeeded = tracked.filter(({ state }) => state === 'succeeded');
  // An index that has ended stays as it is: the API rejects one that is both completed and failed.
  const completed = counted.union(indexesOf(succeeded.filter(isIndexOutside(countedFailed))));
  if (backoffLimitPerIndex === undefined) {
    return { completions, counted, completed, failed: undefined, toReplace: new Map() };
  }
  const newFailed = tracked.filter(
    (pod) =>
      pod.failure?.action === 'FailIndex' ||
      (isCountedFailure(pod) && pod.indexFailures >= backoffLimitPerIndex),
  );
  const failed = countedFailed.union(indexesOf(newFailed.filter(isIndexOutside(completed))));
  const ended = completed.union(failed, indexesOf(active));
  return { completions, counted, completed, failed, toReplace: lastFailedByIndex(tracked, ended) };
}

const isIndexOutside =
  (ranges: IndexRanges) =>
  ({ index }: JobPod) =>
    index !== undefined && !ranges.has(index);

export function indexesOf(pods: readonly JobPod[]): IndexRanges {
  return IndexRanges.of(pods.flatMap(({ index }) => index ?? []));
}

/** The last failed pod of each index, by the number of failures and by time. */
function lastFailedByIndex(tracked: readonly JobPod[], excluded: IndexRanges): Map<number, JobPod> {
  const last = new Map<number, JobPod>();
  for (const pod of tracked) {
    if (pod.failure === undefined || pod.index === undefined || excluded.has(pod.index)) continue;
    const other = last.get(pod.index);
    const isLater =
      !other || (allFailures(other) <= allFailures(pod) && finishedAtMs(other.pod) <= finishedAtMs(pod.pod));
    if (isLater) last.set(pod.index, pod);
  }
  return last;
}

const allFailures = ({ indexFailures, ignoredIndexFailures }: JobPod) => indexFailures + ignoredIndexFailures;
