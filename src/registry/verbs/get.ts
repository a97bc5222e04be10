// get: reads one object.
import { ApiError } from '../../errors/status.ts';
import type { StoredObject } from '../../store/store.ts';
import { parseRevision } from '../options/query.ts';
import type { Target } from '../target.ts';
import { existing, type StorageContext } from '../verb-context.ts';
import { waitForRevision } from './list.ts';

/** Returns the latest state, or any state that is not older than `resourceVersion`; '0' is any state at all. */
export async function get(
  api: StorageContext,
  target: Target,
  resourceVersion: string,
): Promise<StoredObject> {
  if (resourceVersion === '') await api.store.head();
  else if (resourceVersion !== '0') {
    const requested = parseRevision(resourceVersion);
    if ('problem' in requested) {
      const value = JSON.stringify(resourceVersion);
      throw new ApiError(500, '', `resourceVersion: Invalid value: ${value}: ${requested.problem}`);
    }
    await waitForRevision(api, requested.revision, resourceVersion);
  }
  return existing(api, target);
}
