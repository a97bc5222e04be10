// Updates a stored object on behalf of the server, and retries on conflict (etcd3 store: GuaranteedUpdate).
import type { ApiObject } from '../../kind/api-object.ts';
import { decodeStored, draftOf, dryRunResult } from '../../kind/storage/codec.ts';
import { PreconditionFailed, type StoredObject } from '../../store/store.ts';
import { type Api, existing } from '../api.ts';
import { plainWrite } from '../options/write-options.ts';
import { keyOf, type Target } from '../target.ts';
import { hasSameBytes } from '../write/encode.ts';
import { updateManagedFields } from '../write/managed-fields.ts';

export interface GuaranteedUpdateOptions {
  readonly dryRun?: boolean;
  /** What changes belongs to the server from then on, as if it had come through this subresource. Without it nobody owns it. */
  readonly managedThrough?: string;
}

/**
 * Changes a stored object in the server's own name: past the rules for clients, and again where somebody else was
 * faster. `change` throws what the client is to read where the object does not allow it.
 */
export async function guaranteedUpdate(
  api: Api,
  target: Target,
  change: (object: ApiObject) => void,
  { dryRun = false, managedThrough }: GuaranteedUpdateOptions = {},
): Promise<StoredObject> {
  const { stored: resource, prefix } = target.resource;
  for (;;) {
    const stored = existing(api, target);
    const object = decodeStored(resource, stored);
    change(object);
    if (managedThrough !== undefined) {
      const through = { ...target, resource, subresource: managedThrough };
      await updateManagedFields(api, through, object, decodeStored(resource, stored), plainWrite);
    }
    const draft = await draftOf(api, resource, object);
    if (dryRun) return dryRunResult(stored.key, draft, stored.revision);
    try {
      // Another server may have made the same change.
      if (hasSameBytes(draft, stored)) return await api.store.reader.confirm(stored);
      const write = { prefix, key: keyOf(target), expect: stored.revision, draft };
      return (await api.store.commit(write)).object;
    } catch (error) {
      if (!(error instanceof PreconditionFailed)) throw error;
    }
  }
}
