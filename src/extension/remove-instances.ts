import type { CustomResourceDefinition } from '../api/apiextensions/customresourcedefinition.ts';
import { setCondition } from '../api/meta/set-condition.ts';
import { ApiError } from '../errors/status.ts';
import { type Api, existing, type Target } from '../resource/api.ts';
import { decodeStored } from '../resource/codec.ts';
import { plainWrite } from '../resource/options/write-options.ts';
import { removeAll } from '../resource/remove-all.ts';
import { timestamp } from '../resource/time.ts';
import { unlessGone } from '../resource/unless-gone.ts';
import { update } from '../resource/update.ts';

/** What became of the objects: something else must happen to some of them first, or they could not be deleted. */
export type Removal = 'done' | 'waiting' | 'failed';

/** Deletes the objects of a kind that is to go, and once there are none lets it go. */
export async function removeInstances(
  api: Api,
  target: Target,
  { metadata, spec, status }: CustomResourceDefinition,
): Promise<Removal> {
  const finalizer = api.dialect.finalizers.customResources;
  if (!metadata.finalizers?.includes(finalizer)) return 'done';
  if (!hasFailed(status)) await say(api, target, inProgress);
  const prefix = `${spec.group}/${spec.names.plural}`;
  const storage = spec.versions?.find((version) => version.storage);
  const resource = storage && api.registry.ofPrefix(prefix, storage.name);
  try {
    if (resource && !(await removeAll(api, resource))) return 'waiting';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { message } = error;
    await say(api, target, { reason: failed, message: `could not issue all deletes: ${message}` });
    return 'failed';
  }
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
  return 'done';
}

const failed = 'InstanceDeletionFailed';
const inProgress = {
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};

const hasFailed = ({ conditions = [] }: CustomResourceDefinition['status']) =>
  conditions.some(({ reason }) => reason === failed);

async function say(
  api: Api,
  target: Target,
  why: { readonly reason: string; readonly message: string },
): Promise<void> {
  const read = () => {
    const object = decodeStored(target.resource, existing(api, target));
    const { status } = object as CustomResourceDefinition;
    status.conditions ??= [];
    setCondition(status.conditions, { type: 'Terminating', status: 'True', ...why }, timestamp(api.clock));
    return { object };
  };
  await unlessGone(update(api, target, read, plainWrite, []));
}
