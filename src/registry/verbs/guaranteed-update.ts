// guaranteedUpdate: updates a stored object as the server itself, and retries on conflict (as upstream's storage).
import type { ApiObject } from '../../kind/api-object.ts';
import { decodeStored, encodeDraft } from '../../kind/storage/codec.ts';
import type { StoredObject } from '../../store/store.ts';
import { defaultWriteOptions } from '../options/write-options.ts';
import type { Target } from '../target.ts';
import { existing, type UpdateContext } from '../verb-context.ts';
import { commitUpdate, hasSameBytes } from '../write/commit.ts';
import { updateManagedFields } from '../write/managed-fields.ts';
import { retryPreconditionFailures } from '../write/retry.ts';

export interface GuaranteedUpdateOptions {
  readonly dryRun?: boolean;
  /** The server becomes manager of the changed fields, as a writer through this subresource. Absent: nobody does. */
  readonly managedThrough?: string;
}

/**
 * Changes a stored object without admission and validation. `change` runs again if the object changed concurrently, and
 * throws the error for the client if the object does not allow the change.
 */
export function guaranteedUpdate(
  api: UpdateContext,
  target: Target,
  change: (object: ApiObject) => void,
  { dryRun = false, managedThrough }: GuaranteedUpdateOptions = {},
): Promise<StoredObject> {
  const { stored: resource } = target.resource;
  return retryPreconditionFailures(async () => {
    const stored = existing(api, target);
    const object = decodeStored(resource, stored);
    change(object);
    if (managedThrough !== undefined) {
      const writtenTarget = { ...target, resource, subresource: managedThrough };
      await updateManagedFields(
        api,
        writtenTarget,
        object,
        decodeStored(resource, stored),
        defaultWriteOptions,
      );
    }
    const draft = await encodeDraft(api, resource, object);
    // Another server may have made the same change.
    if (!dryRun && hasSameBytes(draft, stored)) return api.store.reader.confirm(stored);
    const isTerminating = object.metadata.deletionTimestamp !== undefined;
    return commitUpdate(api, resource, stored, draft, { dryRun, isTerminating });
  });
}
