// Updates the metadata of an object, retrying on conflicts.

import { ignoreNotFound } from '../../errors/ignore-not-found.ts';
import type { ObjectMetadata } from '../../kind/api-object.ts';
import { decodeStored } from '../../kind/storage/codec.ts';
import { inVersion } from '../../kind/storage/converted.ts';
import { type Api, existing } from '../../registry/api.ts';
import { plainWrite } from '../../registry/options/write-options.ts';
import type { Target } from '../../registry/target.ts';
import { update } from '../../registry/verbs/update.ts';
import type { ControllerIdentity } from './controller.ts';

/** The uid is a precondition: a new object with the same name is not changed. */
export async function patchMetadata(
  api: Api,
  { user, manager }: ControllerIdentity,
  target: Target,
  { uid = '' }: ObjectMetadata,
  change: (metadata: ObjectMetadata) => void,
): Promise<void> {
  const { resource } = target;
  const read = async () => {
    const object = decodeStored(resource, await inVersion(resource, existing(api, target)));
    change(object.metadata);
    object.metadata.uid = uid;
    return { object };
  };
  await ignoreNotFound(update(api, target, read, { ...plainWrite, manager, user }, []));
}

export function removeFinalizer(metadata: ObjectMetadata, finalizer: string): void {
  const kept = (metadata.finalizers ?? []).filter((each) => each !== finalizer);
  if (kept.length > 0) metadata.finalizers = kept;
  else delete metadata.finalizers;
}
