// Job controller: decides which pods to create or delete while a Job goes on (upstream: manageJob).
import { choosePodsToDelete } from '../workload/deletion-order.ts';
import { type FailureBackoff, remainingBackoffMs, remainingIndexBackoffMs } from './failure-backoff.ts';
import type { JobPod } from './job-pods.ts';
import { type IndexProgress, indexesOf, type JobProgress } from './job-progress.ts';

/** Pods that one reconciliation creates or deletes at most (upstream: MaxPodCreateDeletePerSync). */
const maxPodsAtOnce = 500;

/** Either deletions or creations; deletions come first. */
export interface PodPlan {
  readonly toDelete: readonly JobPod[];
  /** The number of pods to create. */
  readonly toCreate: number;
  /** Their completion indexes, if the Job is Indexed. */
  readonly indexes: readonly number[] | undefined;
  /** How long to wait because of failures, before the next pod may be created; 0 if there is nothing to wait for. */
  readonly waitMs: number;
}

export interface PodPlanOptions {
  readonly backoff: FailureBackoff;
  /** Whether terminating pods are replaced only when they have failed. */
  readonly onlyReplaceFailed: boolean;
  readonly now: number;
}

const nothing: PodPlan = { toDelete: [], toCreate: 0, indexes: undefined, waitMs: 0 };

export function planPods(progress: JobProgress, options: PodPlanOptions): PodPlan {
  const { job, active, terminating, indexes } = progress;
  const { backoff, onlyReplaceFailed, now } = options;
  if (job.spec.suspend) return { ...nothing, toDelete: active };
  const desired = desiredActive(progress);
  const toDelete = podsToDelete(progress, Math.max(0, active.length - desired), now).slice(0, maxPodsAtOnce);
  if (toDelete.length > 0) return { ...nothing, toDelete };
  const missing = desired - active.length - (onlyReplaceFailed ? terminating : 0);
  if (missing <= 0) return nothing;
  const limit = Math.min(missing, maxPodsAtOnce);
  if (indexes?.failed) return planIndexes(progress, indexes, limit, options);
  const waitMs = remainingBackoffMs(backoff, now);
  if (waitMs > 0) return { ...nothing, waitMs };
  if (!indexes) return { ...nothing, toCreate: limit };
  const pending = occupiedIndexes(progress, indexes, onlyReplaceFailed).firstAbsent(
    limit,
    indexes.completions,
  );
  return { ...nothing, toCreate: pending.length, indexes: pending };
}

/** How many pods a Job that is not suspended should have. */
function desiredActive({ job, active, succeeded }: JobProgress): number {
  const { parallelism = 1, completions } = job.spec;
  // A work queue: once a pod has succeeded, the others end by themselves.
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.min(parallelism, Math.max(0, completions - succeeded));
}

/** At least `count` pods, and of an Indexed Job all pods without an index and all but one of each index. */
function podsToDelete({ active, indexes }: JobProgress, count: number, now: number): readonly JobPod[] {
  const byUid = new Map(active.map((pod) => [pod.uid, pod]));
  const choose = (pods: readonly JobPod[], toChoose: number) =>
    choosePodsToDelete(
      pods.map(({ pod }) => pod),
      toChoose,
      { relatedPods: [], costAnnotation: undefined, now },
    ).map(({ metadata }) => byUid.get(metadata.uid ?? '')!);
  const chosen: JobPod[] = [];
  if (indexes) {
    const byIndex = new Map<number, JobPod[]>();
    for (const pod of active) {
      if (pod.index === undefined) chosen.push(pod);
      else byIndex.set(pod.index, [...(byIndex.get(pod.index) ?? []), pod]);
    }
    for (const pods of byIndex.values()) {
      if (pods.length > 1) chosen.push(...choose(pods, pods.length - 1));
    }
  }
  if (chosen.length >= count) return chosen;
  const isChosen = new Set(chosen);
  const others = active.filter((pod) => !isChosen.has(pod));
  return [...chosen, ...choose(others, count - chosen.length)];
}

/** With backoffLimitPerIndex each index has its own backoff. */
function planIndexes(
  progress: JobProgress,
  indexes: IndexProgress,
  limit: number,
  { onlyReplaceFailed, now }: PodPlanOptions,
): PodPlan {
  const delays = occupiedIndexes(progress, indexes, onlyReplaceFailed)
    .firstAbsent(limit, indexes.completions)
    .map((index) => ({ index, waitMs: remainingIndexBackoffMs(indexes.toReplace.get(index), now) }));
  const due = delays.filter(({ waitMs }) => waitMs === 0).map(({ index }) => index);
  const waits = delays.map(({ waitMs }) => waitMs).filter((waitMs) => waitMs > 0);
  const waitMs = waits.length > 0 ? Math.min(...waits) : 0;
  return { ...nothing, toCreate: due.length, indexes: due, waitMs };
}

/** The indexes that need no pod now; those that are absent do. */
function occupiedIndexes(
  { pods, active }: JobProgress,
  { completed, failed }: IndexProgress,
  onlyReplaceFailed: boolean,
) {
  const terminating = onlyReplaceFailed ? pods.filter(({ state }) => state === 'terminating') : [];
  return completed.union(indexesOf(active), indexesOf(terminating), ...(failed ? [failed] : []));
}
