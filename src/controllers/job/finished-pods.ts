// Job controller: counts each finished pod exactly once (upstream: trackJobStatusAndRemoveFinalizers).
//
// Invariants:
// - A finished pod is written to status.uncountedTerminatedPods, or to completedIndexes, before its finalizer is removed. So it cannot
//   disappear uncounted.
// - A pod moves from uncountedTerminatedPods to the counters only when it has no finalizer any more. So a later reconciliation does
//   not take it for a pod that has just finished, wherever this one is interrupted.
import type { JobStatus } from '../../apis/batch/job.ts';
import type { JobOutcome } from './job-outcome.ts';
import { isCountedFailure, type JobPod } from './job-pods.ts';
import type { JobProgress } from './job-progress.ts';

/** Keeps the status small, and reconciliations short (upstream: MaxUncountedPods). */
const maxUncountedPods = 500;

export interface FinishedPods {
  /** To be written before the finalizers are removed. */
  readonly status: JobStatus;
  /** The pods whose finalizer is to be removed. */
  readonly toRelease: readonly JobPod[];
  /** Whether some finished pods are left for the next reconciliation. */
  readonly isPartial: boolean;
}

/** Adds finished pods to the status. With an outcome, pods that have not finished count as failed if it is a failure. */
export function trackFinishedPods(
  progress: JobProgress,
  outcome: JobOutcome | undefined,
  oldStatus: JobStatus,
): FinishedPods {
  const { pods, indexes } = progress;
  const tracked = pods.filter(({ isTracked }) => isTracked).toSorted(byIndex);
  const status = countReleased(oldStatus, new Set(tracked.map(({ uid }) => uid)));
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const knownFailed = new Set(failed);
  const knownSucceeded = new Set(succeeded);
  const uncounted = { succeeded: [...succeeded], failed: [...failed] };
  let newIndexes = 0;
  const toRelease: JobPod[] = [];
  let isPartial = false;
  for (const pod of tracked) {
    if (!mayRelease(pod, progress, outcome)) continue;
    if (newIndexes + uncounted.succeeded.length + uncounted.failed.length >= maxUncountedPods) {
      isPartial = true;
      break;
    }
    toRelease.push(pod);
    if (pod.state === 'succeeded' && !knownFailed.has(pod.uid)) {
      // Completed indexes are a set, so pods need not be remembered to count each index once.
      if (indexes) newIndexes += pod.index === undefined || indexes.counted.has(pod.index) ? 0 : 1;
      else if (!knownSucceeded.has(pod.uid)) uncounted.succeeded.push(pod.uid);
    } else if (!knownFailed.has(pod.uid) && countsAsFailed(pod, progress, outcome)) {
      uncounted.failed.push(pod.uid);
    }
  }
  const withUncounted = { ...status, uncountedTerminatedPods: withoutEmpty(uncounted) };
  if (!indexes) return { status: withUncounted, toRelease, isPartial };
  const { completed, failed: failedIndexes } = indexes;
  const indexStatus: JobStatus = {
    ...withUncounted,
    succeeded: completed.count,
    completedIndexes: String(completed),
    ...(failedIndexes && { failedIndexes: String(failedIndexes) }),
  };
  return { status: indexStatus, toRelease, isPartial };
}

/** Moves pods that have no finalizer any more from uncountedTerminatedPods to the counters. */
export function countReleased(status: JobStatus, trackedUids: ReadonlySet<string>): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const left = {
    succeeded: succeeded.filter((uid) => trackedUids.has(uid)),
    failed: failed.filter((uid) => trackedUids.has(uid)),
  };
  return {
    ...status,
    succeeded: (status.succeeded ?? 0) + succeeded.length - left.succeeded.length,
    failed: (status.failed ?? 0) + failed.length - left.failed.length,
    uncountedTerminatedPods: withoutEmpty(left),
  };
}

/** A failed pod whose failure count a new pod takes over is released when that pod exists. */
function mayRelease(pod: JobPod, { job, indexes }: JobProgress, outcome: JobOutcome | undefined): boolean {
  if (job.metadata.deletionTimestamp !== undefined || outcome || pod.state === 'succeeded') return true;
  if (pod.failure === undefined) return false;
  return pod.index === undefined || indexes?.toReplace.get(pod.index) !== pod;
}

function countsAsFailed(pod: JobPod, { indexes }: JobProgress, outcome: JobOutcome | undefined): boolean {
  if (indexes && pod.index === undefined) return false;
  if (pod.failure !== undefined) return isCountedFailure(pod);
  return outcome?.type === 'FailureTarget';
}

const byIndex = (a: JobPod, b: JobPod) => (a.index ?? -1) - (b.index ?? -1);

const withoutEmpty = ({ succeeded, failed }: { succeeded: string[]; failed: string[] }) => ({
  ...(succeeded.length > 0 && { succeeded }),
  ...(failed.length > 0 && { failed }),
});
