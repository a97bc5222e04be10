import type { CustomResourceDefinition } from '../api/apiextensions/customresourcedefinition.ts';
import { ApiError } from '../errors/status.ts';
import { type Api, existing, type Target } from '../resource/api.ts';
import { decodeStored } from '../resource/codec.ts';
import { remove } from '../resource/delete.ts';
import { plainDelete } from '../resource/options/delete-options.ts';
import { plainWrite } from '../resource/options/write-options.ts';
import { timestamp } from '../resource/time.ts';
import { update } from '../resource/update.ts';
import { setCondition } from './accept-names.ts';

/** How many are deleted at once: enough to share commits, few enough to leave room for others. */
const atOnce = 64;

/**
 * Deletes the objects of a kind that is to go, and once there are none lets it go. False where some are still there, for
 * something else must happen to them first.
 */
export async function removeInstances(
  api: Api,
  target: Target,
  { metadata, spec }: CustomResourceDefinition,
): Promise<boolean> {
  const finalizer = api.dialect.finalizers.customResources;
  if (!metadata.finalizers?.includes(finalizer)) return true;
  await sayProgress(api, target);
  const prefix = `${spec.group}/${spec.names.plural}`;
  const storage = spec.versions?.find((version) => version.storage);
  const resource = storage && api.registry.ofPrefix(prefix, storage.name);
  if (resource) {
    for (
      let keys = keysUnder(api, prefix, '');
      keys.length > 0;
      keys = keysUnder(api, prefix, keys.at(-1)!)
    ) {
      await Promise.all(
        keys.map((key) => removeOne(api, { ...placeOf(key, prefix), resource, subresource: '' })),
      );
    }
  }
  if (resource && keysUnder(api, prefix, '').length > 0) return false;
  await unless404(
    update(
      api,
      { ...target, subresource: '' },
      () => {
        const object = decodeStored(target.resource, existing(api, target));
        object.metadata.finalizers = (object.metadata.finalizers ?? []).filter((name) => name !== finalizer);
        return { object };
      },
      plainWrite,
      [],
    ),
  );
  return true;
}

async function sayProgress(api: Api, target: Target): Promise<void> {
  const read = () => {
    const object = decodeStored(target.resource, existing(api, target));
    const { status } = object as CustomResourceDefinition;
    status.conditions ??= [];
    setCondition(
      status.conditions,
      {
        type: 'Terminating',
        status: 'True',
        reason: 'InstanceDeletionInProgress',
        message: 'CustomResource deletion is in progress',
      },
      timestamp(api.clock),
    );
    return { object };
  };
  await unless404(update(api, target, read, plainWrite, []));
}

function keysUnder({ store }: Api, prefix: string, after: string): string[] {
  const view = store.pin();
  try {
    const keys: string[] = [];
    for (const { key } of view.range(`${prefix}/`, after || undefined)) {
      keys.push(key);
      if (keys.length === atOnce) break;
    }
    return keys;
  } finally {
    view.release();
  }
}

function placeOf(key: string, prefix: string): { namespace: string; name: string } {
  const rest = key.slice(prefix.length + 1);
  const slash = rest.indexOf('/');
  return { namespace: slash < 0 ? '' : rest.slice(0, slash), name: rest.slice(slash + 1) };
}

const removeOne = (api: Api, target: Target) => unless404(remove(api, target, plainDelete));

/** What is gone already need not be removed. */
async function unless404(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 404)) throw error;
  }
}
