// Discovery: the preferredVersion of an API group.

import { apiRelease, minorReleasesBetween } from '../base/release.ts';
import { introducedIn } from './api-lifecycles.ts';

/**
 * Selects from the served versions, best first. A version introduced in this release is not preferred over an older
 * beta or stable version, so that clients still work after a downgrade by one release (Kubernetes deprecation policy,
 * rule 4b).
 */
export function preferredVersion(group: string, byPriority: readonly string[]): string {
  const isNew = (version: string) => {
    const introduced = introducedIn(group, version);
    return introduced !== undefined && minorReleasesBetween(introduced, apiRelease) <= 0;
  };
  const stableVersion = byPriority.find((version) => !isNew(version) && !version.includes('alpha'));
  return stableVersion ?? byPriority[0]!;
}
