// Settings and results of a restore, and the first revision after it.
import type { Revision } from '../store.ts';
import type { OnProgress } from './write-backup.ts';

export interface RestoreOptions {
  /** Whether existing data may be overwritten. */
  readonly force: boolean;
  readonly onProgress: OnProgress;
}

export interface RestoreResult {
  readonly objects: number;
  /** All later revisions are higher. */
  readonly revision: Revision;
}

/**
 * Clients may have seen revisions after the backup's, of states that are lost. Their number is unknown, but below
 * this. (The etcd documentation uses the same number for `--bump-revision`.)
 */
const MAX_LOST_REVISIONS = 1_000_000_000;

/** A revision above all that a client may have seen: far above the highest ones that are recorded anywhere. */
export function revisionAfterRestore(...recorded: readonly Revision[]): Revision {
  return Math.max(...recorded) + MAX_LOST_REVISIONS;
}
