// Job controller: decides whether a Job has failed or succeeded, before its pods have ended.
import type { Job } from '../../apis/batch/job.ts';
import type { JobPod } from './job-pods.ts';
import type { JobProgress } from './job-progress.ts';
import { matchSuccessPolicy } from './success-policy.ts';

/** The interim condition, which the condition Failed or Complete follows when all pods have ended and are counted. */
export interface JobOutcome {
  readonly type: 'FailureTarget' | 'SuccessCriteriaMet';
  readonly reason: string;
  readonly message: string;
}

/** The outcome of a Job whose pods have all succeeded. */
export const completionsReached: JobOutcome = {
  type: 'SuccessCriteriaMet',
  reason: 'CompletionsReached',
  message: 'Reached expected number of succeeded pods',
};

/**
 * The outcome for which active pods are deleted; undefined while the Job goes on. An outcome that the status has already is
 * final. Otherwise the order is that of upstream: podFailurePolicy, backoffLimit, deadline, failed indexes, successPolicy.
 */
export function decideOutcome(progress: JobProgress, now: number): JobOutcome | undefined {
  const { job } = progress;
  return (
    recordedOutcome(job, 'SuccessCriteriaMet') ??
    recordedOutcome(job, 'FailureTarget') ??
    podFailurePolicyOutcome(progress) ??
    backoffLimitOutcome(progress) ??
    deadlineOutcome(job, now) ??
    failedIndexesOutcome(progress) ??
    successPolicyOutcome(progress)
  );
}

/** When the deadline of a Job passes, in milliseconds since the epoch; undefined if it has none or is suspended. */
export function deadlineMs({ spec, status }: Job): number | undefined {
  if (spec.activeDeadlineSeconds === undefined || status.startTime === undefined || spec.suspend)
    return undefined;
  return Date.parse(status.startTime) + Number(spec.activeDeadlineSeconds) * 1000;
}

function recordedOutcome({ status }: Job, type: JobOutcome['type']): JobOutcome | undefined {
  const condition = status.conditions?.find((candidate) => candidate.type === type);
  if (condition?.status !== 'True') return undefined;
  return { type, reason: condition.reason ?? '', message: condition.message ?? '' };
}

const failure = (reason: string, message: string): JobOutcome => ({ type: 'FailureTarget', reason, message });

function podFailurePolicyOutcome({ pods }: JobProgress): JobOutcome | undefined {
  const message = pods.find((pod) => pod.failure?.failJobMessage !== undefined)?.failure?.failJobMessage;
  return message === undefined ? undefined : failure('PodFailurePolicy', message);
}

function backoffLimitOutcome({ job, pods, failed }: JobProgress): JobOutcome | undefined {
  const { backoffLimit = 6, template } = job.spec;
  const restarts = template.spec.restartPolicy === 'OnFailure' ? countRestarts(pods) : 0;
  const isExceeded = failed > backoffLimit || (restarts > 0 && restarts >= backoffLimit);
  if (!isExceeded) return undefined;
  return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
}

/** Restarts of the containers of running and pending pods. */
function countRestarts(pods: readonly JobPod[]): number {
  return pods
    .filter(({ pod }) => pod.status.phase === 'Running' || pod.status.phase === 'Pending')
    .flatMap(({ pod }) => [
      ...(pod.status.initContainerStatuses ?? []),
      ...(pod.status.containerStatuses ?? []),
    ])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
}

function deadlineOutcome(job: Job, now: number): JobOutcome | undefined {
  const dueMs = deadlineMs(job);
  if (dueMs === undefined || now < dueMs) return undefined;
  return failure('DeadlineExceeded', 'Job was active longer than specified deadline');
}

function failedIndexesOutcome({ job, indexes }: JobProgress): JobOutcome | undefined {
  const { maxFailedIndexes } = job.spec;
  if (!indexes?.failed || indexes.failed.count === 0) return undefined;
  const { failed, completed, completions } = indexes;
  if (maxFailedIndexes !== undefined && failed.count > maxFailedIndexes) {
    const message = 'Job has exceeded the specified maximal number of failed indexes';
    return failure('MaxFailedIndexesExceeded', message);
  }
  return failed.count + completed.count >= completions
    ? failure('FailedIndexes', 'Job has failed indexes')
    : undefined;
}

function successPolicyOutcome({ job, indexes }: JobProgress): JobOutcome | undefined {
  const message =
    indexes && matchSuccessPolicy(job.spec.successPolicy, indexes.completions, indexes.completed);
  return message === undefined ? undefined : { type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message };
}
