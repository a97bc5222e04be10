import type { Revision } from '../store.ts';
import type { OnProgress } from './write-backup.ts';

export interface RestoreSettings {
  /** Whether what is there already may be lost. */
  readonly force: boolean;
  readonly onProgress: OnProgress;
}

export interface Restored {
  readonly objects: number;
  /** All revisions that are given out from now on are higher. */
  readonly revision: Revision;
}

/**
 * Clients may have seen revisions after that of the backup, for states which are lost. Nobody knows how many there were;
 * there were not as many as this. (It is what etcd's makers advise for the same reason.)
 */
const MAX_LOST = 1_000_000_000;

/** Behind every revision that a client may have seen, of which the highest that is known is one of these. */
export function farBehind(...known: readonly Revision[]): Revision {
  return Math.max(...known) + MAX_LOST;
}
