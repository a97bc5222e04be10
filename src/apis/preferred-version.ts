import { apiRelease, releasesFrom } from '../base/release.ts';
import { introducedIn } from './api-lifecycles.ts';

/**
 * The version of a group that clients should use, of those that are served, the best first. A new one does not take over
 * before a release has had both: whoever goes back by one release finds everything as it was (SPEC, rule 4b). What was
 * only alpha promised nothing.
 */
export function preferredVersion(group: string, byPriority: readonly string[]): string {
  const isNew = (version: string) => {
    const introduced = introducedIn(group, version);
    return introduced !== undefined && releasesFrom(introduced, apiRelease) <= 0;
  };
  const known = byPriority.find((version) => !isNew(version) && !version.includes('alpha'));
  return known ?? byPriority[0]!;
}
