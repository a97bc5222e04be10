// Job controller: the exponential backoff with which failed pods are replaced (upstream: backoff_utils.go).
import { finishedAtMs, type JobPod } from './job-pods.ts';

const minBackoffMs = 10_000;
const maxBackoffMs = 10 * 60_000;

/** The failures of a Job since its last success. */
export interface FailureBackoff {
  readonly failures: number;
  readonly lastFailureMs: number;
}

export const noBackoff: FailureBackoff = { failures: 0, lastFailureMs: 0 };

/** The backoff after more pods have finished. A success ends the backoff because of earlier failures. */
export function nextBackoff(
  previous: FailureBackoff,
  succeeded: readonly JobPod[],
  failed: readonly JobPod[],
): FailureBackoff {
  const lastSuccessMs = Math.max(...succeeded.map(({ pod }) => finishedAtMs(pod)));
  const failuresMs = failed
    .map(({ pod }) => finishedAtMs(pod))
    .filter((failedMs) => failedMs > lastSuccessMs);
  const base = succeeded.length > 0 ? noBackoff : previous;
  if (failuresMs.length === 0) return base;
  return { failures: base.failures + failuresMs.length, lastFailureMs: Math.max(...failuresMs) };
}

/** How long to wait before pods are created; 0 if they may be now. */
export function remainingBackoffMs({ failures, lastFailureMs }: FailureBackoff, now: number): number {
  if (failures === 0) return 0;
  const backoffMs = Math.min(minBackoffMs * 2 ** (failures - 1), maxBackoffMs);
  return Math.max(0, lastFailureMs + backoffMs - now);
}

/** As remainingBackoffMs, for the replacement of the last failed pod of an index. */
export function remainingIndexBackoffMs(replaced: JobPod | undefined, now: number): number {
  if (!replaced) return 0;
  const failures = replaced.indexFailures + replaced.ignoredIndexFailures + 1;
  return remainingBackoffMs({ failures, lastFailureMs: finishedAtMs(replaced.pod) }, now);
}
