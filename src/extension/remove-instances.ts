import type { CustomResourceDefinition } from '../api/apiextensions/customresourcedefinition.ts';
import { setCondition } from '../api/meta/set-condition.ts';
import { type Api, existing, type Target } from '../resource/api.ts';
import { decodeStored } from '../resource/codec.ts';
import { plainWrite } from '../resource/options/write-options.ts';
import { removeAll } from '../resource/remove-all.ts';
import { timestamp } from '../resource/time.ts';
import { unlessGone } from '../resource/unless-gone.ts';
import { update } from '../resource/update.ts';

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
  if (resource && !(await removeAll(api, resource))) return false;
  await unlessGone(
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
  await unlessGone(update(api, target, read, plainWrite, []));
}
